// Preemption from the queue that is short to the container that goes, on virtual time: the Capacity
// scheduler, the engine and job masters together.
#include <gtest/gtest.h>
#include <map>

#include "applications/masters.h"
#include "contract/list_source.h"
#include "coordinator/engine/engine.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

class Ends final : public RecordSink {
 public:
  void attempt_ended(const AttemptRecord& record) override { ++attempts[record.end]; }
  void job_ended(const JobRecord& record) override { jobs[record.job] = record; }
  void preemption_ended(const PreemptionRecord& record) override {
    ++ends[record.end];
    records.push_back(record);
  }
  void sampled(const ClusterSample&) override {}

  std::map<ContainerEnd, int> attempts;
  std::map<PreemptionEnd, int> ends;
  std::map<JobId, JobRecord> jobs;
  std::vector<PreemptionRecord> records;
};

Job bag_of_tasks(std::size_t id, Duration submit, QueueId queue, std::vector<TaskRun> runs) {
  Job job;
  job.id = JobId(id);
  job.kind = JobKind::dag;
  job.submit = TraceTime(submit);
  job.queue = queue;
  Stage stage;
  stage.demand = Resources(1'000, 1'024);
  stage.runs = std::move(runs);
  job.stages.push_back(std::move(stage));
  return job;
}

