// The relocate policy through the real engine, masters and modelled machines.
#include <gtest/gtest.h>
#include <map>
#include <memory>

#include "applications/masters.h"
#include "contract/list_source.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

class Endings final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord& record) override { attempts.push_back(record); }
  void job_ended(const JobRecord& record) override { jobs[record.job] = record; }
  void preemption_ended(const PreemptionRecord& record) override { preemptions.push_back(record); }
  void sampled(const ClusterSample&) override {}

  std::vector<AttemptRecord> attempts;
  std::map<JobId, JobRecord> jobs;
  std::vector<PreemptionRecord> preemptions;
};

Job one_task(std::uint32_t id, Duration time) {
  Job job;
  job.id = JobId(id);
  job.name = "job " + std::to_string(id);
  job.kind = JobKind::dag;
  Stage& stage = job.stages.emplace_back();
  stage.demand = Resources(1'000, 1'024);
  stage.runs.push_back({1, Work{.duration = time, .cpu_time = time, .memory_mib = 512}});
  return job;
}

class RelocationStory : public testing::Test {
 protected:
  // A machine at a quarter of the speed, and one at full speed; each has room for one task. Two
  // jobs of 100 s of computing: the first gets the slow one.
  void play(const std::string& policy, std::optional<RelocationOptions> relocation) {
    Machine slow{.name = "slow", .capacity = Resources(1'000, 1'024), .speed = 250};
    Machine fast{.name = "fast", .capacity = Resources(1'000, 1'024)};
    EngineSetup setup;
    setup.scheduler = *test::schedulers().make("spread", test::parameters_for("spread"));
    setup.make_master = MasterBuilder(*read_master_options({{"preemption.policy", policy}}), 1);
    setup.relocation = relocation;
    setup.paranoid = true;
    Engine engine(std::move(setup), ends_);
    VirtualOptions options;
    options.is_ideal = true;
    VirtualFleet fleet(options, {slow, fast}, {});
    const std::vector<Job> jobs{one_task(0, seconds(100)), one_task(1, seconds(100))};
    ListSource source(jobs);
    const ReplayResult result =
        replay(engine, fleet, &source, nullptr, [](const ReplayProgress&) { return true; });
    EXPECT_EQ(result.outcome, RunOutcome::complete);
  }
  TraceTime end_of(std::uint32_t job) const { return ends_.jobs.at(JobId(job)).finished; }

  Endings ends_;
};

RelocationOptions for_speed() {
  RelocationOptions options;
  options.for_speed = true;
  options.interval = seconds(30);
  return options;
}

TEST_F(RelocationStory, WithoutItTheTaskStaysOnTheSlowMachine) {
  play("checkpoint", std::nullopt);
  EXPECT_EQ(end_of(0), TraceTime(seconds(400)));
  EXPECT_EQ(end_of(1), TraceTime(seconds(100)));
}

// The fast machine has room from 100 s on; the policy looks every 30 s. At 120 s the task has done
// 120 of 400 s, three tenths, and has 70 s left on the fast machine.
TEST_F(RelocationStory, ATaskThatKeepsItsProgressGoesOnOnTheFastMachine) {
  play("checkpoint", for_speed());
  EXPECT_EQ(end_of(0), TraceTime(seconds(190)));
  ASSERT_EQ(ends_.preemptions.size(), 1u);
  EXPECT_EQ(ends_.preemptions[0].purpose, PreemptionPurpose::relocate);
  EXPECT_EQ(ends_.preemptions[0].end, PreemptionEnd::checkpointed);
  ASSERT_EQ(ends_.attempts.size(), 3u);
  EXPECT_EQ(ends_.attempts[2].node, NodeId(1u));
  EXPECT_EQ(ends_.attempts[2].progress_begun, 300'000u);
}

// It begins anew at 120 s.
TEST_F(RelocationStory, ATaskThatIsKilledBeginsAnewThere) {
  play("newest_first", for_speed());
  EXPECT_EQ(end_of(0), TraceTime(seconds(220)));
}

TEST_F(RelocationStory, WhereItsMasterDoesNotAnswerItIsDroppedAtTheDeadline) {
  RelocationOptions options = for_speed();
  options.grace = seconds(60);
  play("ignore", options);
  EXPECT_EQ(end_of(0), TraceTime(seconds(400)));
  ASSERT_EQ(ends_.preemptions.size(), 1u);
  EXPECT_EQ(ends_.preemptions[0].end, PreemptionEnd::cancelled);
  EXPECT_EQ(ends_.preemptions[0].ended, TraceTime(seconds(180)));
}

// At 180 s, after which 100 s are left to do.
TEST_F(RelocationStory, OrForcedIfThatIsTheSetting) {
  RelocationOptions options = for_speed();
  options.grace = seconds(60);
  options.is_forced = true;
  play("ignore", options);
  EXPECT_EQ(end_of(0), TraceTime(seconds(280)));
  EXPECT_EQ(ends_.preemptions.at(0).end, PreemptionEnd::forced);
}

}  // namespace
}  // namespace tracebed
