#include "coordinator/real/real_fleet.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/time.h>
#include <utility>

#include "coordinator/real/real_fleet_harness.h"
#include "core/input_error.h"

namespace tracebed::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST_F(RealFleetTest, TheFirstRoundReportsEveryRegisteredNodeAtTimeZero) {
  open(2);
  for (std::size_t i : {1u, 0u}) add_agent(i).send_hello();
  fleet_->wait_for_agents(timeout, look_at_nothing);
  wait();
  EXPECT_EQ(round_.now, trace_time(0));
  const auto joined = arrived<NodeJoined>();
  ASSERT_EQ(joined.size(), 2u);
  for (std::uint32_t i = 0; i < 2; ++i) {
    EXPECT_EQ(joined[i].node, NodeId(i));
    EXPECT_EQ(round_.machines[joined[i].machine].name, "node-" + std::to_string(i));
  }
  EXPECT_EQ(fleet_->isolation(), wire::Isolation::cgroup_v2);
}

TEST_F(RealFleetTest, AWelcomeSaysTheIntervalsInWallTime) {
  options_.heartbeat_period = seconds(6);
  options_.out_of_band_heartbeat = true;
  options_.silence_max = 7s;
  options_.orphan_grace = 2s;
  open(1);
  add_agent(0).send_hello();
  fleet_->wait_for_agents(timeout, look_at_nothing);
  const auto welcome = agents_[0].expect<wire::Welcome>();
  EXPECT_EQ(welcome.node, NodeId(0u));
  EXPECT_EQ(welcome.heartbeat_period, 100ms);  // 6 s at 60 trace seconds a second
  EXPECT_TRUE(welcome.out_of_band_heartbeat);
  EXPECT_EQ(welcome.time_scale, 60);
  EXPECT_EQ(welcome.silence_max, 7s);
  EXPECT_EQ(welcome.orphan_grace, 2s);
  EXPECT_EQ(agents_[0].last_received().epoch, 4u);
  EXPECT_THAT(warnings_, ::testing::IsEmpty());
}

TEST_F(RealFleetTest, AHeartbeatPeriodBelowFiftyMillisecondsIsWarnedOf) {
  options_.heartbeat_period = seconds(1);
  open(1);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0],
            "the heartbeat period of 1 s of trace time is 16.7 ms of wall time at time scale 60; "
            "below 50 ms machines cannot keep it exactly");
}

TEST_F(RealFleetTest, MissingAgentsAreNamed) {
  open(3);
  add_agent(1).send_hello();
  EXPECT_THAT([&] { fleet_->wait_for_agents(2s, look_at_nothing); },
              ThrowsMessage<EnvironmentError>(
                  AllOf(HasSubstr("expected 3 agents"), HasSubstr("missing: node-0, node-2"))));
}

TEST_F(RealFleetTest, WhileAgentsAreAwaitedTheCallerIsAskedToLook) {
  open(1);
  EXPECT_THAT(
      [&] {
        fleet_->wait_for_agents(timeout, [] { throw EnvironmentError("agent node-0 crashed"); });
      },
      ThrowsMessage<EnvironmentError>("agent node-0 crashed"));
}

TEST_F(RealFleetTest, AnAgentThatCannotTakePartIsRefusedWithTheReason) {
  struct Case {
    std::string reason;
    std::string run = "run-1";
    std::function<void(wire::Hello&)> change;
  };
  const std::vector<Case> cases = {
      {"with protocol version 9, the coordinator " TRACEBED_VERSION " with version " +
           std::to_string(wire::protocol_version),
       "run-1", [](wire::Hello& h) { h.protocol_version = 9; }},
      {"was started for run other, this is run run-1", "other", [](wire::Hello&) {}},
      {"reports a capacity of 1 of resource 1, the experiment 4096", "run-1",
       [](wire::Hello& h) { h.capacity[1] = 1; }},
  };
  open(1);
  for (const Case& c : cases) {
    ScriptedAgent agent(fleet_->endpoint(), c.run, "node-0", fleet_->links().at(0));
    wire::Hello hello = agent.hello();
    c.change(hello);
    agent.send_hello(hello);
    EXPECT_THAT([&] { fleet_->wait_for_agents(timeout, look_at_nothing); },
                ThrowsMessage<EnvironmentError>(HasSubstr(c.reason)));
    const auto refuse = agent.expect<wire::Refuse>();
    EXPECT_THAT(refuse.reason, HasSubstr(c.reason));
    fleet_.reset();
    open(1);
  }
}