TaskRun tasks(std::uint32_t count, Duration duration) {
  return {count, Work{.duration = duration, .cpu_time = duration, .memory_mib = 1'024}};
}

struct Turn {
  Duration first = seconds(600);      // ten of the first job's tasks run so long
  TraceTime another_machine = never;  // comes then
  bool has_every_heartbeat = false;   // also those that change nothing
  std::uint32_t executors = 0;        // of a job; 0: each task has a container of its own
};

// Ten machines of 10 GiB and two queues of half of them each. The first job fills them all after a
// minute, mostly with tasks of ten minutes; ten tasks of another queue come half a minute later.
Ends play(const std::string& delivery, PreemptionPolicy policy, const Turn& turn = {}) {
  Names names;
  const std::string prefix = "yarn.scheduler.capacity.";
  SchedulerParameters parameters;
  parameters.names = &names;
  parameters.settings = {{"preemption.enabled", "true"},
                         {"preemption.delivery", delivery},
                         {"preemption.total_preemption_per_round", "1"},
                         {"preemption.natural_termination_factor", "1"}};
  parameters.documents["config"] =
      test::hadoop_configuration({{prefix + "root.queues", "a,b"},
                                  {prefix + "root.a.capacity", "50"},
                                  {prefix + "root.b.capacity", "50"},
                                  {prefix + "root.a.user-limit-factor", "10"},
                                  {prefix + "maximum-am-resource-percent", "1"}});
  Ends ends;
  EngineSetup setup;
  setup.scheduler = test::schedulers().make("capacity", parameters).value();
  MasterOptions options;
  options.preemption_policy = policy;
  options.executors.executors = turn.executors;
  setup.make_master = MasterBuilder(options, 1);
  setup.paranoid = true;
  Engine engine(std::move(setup), ends);
  std::vector<Machine> machines(10, {"node", "/default-rack", Resources(10'000, 10'240), {}});
  std::vector<MachineChange> changes;
  if (turn.another_machine != never) {
    machines.push_back(machines.front());
    changes = {{trace_time(1), NodeId(10u), false}, {turn.another_machine, NodeId(10u), true}};
  }
  VirtualOptions virtual_options;
  virtual_options.node_expiry = seconds(10);
  virtual_options.deliver_every_heartbeat = turn.has_every_heartbeat;
  VirtualFleet fleet(virtual_options, machines, changes);
  const std::vector<Job> jobs = {
      bag_of_tasks(0, seconds(60), names.queues.intern("a"),
                   {tasks(10, turn.first), tasks(90, seconds(600))}),
      bag_of_tasks(1, seconds(90), names.queues.intern("b"), {tasks(10, seconds(60))})};
  ListSource source(jobs);
  const ReplayResult result =
      replay(engine, fleet, &source, nullptr, [](const ReplayProgress&) { return true; });
  EXPECT_EQ(result.outcome, RunOutcome::complete);
  for (const auto& [id, job] : ends.jobs) EXPECT_EQ(job.outcome, JobOutcome::succeeded);
  EXPECT_EQ(ends.jobs.size(), 2u);
  return ends;
}

TEST(PreemptionStory, WhatIsAskedForIsGivenUpAndNothingIsKilledByForce) {
  const Ends ends = play("contract", PreemptionPolicy::newest_first);
  EXPECT_EQ(ends.ends.size(), 1u);
  EXPECT_EQ(ends.ends.at(PreemptionEnd::given_up), 10);
  EXPECT_LT(ends.jobs.at(JobId(1u)).first_allocated, trace_time(100'000'000));
}

// Ten tasks of the first job have ended when the other job comes, and nothing waits for the
// executors that ran them.
TEST(PreemptionStory, WhatAJobHoldsIdleGoesBeforeAnyOfItsTasks) {
  const Ends ends =
      play("contract", PreemptionPolicy::newest_first, {.first = seconds(20), .executors = 100});
  EXPECT_EQ(ends.ends, (std::map<PreemptionEnd, int>{{PreemptionEnd::substituted, 10}}))
      << "others were suggested";
  EXPECT_FALSE(ends.attempts.contains(ContainerEnd::preempted));
  EXPECT_EQ(ends.attempts.at(ContainerEnd::succeeded), 110);
  EXPECT_LT(ends.jobs.at(JobId(1u)).first_allocated, trace_time(100'000'000));
}

TEST(PreemptionStory, ProgressIsKeptWhereMastersLetTasksKeepIt) {
  const Ends ends = play("contract", PreemptionPolicy::checkpoint);
  EXPECT_EQ(ends.ends.size(), 1u);
  EXPECT_EQ(ends.ends.at(PreemptionEnd::checkpointed), 10);
}

TEST(PreemptionStory, WhatIsIgnoredIsKilledAtTheDeadline) {
  const Ends ends = play("contract", PreemptionPolicy::ignore);
  EXPECT_EQ(ends.ends.size(), 1u);
  EXPECT_EQ(ends.ends.at(PreemptionEnd::forced), 10);
  EXPECT_EQ(ends.attempts.at(ContainerEnd::preempted), 10);
  for (const PreemptionRecord& record : ends.records) {
    EXPECT_EQ(record.deadline, record.asked + seconds(15));
    EXPECT_GE(record.ended, record.deadline);
    EXPECT_LT(record.ended, record.deadline + seconds(2));
  }
}

// Ten other tasks end in their stead before the deadline.
TEST(PreemptionStory, WhatEndsByItselfCountsAsGivenBack) {
  const Ends ends = play("contract", PreemptionPolicy::ignore, {.first = seconds(38)});
  EXPECT_EQ(ends.ends.size(), 1u);
  EXPECT_EQ(ends.ends.at(PreemptionEnd::substituted), 10);
  EXPECT_EQ(ends.attempts.count(ContainerEnd::preempted), 0u);
}

// Another machine has room for the other queue before the deadline.
TEST(PreemptionStory, NothingIsKilledOnceTheNeedHasGone) {
  const Ends ends =
      play("contract", PreemptionPolicy::ignore, {.another_machine = trace_time(98'000'000)});
  EXPECT_EQ(ends.ends.size(), 1u);
  EXPECT_EQ(ends.ends.at(PreemptionEnd::cancelled), 10);
  EXPECT_EQ(ends.attempts.count(ContainerEnd::preempted), 0u);
}

// It tells once and sets no deadline, but kills what it still chooses after the wait.
TEST(PreemptionStory, HadoopsWayTellsOnceAndKillsAfterTheWait) {
  const Ends ends = play("hadoop", PreemptionPolicy::ignore);
  EXPECT_EQ(ends.ends.at(PreemptionEnd::forced), 10);
  EXPECT_EQ(ends.attempts.at(ContainerEnd::preempted), 10);
  for (const PreemptionRecord& record : ends.records) {
    EXPECT_EQ(record.deadline, never);
    EXPECT_NE(record.notified, never);
    EXPECT_GE(record.ended, record.asked + seconds(15));
  }
}

// Rounds are no matter of heartbeats: those that are left out change nothing.
TEST(PreemptionStory, IsTheSameWithEveryHeartbeat) {
  for (const char* delivery : {"contract", "hadoop", "kill"}) {
    const Ends some = play(delivery, PreemptionPolicy::newest_first);
    const Ends all = play(delivery, PreemptionPolicy::newest_first, {.has_every_heartbeat = true});
    EXPECT_EQ(some.ends, all.ends) << delivery;
    EXPECT_EQ(some.attempts, all.attempts) << delivery;
    ASSERT_EQ(some.records.size(), all.records.size()) << delivery;
    for (std::size_t i = 0; i < some.records.size(); ++i) {
      EXPECT_EQ(some.records[i].container, all.records[i].container);
      EXPECT_EQ(some.records[i].asked, all.records[i].asked);
      EXPECT_EQ(some.records[i].ended, all.records[i].ended);
    }
  }
}

TEST(PreemptionStory, KillingSaysNothing) {
  const Ends ends = play("kill", PreemptionPolicy::newest_first);
  EXPECT_EQ(ends.attempts.at(ContainerEnd::preempted), 10);
  for (const PreemptionRecord& record : ends.records) EXPECT_EQ(record.notified, never);
}

}  // namespace
}  // namespace tracebed
