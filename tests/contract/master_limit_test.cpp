// Masters in containers under YARN's schedulers: how many of them run at a time.
#include <algorithm>
#include <gtest/gtest.h>
#include <optional>

#include "applications/hosting/master_host.h"
#include "contract/list_source.h"
#include "coordinator/engine/engine.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

class MasterTimes final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord& record) override {
    if (record.is_master) masters.push_back(record);
  }
  void job_ended(const JobRecord& record) override {
    succeeded += record.outcome == JobOutcome::succeeded ? 1u : 0u;
  }
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}

  // The most that ran at one time: an ended one is reported some moments later.
  std::size_t most_at_once() const {
    std::size_t most = 0;
    for (const AttemptRecord& at : masters) {
      most = std::max(most, static_cast<std::size_t>(std::count_if(
                                masters.begin(), masters.end(), [&](const AttemptRecord& other) {
                                  return other.allocated <= at.allocated &&
                                         at.allocated < other.account.ended;
                                })));
    }
    return most;
  }

  std::vector<AttemptRecord> masters;
  std::size_t succeeded = 0;
};

// Twenty-five jobs of a minute, at once, on ten machines of 16 GiB, with masters of 4 GiB.
MasterTimes play(std::string_view scheduler) {
  MasterTimes times;
  EngineSetup setup;
  setup.scheduler = test::schedulers().make(scheduler, test::parameters_for(scheduler)).value();
  setup.master_containers.emplace();
  setup.master_containers->demand = Resources(1'000, 4'096);
  setup.paranoid = true;
  Engine engine(std::move(setup), times);
  VirtualFleet fleet(
      VirtualOptions(),
      std::vector<Machine>(10, {"node", "/default-rack", Resources(16'000, 16'384), {}}), {});
  fleet.host_masters(make_master_host({}, 1, seconds(1), {}));
  std::vector<Job> jobs(25);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].id = JobId(i);
    Stage maps;
    maps.demand = Resources(1'000, 1'024);
    maps.runs = {{2, Work{.duration = seconds(60), .cpu_time = seconds(60)}}};
    jobs[i].stages = {maps};
  }
  ListSource source(jobs);
  const ReplayResult result =
      replay(engine, fleet, &source, nullptr, [](const ReplayProgress&) { return true; });
  EXPECT_EQ(result.outcome, RunOutcome::complete);
  EXPECT_EQ(times.succeeded, jobs.size());
  return times;
}

TEST(MasterLimit, FifoHasNone) {
  EXPECT_EQ(play("fifo").most_at_once(), 25u);
}

// maximum-am-resource-percent is 0.1: of 160 GiB, 16.
TEST(MasterLimit, CapacityHoldsApplicationsPendingAboveATenth) {
  EXPECT_EQ(play("capacity").most_at_once(), 4u);
}

// maxAMShare is 0.5: of 160 GiB, 80.
TEST(MasterLimit, FairHoldsApplicationsPendingAboveHalf) {
  EXPECT_EQ(play("fair").most_at_once(), 20u);
}

}  // namespace
}  // namespace tracebed
