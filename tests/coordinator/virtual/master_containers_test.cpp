// Masters in containers: how their conversations go, and their attempts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "coordinator/virtual/master_story.h"

namespace tracebed {
namespace {

using namespace master_story;
using testing::HasSubstr;

// It registers at 0, asks with its first heartbeat at 1, picks up at 2 what was allocated at 1, and
// launches at once. The tasks end at 12, which its heartbeat of that moment hears.
TEST(MasterContainers, RegisterThenAskThenPickUpAtTheNextHeartbeat) {
  const Outcome outcome = play({}, {plain_job(0, at_seconds(0), 2, seconds(10))});
  EXPECT_EQ(outcome.result.outcome, RunOutcome::complete);
  ASSERT_EQ(outcome.records.jobs.size(), 1u);
  const JobRecord& job = outcome.records.jobs.front();
  EXPECT_EQ(job.outcome, JobOutcome::succeeded) << job.diagnostics;
  EXPECT_EQ(job.finished, at_seconds(12));
  EXPECT_EQ(job.attempts, 2u);
  EXPECT_EQ(outcome.attempts_lost(), 0);
  for (const AttemptRecord& attempt : outcome.records.attempts) {
    if (attempt.is_master) continue;
    EXPECT_EQ(attempt.allocated, at_seconds(1));
    EXPECT_EQ(attempt.account.started, at_seconds(2));
  }
  ASSERT_EQ(outcome.masters().size(), 1u);
  const AttemptRecord master = outcome.masters().front();
  EXPECT_EQ(master.allocated, at_seconds(0));
  EXPECT_EQ(master.account.ended, at_seconds(12));
  EXPECT_EQ(master.end, ContainerEnd::succeeded);
  EXPECT_EQ(outcome.counters.master_actions_refused, 0u);
  EXPECT_EQ(outcome.counters.master_calls_misplaced, 0u);
}

// Its first call is later, and with it all others.
TEST(MasterContainers, RegisterWhenTheirProcessHasStartedUp) {
  const auto task_allocated_at = [](Duration startup) {
    Story story;
    story.machine_model = {.master_startup = {startup, 1}};
    const Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 1, seconds(10))});
    EXPECT_EQ(outcome.result.outcome, RunOutcome::complete);
    for (const AttemptRecord& attempt : outcome.records.attempts) {
      if (!attempt.is_master) return attempt.allocated;
    }
    return never;
  };
  EXPECT_EQ(task_allocated_at(seconds(6)) - task_allocated_at({}), seconds(6));
}

TEST(MasterContainers, AreRecordedWithTheTimeAtWhichTheyRegistered) {
  Story story;
  story.machine_model = {.launch_latency = {}, .master_startup = {seconds(6), 1}};
  const Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 1, seconds(10))});
  ASSERT_EQ(outcome.masters().size(), 1u);
  const AttemptRecord master = outcome.masters().front();
  EXPECT_EQ(master.work_begun - master.account.started, seconds(6));
}

// It cannot give itself up, so it is taken at the deadline; the next attempt is placed elsewhere.
TEST(MasterContainers, AMovedOneBeginsAnewOnAnotherNode) {
  Story story;
  story.machines = {plain_machine(4, "a"), plain_machine(4, "b")};
  story.commands = {{.at = at_seconds(5),
                     .kind = AdministratorCommandKind::move,
                     .container = ContainerId(0u),
                     .grace = seconds(1)}};
  const Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 1, seconds(10))});
  EXPECT_EQ(outcome.result.outcome, RunOutcome::complete);
  const std::vector<AttemptRecord> masters = outcome.masters();
  ASSERT_EQ(masters.size(), 2u);
  EXPECT_EQ(masters[0].node, NodeId(0u));
  EXPECT_EQ(masters[0].end, ContainerEnd::preempted);
  EXPECT_EQ(masters[0].account.ended, at_seconds(6));
  EXPECT_EQ(masters[1].node, NodeId(1u));
  EXPECT_EQ(masters[1].end, ContainerEnd::succeeded);
}

