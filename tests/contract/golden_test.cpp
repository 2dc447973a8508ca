// The whole list of decisions of every registered scheduler on one small story, against a file that
// a person has looked at. A change of behaviour shows as a difference of text.
//
// TRACEBED_UPDATE_GOLDEN=1 writes the files instead; look at the difference before committing it.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "applications/masters.h"
#include "contract/list_source.h"
#include "contract/mutants.h"
#include "contract/suite_schedulers.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_fleet.h"

namespace tracebed {
namespace {

// Writes each decision as a line: seconds, what, of which application.
class Chronicle final : public Scheduler {
 public:
  Chronicle(std::unique_ptr<Scheduler> scheduler, std::ostream& text)
      : scheduler_(std::move(scheduler)), text_(text) {}

  void decide(const SchedulerInput& input, Decisions& decisions) override {
    scheduler_->decide(input, decisions);
    for (const Decision& decision : decisions.list()) write(input, decisions, decision);
  }
  LimitedDimensions limited_dimensions() const override { return scheduler_->limited_dimensions(); }
  HeartbeatInterest heartbeat_interest() const override { return scheduler_->heartbeat_interest(); }
  bool reads_input_blocks() const override { return scheduler_->reads_input_blocks(); }
  Result<Resources> container_size(ApplicationId application,
                                   const Resources& demand) const override {
    return scheduler_->container_size(application, demand);
  }

 private:
  void write(const SchedulerInput& input, const Decisions& decisions, const Decision& decision) {
    char time[32];
    std::snprintf(time, sizeof(time), "%9.3f  ", to_seconds(input.now));
    text_ << time;
    if (const auto* accept = std::get_if<Accept>(&decision)) {
      text_ << "application " << accept->application.value() << " is accepted\n";
    } else if (const auto* one = std::get_if<Allocate>(&decision)) {
      const Ask& ask = input.cluster.asks[one->ask];
      text_ << "application " << ask.application.value() << " priority " << ask.priority
            << " on node " << one->node.value() << "\n";
    } else if (const auto* gang = std::get_if<AllocateGang>(&decision)) {
      text_ << "application " << input.cluster.asks[gang->ask].application.value() << " gang on";
      for (const GangPiece& piece : decisions.pieces(*gang)) {
        text_ << " " << piece.node.value() << "×" << piece.units;
      }
      text_ << "\n";
    } else if (const auto* wake = std::get_if<WakeAt>(&decision)) {
      text_ << "is to be woken at " << to_seconds(wake->at) << "\n";
    } else {
      text_ << "something else\n";
    }
  }

  std::unique_ptr<Scheduler> scheduler_;
  std::ostream& text_;
};

class Ends final : public RecordSink {
 public:
  explicit Ends(std::ostream& text) : text_(text) {}
  void attempt_ended(const AttemptRecord&) override {}
  void job_ended(const JobRecord& record) override {
    char time[32];
    std::snprintf(time, sizeof(time), "%9.3f  ", to_seconds(record.finished));
    text_ << time << "application " << record.application.value() << " ends as "
          << name(record.outcome) << " after " << record.attempts << " attempts\n";
  }
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}