TEST_F(RealFleetTest, ALaunchReachesItsAgentInWallTime) {
  start(2);
  execute({launch_on(1, 8), launch_on(1, 9)});
  const auto batch = agents_[1].expect<wire::LaunchBatch>();
  ASSERT_EQ(batch.launches.size(), 2u);
  const wire::Launch& launch = batch.launches[0];
  EXPECT_EQ(launch.container, ContainerId(8u));
  EXPECT_EQ(launch.application, ApplicationId(3u));
  EXPECT_EQ(launch.task, (TaskRef{1, 5}));
  EXPECT_EQ(launch.attempt, 2u);
  EXPECT_EQ(launch.limits, Resources(1'000, 256));
  EXPECT_EQ(launch.work.duration, 1s);
  EXPECT_EQ(launch.work.cpu_time, 500ms);
  EXPECT_EQ(launch.work.memory_mib, 200);
  EXPECT_EQ(launch.time_limit, 0s);
  EXPECT_EQ(agents_[1].last_received().sequence, 2u);
}

TEST_F(RealFleetTest, ALaunchNamesTheDevicesOfItsContainer) {
  options_.dimensions = ResourceDimensions({"disks", "gpu_milli"});
  start(1);
  LaunchContainer launch = launch_on(0, 8);
  launch.devices = {{2, 7, 1}, {3, 0, 1'000}, {3, 12, 500}};
  execute({launch, launch_on(0, 9)});
  const auto batch = agents_[0].expect<wire::LaunchBatch>();
  EXPECT_EQ(batch.launches.at(0).devices, "disks:7 gpu_milli:0 gpu_milli:12");
  EXPECT_EQ(batch.launches.at(1).devices, "");
}

TEST_F(RealFleetTest, AContainerWithDevicesForWhichAnEnvironmentHasNoRoomFailsWithTheReason) {
  options_.dimensions = ResourceDimensions({"gpu_milli"});
  start(1);
  LaunchContainer launch = launch_on(0, 8);
  for (std::uint16_t i = 0; i < 60; ++i) launch.devices.push_back({2, i, 1'000});
  execute({launch, KillContainer{ContainerId(8u), NodeId(0u)}, launch_on(0, 9)});
  wait();
  const auto ended = arrived<ContainerEnded>();
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].container, ContainerId(8u));
  EXPECT_EQ(ended[0].node, NodeId(0u));
  EXPECT_EQ(ended[0].end, ContainerEnd::launch_failed);
  EXPECT_LE(ended[0].account.ended, round_.now);
  EXPECT_THAT(warnings_, Contains(AllOf(HasSubstr("container 8 on node-0 cannot be launched"),
                                        HasSubstr("at most 511 bytes"), HasSubstr("got 769"))));
  const auto batch = agents_[0].expect<wire::LaunchBatch>();
  ASSERT_EQ(batch.launches.size(), 1u);
  EXPECT_EQ(batch.launches[0].container, ContainerId(9u));
}

TEST_F(RealFleetTest, AnAttemptThatIsToExceedItsMemoryIsToldToTouchMoreThanItsLimit) {
  options_.faults.exceeded_memory = 1;
  start(1);
  execute({launch_on(0, 8)});
  const auto batch = agents_[0].expect<wire::LaunchBatch>();
  EXPECT_EQ(batch.launches.at(0).limits.memory_mib(), 256);
  EXPECT_EQ(batch.launches.at(0).work.memory_mib, 512);
}

TEST_F(RealFleetTest, ATimeLimitFollowsTheWorkButNotBelowItsMinimum) {
  options_.time_limit_factor = 5;
  options_.time_limit_minimum = 3s;
  start(1);
  LaunchContainer quick = launch_on(0, 2);
  quick.work.duration = seconds(6);
  execute({launch_on(0, 1), quick});
  const auto batch = agents_[0].expect<wire::LaunchBatch>();
  EXPECT_EQ(batch.launches[0].time_limit, 5s);
  EXPECT_EQ(batch.launches[1].time_limit, 3s);
}

TEST_F(RealFleetTest, OrdersReachAnAgentInTheOrderTheyWereGiven) {
  start(1);
  LaunchContainer held = launch_on(0, 1);
  held.is_held = true;
  execute({held, ContinueContainer{ContainerId(1u), NodeId(0u)},
           CheckpointContainer{ContainerId(1u), NodeId(0u)},
           KillContainer{ContainerId(1u), NodeId(0u)}, launch_on(0, 2),
           CheckpointContainer{ContainerId(9u), NodeId(0u)}});
  EXPECT_TRUE(agents_[0].expect<wire::LaunchBatch>().launches[0].is_held);
  EXPECT_EQ(agents_[0].expect<wire::ContinueBatch>().containers[0], ContainerId(1u));
  EXPECT_EQ(agents_[0].expect<wire::CheckpointBatch>().containers[0], ContainerId(1u));
  EXPECT_EQ(agents_[0].expect<wire::KillBatch>().containers[0], ContainerId(1u));
  EXPECT_EQ(agents_[0].expect<wire::LaunchBatch>().launches[0].container, ContainerId(2u));
  beat(0);
  execute({});
  agents_[0].expect<wire::HeartbeatAck>();  // container 9 has ended, so nothing was said of it
}

TEST_F(RealFleetTest, MoreLaunchesThanABatchHoldsAreSentInSeveral) {
  start(1);
  std::vector<Command> commands;
  for (std::uint32_t i = 0; i <= wire::launches_max; ++i) commands.push_back(launch_on(0, i));
  execute(commands);
  EXPECT_EQ(agents_[0].expect<wire::LaunchBatch>().launches.size(), wire::launches_max);
  EXPECT_EQ(agents_[0].expect<wire::LaunchBatch>().launches.size(), 1u);
}

TEST_F(RealFleetTest, AnExitBecomesAnEndStampedInTraceTimeBeforeItsHeartbeat) {
  start(1);
  execute({launch_on(0, 8)});
  wire::ContainerExit exit = exit_of(8, 1);
  exit.end = ContainerEnd::out_of_memory;
  exit.signal = 9;
  exit.bytes_read = 11;
  exit.bytes_written = 12;
  exit.cpu_time = 2s;
  const TraceTime stamped = fleet_->clock().now();
  wait(stamped + seconds(12));  // 0.2 s of wall time
  ASSERT_TRUE(round_.arrivals.empty());
  agents_[0].send(heartbeat({exit}));
  wait();
  ASSERT_EQ(round_.arrivals.size(), 2u);
  const auto& ended = std::get<ContainerEnded>(round_.arrivals[0]);
  EXPECT_EQ(ended.container, ContainerId(8u));
  EXPECT_EQ(ended.node, NodeId(0u));
  EXPECT_EQ(ended.end, ContainerEnd::out_of_memory);
  EXPECT_LE(ended.account.started, ended.account.ended);
  EXPECT_LE(ended.account.ended, round_.now);
  EXPECT_LE(ended.account.ended, stamped + seconds(6)) << "not stamped when it came";
  EXPECT_EQ(ended.account.cpu_time, seconds(120));
  EXPECT_EQ(ended.account.memory_peak_mib, 11);
  EXPECT_EQ(ended.account.bytes_read, 11);
  EXPECT_EQ(ended.account.bytes_written, 12);
  EXPECT_EQ(ended.account.signal, 9);
  const auto& beat = std::get<NodeHeartbeat>(round_.arrivals[1]);
  EXPECT_EQ(beat.used, Resources(1'500, 700));
}

// Of containers that are not the agent's, or no longer, nothing is known.
TEST_F(RealFleetTest, HeartbeatsHaveTheProgressOfTasks) {
  start(2);
  execute({launch_on(0, 8), launch_on(1, 9)});
  wire::Heartbeat message = heartbeat();
  message.progress = {{ContainerId(8u), 250'000}, {ContainerId(9u), 5}, {ContainerId(70u), 5}};
  agents_[0].send(message);
  wait();
  ASSERT_EQ(round_.arrivals.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<NodeHeartbeat>(round_.arrivals[0]));
  EXPECT_EQ(std::get<AttemptProgress>(round_.arrivals[1]),
            (AttemptProgress{ContainerId(8u), 250'000}));
}

TEST_F(RealFleetTest, WhatProcessorsDidIsKnownFromTheReplaysFirstHeartbeatOn) {
  start(2);
  const auto beat = [&](wire::ProcessorSums sums) {
    wire::Heartbeat message = heartbeat();
    message.processors = sums;
    agents_[0].send(message);
    wait();
  };
  const wire::ProcessorSums first{.busy_us = 100, .stolen_us = 4, .idle_us = 900, .own_us = 50};
  const wire::ProcessorSums last{.busy_us = 180, .stolen_us = 4, .idle_us = 970, .own_us = 90};
  beat(first);
  beat({.busy_us = 130, .stolen_us = 4, .idle_us = 940, .own_us = 60});
  beat(last);
  const AgentRecord& agent = fleet_->agents().at(0);
  EXPECT_EQ(agent.processors_before, first);
  EXPECT_EQ(agent.processors, last);
  EXPECT_FALSE(fleet_->agents().at(1).processors);
  // The machine was started again.
  const wire::ProcessorSums again{.busy_us = 3, .stolen_us = 0, .idle_us = 8, .own_us = 1};
  beat(again);
  EXPECT_EQ(agent.processors_before, again);
}

TEST_F(RealFleetTest, TheProgressOfACheckpointedContainerIsKept) {
  start(1);
  execute({launch_on(0, 8)});
  wire::ContainerExit exit = exit_of(8, 1);
  exit.end = ContainerEnd::checkpointed;
  exit.progress = 123'456;
  agents_[0].send(heartbeat({exit}));
  wait();
  const auto& ended = std::get<ContainerEnded>(round_.arrivals[0]);
  EXPECT_EQ(ended.end, ContainerEnd::checkpointed);
  EXPECT_EQ(ended.account.progress, 123'456u);
}

TEST_F(RealFleetTest, StampsThatCannotBeAreBroughtIntoOrder) {
  start(1);
  beat(0);
  const TraceTime ordered = round_.now;
  execute({launch_on(0, 8)});
  wire::ContainerExit exit = exit_of(8, 1);
  exit.started = wall_now() - 1h;
  exit.ended = wall_now() + 1h;
  agents_[0].send(heartbeat({exit}));
  wait();
  const auto& account = std::get<ContainerEnded>(round_.arrivals[0]).account;
  EXPECT_EQ(account.started, ordered);
  EXPECT_LE(account.ended, round_.now);
}

TEST_F(RealFleetTest, ADeadlineEndsTheWaitAtItsMoment) {
  start(1);
  const TraceTime deadline = trace_time(6'000'000);  // 0.1 s of wall time
  wait(deadline);
  EXPECT_TRUE(round_.arrivals.empty());
  EXPECT_GE(round_.now, deadline);
  EXPECT_GE(fleet_->clock().moment_of(round_.now), fleet_->clock().moment_of(deadline));
}

TEST_F(RealFleetTest, TimeNeverRunsBackwardsAndADeadlineInThePastIsDueAtOnce) {
  start(1);
  wait(trace_time(1'000));
  const TraceTime first = round_.now;
  wait(trace_time(0));
  EXPECT_GE(round_.now, first);
  EXPECT_TRUE(round_.arrivals.empty());
}

TEST_F(RealFleetTest, ASignalEndsTheWaitSoThatCtrlCIsNoticed) {
  start(1);
  struct sigaction before {};
  struct sigaction ignore {};
  ignore.sa_handler = [](int) {};
  sigaction(SIGALRM, &ignore, &before);
  // Again and again, since the first may come before the wait has begun.
  constexpr timeval soon{.tv_sec = 0, .tv_usec = 50'000};
  const itimerval often{.it_interval = soon, .it_value = soon};
  setitimer(ITIMER_REAL, &often, nullptr);
  wait();  // would last until the agent is lost
  EXPECT_TRUE(round_.arrivals.empty());
  const itimerval no_more{};
  setitimer(ITIMER_REAL, &no_more, nullptr);
  sigaction(SIGALRM, &before, nullptr);
}

TEST_F(RealFleetTest, TheEndIsAnnouncedToEveryAgent) {
  start(2);
  fleet_->announce_end("run over");
  for (ScriptedAgent& agent : agents_) {
    EXPECT_EQ(agent.expect<wire::Shutdown>().reason, "run over");
  }
  agents_[0].send(wire::Goodbye{"over"});
  EXPECT_FALSE(fleet_->wait_for_goodbyes(200ms));
  agents_[1].send(wire::Goodbye{"over"});
  EXPECT_TRUE(fleet_->wait_for_goodbyes(10s));
}

TEST_F(RealFleetTest, AnAgentThatIsKnownToBeDeadIsLostAtOnce) {
  start(2);
  std::vector<AgentDeath> deaths = {{NodeId(1u), "ended by signal 9"}};
  fleet_->watch([&] { return std::exchange(deaths, {}); });
  wait();
  ASSERT_EQ(round_.arrivals.size(), 1u);
  EXPECT_EQ(std::get<NodeLost>(round_.arrivals[0]).node, NodeId(1u));
  EXPECT_EQ(fleet_->counters().agents_lost, 1u);
  EXPECT_THAT(warnings_, Contains(HasSubstr("ended by signal 9; its tasks are retried")));

  deaths = {{NodeId(0u), "ended with exit code 1"}};
  EXPECT_THAT([&] { wait(); }, ThrowsMessage<EnvironmentError>(HasSubstr("no agent is left")));
}

}  // namespace
}  // namespace tracebed::test