// A master is all that its job has, so it stays as long as it may: the task on the other machine,
// and with it the job, may have ended before the deadline.
Outcome drain_under_a_master(Duration grace) {
  Story story;
  story.masters.attempts_max = 1;
  story.machines = {plain_machine(1, "a"), plain_machine(4, "b")};
  story.commands = {
      {.at = at_seconds(5), .kind = AdministratorCommandKind::drain, .node = "a", .grace = grace}};
  return play(std::move(story), {plain_job(0, at_seconds(0), 1, seconds(10))});
}

TEST(MasterContainers, OnAMachineThatIsDrainedMayFinishTheirJobs) {
  const Outcome outcome = drain_under_a_master(seconds(20));
  EXPECT_EQ(outcome.records.jobs.front().finished, at_seconds(12));
  ASSERT_EQ(outcome.masters().size(), 1u);
  EXPECT_EQ(outcome.masters()[0].end, ContainerEnd::succeeded);
  ASSERT_EQ(outcome.records.preemptions.size(), 1u);
  EXPECT_EQ(outcome.records.preemptions[0].end, PreemptionEnd::given_up);
  EXPECT_EQ(outcome.records.preemptions[0].notified, at_seconds(6));
}

TEST(MasterContainers, OnAMachineThatIsDrainedBeginAnewElsewhereAtTheDeadline) {
  const Outcome outcome = drain_under_a_master(seconds(3));
  EXPECT_EQ(outcome.records.jobs.front().outcome, JobOutcome::succeeded);
  const std::vector<AttemptRecord> masters = outcome.masters();
  ASSERT_EQ(masters.size(), 2u) << "what the administrator takes is no failure of the master";
  EXPECT_EQ(masters[0].end, ContainerEnd::preempted);
  EXPECT_EQ(masters[0].account.ended, at_seconds(8));
  EXPECT_EQ(masters[1].node, NodeId(1u));
  ASSERT_EQ(outcome.records.preemptions.size(), 1u);
  EXPECT_EQ(outcome.records.preemptions[0].end, PreemptionEnd::forced);
}

TEST(MasterContainers, TakeRoomBesideTheTasks) {
  Story story;
  story.machines = {plain_machine(3)};
  const Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 3, seconds(10))});
  // Two of three tasks fit beside the master: the third is launched when they have ended (at 12),
  // the scheduler having placed it then and the master picking it up at 13.
  EXPECT_EQ(outcome.records.jobs.front().finished, at_seconds(23));
}

TEST(MasterContainers, RunGangs) {
  const Outcome outcome = play({}, {plain_job(0, at_seconds(0), 3, seconds(5), StageKind::gang),
                                    plain_job(1, at_seconds(1), 3, seconds(5), StageKind::gang)});
  ASSERT_EQ(outcome.records.jobs.size(), 2u);
  for (const JobRecord& job : outcome.records.jobs) {
    EXPECT_EQ(job.outcome, JobOutcome::succeeded) << job.diagnostics;
  }
}

// A master that behaves until it ends without a word, at the n-th answer.
class Quitter final : public HostedMaster {
 public:
  Quitter(std::unique_ptr<HostedMaster> master, int answers)
      : master_(std::move(master)), answers_left_(answers) {}
  TraceTime next_call() const override { return has_ended() ? never : master_->next_call(); }
  void make_call(MasterCall& call) override { master_->make_call(call); }
  void take_answer(const MasterAnswer& answer) override {
    master_->take_answer(answer);
    --answers_left_;
  }
  bool has_ended() const override { return answers_left_ <= 0 || master_->has_ended(); }

 private:
  std::unique_ptr<HostedMaster> master_;
  int answers_left_;
};