 private:
  std::ostream& text_;
};

Stage stage_of(StageKind kind, std::uint32_t tasks, const Resources& demand, int run_time) {
  Stage stage;
  stage.kind = kind;
  stage.demand = demand;
  Work work;
  work.duration = seconds(run_time);
  work.memory_mib = demand.memory_mib();
  stage.runs.push_back({tasks, work});
  return stage;
}

// Four machines of different sizes in two racks, one of which is away for a while; MapReduce jobs
// of several shapes, rigid jobs, and one job that no machine can hold.
std::vector<Job> story_jobs() {
  const auto job_at = [](std::uint32_t id, int submit, JobKind kind, std::vector<Stage> stages) {
    Job job;
    job.id = JobId(id);
    job.name = std::to_string(id);
    job.submit = TraceTime(seconds(submit));
    job.kind = kind;
    job.stages = std::move(stages);
    return job;
  };
  const Resources small(1'000, 1'024);
  const Resources wide(2'000, 1'024);
  const Resources tall(1'000, 3'072);
  std::vector<Job> jobs{
      job_at(0, 0, JobKind::map_reduce,
             {stage_of(StageKind::map, 10, small, 20), stage_of(StageKind::reduce, 2, small, 10)}),
      job_at(1, 1, JobKind::rigid, {stage_of(StageKind::gang, 5, wide, 30)}),
      job_at(2, 2, JobKind::map_reduce, {stage_of(StageKind::map, 3, tall, 15)}),
      job_at(3, 2, JobKind::rigid, {stage_of(StageKind::gang, 99, small, 30)}),
      job_at(4, 5, JobKind::map_reduce,
             {stage_of(StageKind::map, 4, wide, 5), stage_of(StageKind::reduce, 6, tall, 20)}),
      job_at(5, 40, JobKind::rigid, {stage_of(StageKind::gang, 12, small, 10)}),
      job_at(6, 41, JobKind::map_reduce, {stage_of(StageKind::map, 2, small, 5)}),
  };
  // Of one kind each; the second states too little.
  jobs[0].requested_time = seconds(120);
  jobs[5].requested_time = seconds(8);
  // Of these the second cannot be met.
  jobs[0].deadline = seconds(60);
  jobs[4].deadline = seconds(4);
  jobs[6].deadline = seconds(20);
  return jobs;
}

std::string decisions_of(std::unique_ptr<Scheduler> scheduler, bool limit_vcores = false) {
  std::ostringstream text;
  Ends ends(text);
  EngineSetup setup;
  setup.scheduler = std::make_unique<Chronicle>(std::move(scheduler), text);
  setup.make_master = MasterBuilder(MasterOptions(), 1);
  setup.locate_input = placed_input(MasterOptions(), 1);
  setup.paranoid = true;
  setup.limit_vcores = limit_vcores;
  Engine engine(std::move(setup), ends);
  std::vector<Machine> machines;
  for (int i = 0; i < 4; ++i) {
    Machine machine;
    machine.name = "m" + std::to_string(i);
    machine.rack = i < 2 ? "/a" : "/b";
    machine.capacity = i == 3 ? Resources(8'000, 16'384) : Resources(4'000, 8'192);
    machines.push_back(machine);
  }
  VirtualOptions options;
  options.launch_latency.spread = 1;  // no draw that a mathematical library has a part in
  options.node_expiry = seconds(5);
  const NodeId second(1u);
  VirtualFleet fleet(
      options, machines,
      {{TraceTime(seconds(12)), second, false}, {TraceTime(seconds(35)), second, true}});
  const std::vector<Job> jobs = story_jobs();
  ListSource source(jobs);
  replay(engine, fleet, &source, nullptr, [](const ReplayProgress&) { return true; });
  return text.str();
}

// With all dimensions limited, too, for those that count memory alone, which place more of the
// story's tasks at a time (YARN-10848). fifo_with_limited_vcores and capacity_with_limited_vcores
// are what they decided while vcores were always limited.
struct GoldenRun {
  std::string_view scheduler;
  bool limit_vcores = false;

  std::string name() const {
    return std::string(scheduler) + (limit_vcores ? "_with_limited_vcores" : "");
  }
};

std::vector<GoldenRun> golden_runs() {
  std::vector<GoldenRun> runs;
  for (const std::string_view scheduler : suite_schedulers()) {
    runs.push_back({scheduler});
    if (make_for_suite(scheduler)->limited_dimensions().has_vcores()) continue;
    runs.push_back({scheduler, true});
  }
  return runs;
}

class GoldenDecisions : public ::testing::TestWithParam<GoldenRun> {};

TEST_P(GoldenDecisions, AreTheOnesOnFile) {
  const std::string path = std::string(TRACEBED_GOLDEN_FOLDER) + "/" + GetParam().name() + ".txt";
  const std::string decisions =
      decisions_of(make_for_suite(GetParam().scheduler), GetParam().limit_vcores);
  if (std::getenv("TRACEBED_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << decisions;
    GTEST_SKIP() << path << " was written";
  }
  std::ifstream file(path);
  ASSERT_TRUE(file) << path << " is missing: run once with TRACEBED_UPDATE_GOLDEN=1";
  std::ostringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(decisions, expected.str());
}

TEST(GoldenStory, StartsJobsWhoseRunTimeWasRequested) {
  EXPECT_THROW(decisions_of(std::make_unique<FailsAtTimedJobs>(make_for_suite("fifo"))),
               TimedJobStarted);
}

INSTANTIATE_TEST_SUITE_P(All, GoldenDecisions, ::testing::ValuesIn(golden_runs()),
                         [](const auto& parameter) { return parameter.param.name(); });

}  // namespace
}  // namespace tracebed
