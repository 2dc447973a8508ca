// What a RealFleet takes from the processes of masters, and from those that only say they are one.
#include <gmock/gmock.h>

#include "coordinator/real/real_fleet_harness.h"

namespace tracebed::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

class RealFleetMasters : public RealFleetTest {
 protected:
  RealFleetMasters() {
    job_.id = JobId(8u);
    Stage maps;
    maps.demand = Resources(1'000, 512);
    maps.runs = {{3, Work{.duration = seconds(60)}}};
    job_.stages = {maps};
    nodes_.resize(1);
    nodes_[0].rack = RackId(0u);
    nodes_[0].name = "node-0";
    nodes_[0].labels = {"ssd"};
    options_.masters.settings = {{"slow_start", "0.5"}};
    options_.masters.seed = 5;
    options_.masters.heartbeat_interval = seconds(2);
  }

  // Of application 3, in container 1; returns the session that its process is told.
  std::uint64_t launch(std::uint32_t attempt = 1, std::uint32_t container = 1) {
    LaunchMaster command;
    command.container = ContainerId(container);
    command.node = NodeId(0u);
    command.application = ApplicationId(3u);
    command.attempt = attempt;
    command.limits = granted_;
    command.job = Immutable(job_);
    command.nodes = Immutable(nodes_);
    execute({command});
    const auto launch = agents_[0].expect<wire::LaunchMaster>();
    EXPECT_EQ(launch.container, command.container);
    EXPECT_EQ(launch.limits, limits_);
    EXPECT_TRUE(launch.keys);
    if (launch.keys) {
      keys_[launch.session] = {{launch.keys->own_public, launch.keys->own_secret},
                               launch.keys->coordinator};
    }
    return launch.session;
  }
  ScriptedAgent& process(std::uint64_t session) {
    ScriptedAgent& master =
        agents_.emplace_back(fleet_->endpoint(), options_.run, "a master", keys_.at(session));
    master.start_sessions_at(session + 1);
    return master;
  }
  wire::Envelope envelope(std::uint64_t session, std::uint64_t sequence) const {
    return {options_.run, options_.epoch, session, sequence};
  }
  static MasterCall call(std::uint64_t sequence) {
    MasterCall call;
    call.application = ApplicationId(3u);
    call.sequence = sequence;
    call.actions = {ReleaseContainer{ContainerId(9u)}};
    return call;
  }
  // Takes in messages until so many have come that are not the agent's heartbeats.
  void take(std::uint64_t count) {
    const std::uint64_t before = fleet_->counters().messages;
    std::uint64_t beats = 0;
    eventually([&] {
      beat(0);
      ++beats;
      for (const MasterCalled& called : arrived<MasterCalled>()) {
        calls_.push_back(round_.master_calls[called.call]);
      }
      return fleet_->counters().messages - before >= beats + count;
    });
  }

  Job job_;
  std::vector<Node> nodes_;
  Resources granted_{1'000, 1'536};         // to a master
  Resources limits_ = granted_;             // of its container
  std::map<std::uint64_t, LinkKeys> keys_;  // of masters, by session
  std::vector<MasterCall> calls_;
};

TEST_F(RealFleetMasters, AreToldTheirJobHeardAndAnswered) {
  start(1);
  const std::uint64_t session = launch();
  ScriptedAgent& master = process(session);
  master.send_as(envelope(session, 1), wire::MasterHello{ApplicationId(3u), 1});
  take(1);
  const auto job = master.expect<wire::MasterJob>();
  EXPECT_EQ(job.job, job_);
  ASSERT_THAT(job.nodes, SizeIs(1));
  EXPECT_EQ(job.nodes.front(), (wire::MasterNode{"node-0", RackId(0u), {"ssd"}}));
  EXPECT_EQ(job.settings, options_.masters.settings);
  EXPECT_EQ(job.seed, 5u);
  EXPECT_EQ(job.heartbeat_interval, seconds(2));
  EXPECT_EQ(job.time_scale, 60);
  master.send_as(envelope(session, 2), call(1));
  take(1);
  ASSERT_THAT(calls_, SizeIs(1));
  EXPECT_EQ(calls_.front(), call(1));
  MasterAnswer answer;
  answer.application = ApplicationId(3u);
  answer.sequence = 1;
  answer.news = {Grant{ContainerId(7u), 0, NodeId(0u), RackId(0u), 1}};
  execute({AnswerMaster{answer}});
  EXPECT_EQ(master.expect<MasterAnswer>(), answer);
}

TEST_F(RealFleetMasters, AreHeardOnlyUnderTheSessionThatTheirProcessWasTold) {
  start(1);
  const std::uint64_t session = launch();
  ScriptedAgent& master = process(session);
  MasterCall of_another = call(1);
  of_another.application = ApplicationId(4u);
  MasterCall of_another_attempt = call(1);
  of_another_attempt.attempt = 2;
  master.send_as(envelope(session + 1, 1), call(1));
  master.send_as(envelope(session, 2), of_another);
  master.send_as(envelope(session, 3), of_another_attempt);
  master.send_as({"other", options_.epoch, session, 4}, call(1));
  master.send_as({options_.run, options_.epoch + 1, session, 5}, call(1));
  master.send_as(envelope(agents_[0].session(), 6), call(1));
  take(6);
  EXPECT_EQ(fleet_->counters().misplaced, 6u);
  EXPECT_THAT(calls_, SizeIs(0));
  master.send_as(envelope(session, 7), call(1));
  master.send_as(envelope(session, 7), call(1));
  take(2);
  EXPECT_THAT(calls_, SizeIs(1)) << "once, as its own envelope came twice";
  EXPECT_EQ(fleet_->counters().repeats, 1u);
}

TEST_F(RealFleetMasters, GarbageIsCountedAndSaidOnce) {
  start(1);
  const std::uint64_t session = launch();
  ScriptedAgent& master = process(session);
  wire::Encoder encoder;
  const auto bytes = encoder.encode({envelope(session, 1), call(1)});
  for (std::size_t cut = 1; cut <= 3; ++cut) master.send_bytes(bytes.first(bytes.size() - 8 * cut));
  take(3);
  EXPECT_EQ(fleet_->counters().garbage, 3u);
  EXPECT_THAT(warnings_, Contains(HasSubstr("only counted")).Times(1));
  EXPECT_THAT(calls_, SizeIs(0));
}

TEST_F(RealFleetMasters, HaveAQuotaThatTheScaleDoesNotDivideAtMostOfTheirMachine) {
  struct Case {
    double factor;
    CpuEnforcement enforcement;
    std::int64_t granted;
    std::int64_t quota;
  };
  using enum CpuEnforcement;
  const std::vector<Case> cases{
      {1, quota, 63, 63},      {16, quota, 63, 1'008},     {16, quota, 4'000, 4'000},
      {100, quota, 63, 4'000}, {2.5, quota, 1'001, 2'502}, {0.5, quota, 1'000, 1'000},
      {16, quota, 0, 0},       {16, quota, 5'000, 5'000},  {16, weight, 63, 63}};
  std::uint32_t container = 1;
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::Message() << c.factor << " of " << c.granted);
    agents_.clear();
    options_.masters.quota_factor = c.factor;
    options_.cpu_enforcement = c.enforcement;
    options_.shares_vcores = c.enforcement == weight;
    start(1);
    granted_ = Resources(c.granted, 1'536);
    limits_ = Resources(c.quota, 1'536);
    launch(1, container++);
  }
}

TEST_F(RealFleetMasters, AJobOfTooManyDifferentTasksIsRefusedInWords) {
  job_.stages.front().runs.assign(wire::task_runs_max + 1, {1, Work{.duration = seconds(1)}});
  start(1);
  const std::uint64_t session = launch();
  EXPECT_THAT(warnings_, Contains(HasSubstr("application 3 has more different tasks")).Times(1));
  ScriptedAgent& master = process(session);
  master.send_as(envelope(session, 1), wire::MasterHello{ApplicationId(3u), 1});
  take(1);
  EXPECT_THAT(master.expect<wire::Refuse>().reason, HasSubstr("one message"));
}

TEST_F(RealFleetMasters, AreForgottenWhenTheirContainerHasEnded) {
  start(1);
  const std::uint64_t session = launch();
  ScriptedAgent& master = process(session);
  master.send_as(envelope(session, 1), wire::MasterHello{ApplicationId(3u), 1});
  take(1);
  agents_[0].send(heartbeat({exit_of(1, 1)}));
  eventually([&] {
    wait();
    return !arrived<ContainerEnded>().empty();
  });
  master.send_as(envelope(session, 2), call(1));
  take(1);
  EXPECT_EQ(fleet_->counters().misplaced, 1u);
  EXPECT_THAT(calls_, SizeIs(0));
  // With its key nobody is let in any more.
  process(session).send_as(envelope(session, 3), call(1));
  EXPECT_TRUE(eventually([&] {
    beat(0);
    return fleet_->keys_refused() > 0;
  }));
}

TEST_F(RealFleetMasters, AreNotHeardWithTheKeyOfAnother) {
  start(1);
  const std::uint64_t first = launch(1, 1);
  const std::uint64_t second = launch(2, 2);
  ScriptedAgent& master = process(second);
  master.send_as(envelope(first, 1), call(1));
  take(1);
  EXPECT_EQ(fleet_->counters().misplaced, 1u);
  EXPECT_THAT(calls_, SizeIs(0));
}

}  // namespace
}  // namespace tracebed::test