TEST(MasterContainers, BeginAgainWhenTheFirstAttemptEnds) {
  Story story;
  // It goes at 5, with its tasks running since 2.
  story.host = [](const LaunchMaster& command) -> std::unique_ptr<HostedMaster> {
    return std::make_unique<Quitter>(plain_host(command), command.attempt == 1 ? 7 : 1'000);
  };
  const Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 2, seconds(10))});
  const JobRecord& job = outcome.records.jobs.front();
  EXPECT_EQ(job.outcome, JobOutcome::succeeded) << job.diagnostics;
  EXPECT_EQ(outcome.counters.masters_failed, 1u);
  const auto masters = outcome.masters();
  ASSERT_EQ(masters.size(), 2u);
  EXPECT_EQ(masters[0].account.ended, at_seconds(5));
  EXPECT_EQ(masters[1].attempt, 2u);
  // What the first attempt had launched was killed, and is done again from its beginning.
  EXPECT_EQ(job.attempts, 4u);
  EXPECT_EQ(outcome.attempts_lost(), 2);
  EXPECT_EQ(job.finished, at_seconds(17));
}

TEST(MasterContainers, FailTheJobAfterTheirAttempts) {
  Story story;
  story.host = [](const LaunchMaster& command) -> std::unique_ptr<HostedMaster> {
    return std::make_unique<Quitter>(plain_host(command), 3);
  };
  const Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 2, seconds(10))});
  const JobRecord& job = outcome.records.jobs.front();
  EXPECT_EQ(job.outcome, JobOutcome::failed);
  EXPECT_EQ(job.diagnostics,
            "its master failed 2 times; attempt 2 ended without having unregistered");
  EXPECT_EQ(outcome.masters().size(), 2u);
  EXPECT_EQ(outcome.result.outcome, RunOutcome::complete);
}

class Mute final : public HostedMaster {
 public:
  TraceTime next_call() const override { return never; }
  void make_call(MasterCall&) override {}
  void take_answer(const MasterAnswer&) override {}
  bool has_ended() const override { return false; }
};

TEST(MasterContainers, ExpireWhenTheyAreNotHeard) {
  Story story;
  story.host = [](const LaunchMaster&) { return std::make_unique<Mute>(); };
  const Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 2, seconds(10))});
  const JobRecord& job = outcome.records.jobs.front();
  EXPECT_EQ(job.outcome, JobOutcome::failed);
  EXPECT_THAT(job.diagnostics, HasSubstr("attempt 2 sent no heartbeat for 600000 ms"));
  EXPECT_EQ(job.finished, at_seconds(1'200));
  EXPECT_THAT(outcome.masters().at(0).end, ContainerEnd::killed);
}

// A node that leaves takes the master; that is nobody's failure, however often it happens.
TEST(MasterContainers, AreTriedAgainWhenTheirNodeLeaves) {
  Story story;
  story.masters.attempts_max = 1;
  story.machines = {plain_machine(4, "a"), plain_machine(4, "b")};
  story.changes = {{at_seconds(5), NodeId(0u), false},
                   {at_seconds(20), NodeId(0u), true},
                   {at_seconds(21), NodeId(1u), false}};
  const Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 2, seconds(30))});
  const JobRecord& job = outcome.records.jobs.front();
  EXPECT_EQ(job.outcome, JobOutcome::succeeded) << job.diagnostics;
  EXPECT_EQ(outcome.masters().size(), 3u);
}

// Asks for one container and never launches anything in it.
class Hoarder final : public ApplicationMaster {
 public:
  void start(TraceTime, MasterActions& actions) override {
    SetAsk ask;
    ask.demand = Resources(1000, 1024);
    ask.pending = 1;
    actions.push_back(ask);
  }
  void granted(TraceTime, const Grant&, MasterActions&) override {}
  void attempt_ended(TraceTime, const AttemptEnd&, MasterActions&) override {}
  void node_lost(TraceTime, NodeId, MasterActions&) override {}
};

TEST(MasterContainers, GiveBackWhatIsNotUsedInTime) {
  Story story;
  story.host = [](const LaunchMaster& command) -> std::unique_ptr<HostedMaster> {
    return std::make_unique<Quitter>(
        std::make_unique<CallingMaster>(std::make_unique<Hoarder>(), command.application,
                                        command.attempt, seconds(1)),
        1'000);
  };
  story.masters.attempts_max = 1;
  const Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 1, seconds(10))});
  const AttemptRecord& hoarded = outcome.records.attempts.front();
  EXPECT_FALSE(hoarded.is_master);
  EXPECT_EQ(hoarded.allocated, at_seconds(1));
  EXPECT_EQ(hoarded.reported, at_seconds(601));
  EXPECT_EQ(hoarded.end, ContainerEnd::released);
}

// A master that behaves, but for this: with every call it wants all containers but those of its own
// tasks checkpointed, also such as never were; and its own when they have ended.
class Meddler final : public HostedMaster {
 public:
  explicit Meddler(std::unique_ptr<HostedMaster> master) : master_(std::move(master)) {}
  TraceTime next_call() const override { return master_->next_call(); }
  void make_call(MasterCall& call) override {
    master_->make_call(call);
    if (call.kind != MasterCallKind::allocation) return;
    for (std::uint32_t id = 0; id < 10; ++id) {
      if (!own_.contains(ContainerId(id))) call.actions.push_back(CheckpointTask{ContainerId(id)});
    }
    call.actions.push_back(CheckpointTask{ContainerId(1'000'000u)});
    call.actions.push_back(CheckpointTask{});
  }
  void take_answer(const MasterAnswer& answer) override {
    for (const MasterNews& news : answer.news) {
      if (const auto* grant = std::get_if<Grant>(&news)) own_.insert(grant->container);
      if (const auto* end = std::get_if<AttemptEnd>(&news)) own_.erase(end->container);
    }
    master_->take_answer(answer);
  }
  bool has_ended() const override { return master_->has_ended(); }

 private:
  std::unique_ptr<HostedMaster> master_;
  std::set<ContainerId> own_;
};

TEST(MasterContainers, CannotCheckpointWhatIsNotTheirs) {
  Story story;
  story.machines = {plain_machine(8)};
  story.host = [](const LaunchMaster& command) -> std::unique_ptr<HostedMaster> {
    if (command.application == ApplicationId(0u)) return plain_host(command);
    return std::make_unique<Meddler>(plain_host(command));
  };
  const Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 2, seconds(10)),
                                                  plain_job(1, at_seconds(0), 2, seconds(20))});
  EXPECT_EQ(outcome.result.outcome, RunOutcome::complete);
  ASSERT_EQ(outcome.records.jobs.size(), 2u);
  EXPECT_EQ(outcome.records.jobs[0].finished, at_seconds(12));
  EXPECT_EQ(outcome.records.jobs[1].finished, at_seconds(22));
  EXPECT_GT(outcome.counters.master_actions_foreign, 100u);
  for (const AttemptRecord& attempt : outcome.records.attempts) {
    EXPECT_EQ(attempt.end, ContainerEnd::succeeded);
  }
}

// ---- with a container marked for preemption: the administrator moves the first task ----

AdministratorRequest wanted_back(TraceTime at) {
  return {.at = at,
          .kind = AdministratorCommandKind::move,
          .node = "",
          .container = ContainerId(1u),
          .grace = seconds(20)};
}

// Told at 3, it ends without a word at 5, and all that it had launched with it: nothing is left to
// be taken by force at 22.5.
TEST(MasterContainers, ThatDieWhileTheyOweLeaveNothingOwed) {
  Story story;
  story.commands = {wanted_back(trace_time(2'500'000))};
  story.host = [](const LaunchMaster& command) -> std::unique_ptr<HostedMaster> {
    return std::make_unique<Quitter>(plain_host(command), command.attempt == 1 ? 7 : 1'000);
  };
  const Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 2, seconds(30))});
  EXPECT_EQ(outcome.records.jobs.front().outcome, JobOutcome::succeeded);
  ASSERT_EQ(outcome.records.preemptions.size(), 1u);
  const PreemptionRecord& record = outcome.records.preemptions.front();
  EXPECT_EQ(record.container, ContainerId(1u));
  EXPECT_EQ(record.notified, at_seconds(3));
  EXPECT_EQ(record.ended, at_seconds(5));
  EXPECT_NE(record.end, PreemptionEnd::forced);
  EXPECT_EQ(outcome.counters.masters_failed, 1u);
}

// With every call it has the first task keep its progress: before it was asked to, twice over, and
// when it has long ended.
class Repeater final : public HostedMaster {
 public:
  explicit Repeater(std::unique_ptr<HostedMaster> master) : master_(std::move(master)) {}
  TraceTime next_call() const override { return master_->next_call(); }
  void make_call(MasterCall& call) override {
    master_->make_call(call);
    if (call.kind != MasterCallKind::allocation || !is_told_) return;
    for (int i = 0; i < 2; ++i) call.actions.push_back(CheckpointTask{ContainerId(1u)});
  }
  void take_answer(const MasterAnswer& answer) override {
    is_told_ = is_told_ || !answer.preemption.is_empty();
    master_->take_answer(answer);
  }
  bool has_ended() const override { return master_->has_ended(); }

 private:
  std::unique_ptr<HostedMaster> master_;
  bool is_told_ = false;
};

TEST(MasterContainers, MayAnswerTwiceAndLate) {
  Story story;
  story.commands = {wanted_back(trace_time(2'500'000))};
  story.host = [](const LaunchMaster& command) -> std::unique_ptr<HostedMaster> {
    return std::make_unique<Repeater>(plain_host(command));
  };
  const Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 2, seconds(30))});
  EXPECT_EQ(outcome.records.jobs.front().outcome, JobOutcome::succeeded);
  EXPECT_EQ(outcome.records.jobs.front().attempts, 3u);
  ASSERT_EQ(outcome.records.preemptions.size(), 1u);
  EXPECT_EQ(outcome.records.preemptions.front().end, PreemptionEnd::checkpointed);
  EXPECT_GT(outcome.counters.master_actions_late + outcome.counters.master_actions_refused, 20u);
}

// Masters alone fill the machine, and none has room for a task: the run says so, as it would
// without masters, and does not go on for ever.
TEST(MasterContainers, ThatFillTheClusterStall) {
  Story story;
  story.machines = {plain_machine(2)};
  const Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 1, seconds(10)),
                                                  plain_job(1, at_seconds(0), 1, seconds(10))});
  EXPECT_EQ(outcome.result.outcome, RunOutcome::stalled);
  for (const JobRecord& job : outcome.records.jobs) EXPECT_EQ(job.outcome, JobOutcome::killed);
  ASSERT_TRUE(outcome.result.stall);
  const Stall& stall = *outcome.result.stall;
  EXPECT_EQ(stall.kind, StallKind::masters_alone);
  EXPECT_EQ(stall.masters, 2u);
  EXPECT_EQ(stall.held_by_masters, stall.capacity);
  ASSERT_EQ(stall.jobs.size(), 2u);
  EXPECT_THAT(stall.jobs[0].waits_for, testing::ElementsAre(JobId(1u)));
  EXPECT_THAT(stall.jobs[1].waits_for, testing::ElementsAre(JobId(0u)));
}

// With latencies and heartbeats of nodes, twice, the same is decided.
TEST(MasterContainers, DecideTheSameTwice) {
  const auto play_once = [] {
    Story story;
    story.machine_model = VirtualOptions{};
    story.machines = {plain_machine(4, "a"), plain_machine(4, "b")};
    std::vector<Job> jobs;
    for (std::uint32_t i = 0; i < 6; ++i) {
      jobs.push_back(plain_job(i, at_seconds(2 * i), 3 + i, seconds(4)));
    }
    return play(std::move(story), std::move(jobs));
  };
  const Outcome first = play_once();
  EXPECT_EQ(first.result.outcome, RunOutcome::complete);
  EXPECT_EQ(first.digest, play_once().digest);
  EXPECT_EQ(first.counters.master_actions_refused, 0u);
}

}  // namespace
}  // namespace tracebed
