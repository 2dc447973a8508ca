#include "coordinator/real/real_fleet.h"

#include <csignal>
#include <deque>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/real/scripted_agent.h"
#include "core/input_error.h"
#include "protocol/temporary_folder.h"

namespace tracebed {
namespace {

using namespace std::chrono_literals;
using test::ScriptedAgent;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr WallDuration patience = 10s;
const auto look_at_nothing = [] {};

wire::WallTime wall_now() {
  return std::chrono::system_clock::now();
}

wire::Heartbeat heartbeat(std::vector<wire::ContainerExit> exits = {}) {
  wire::Heartbeat heartbeat;
  heartbeat.wall_clock = wall_now();
  heartbeat.used_milli_vcores = 1'500;
  heartbeat.used_memory_mib = 700;
  heartbeat.exits = std::move(exits);
  return heartbeat;
}

wire::ContainerExit exit_of(std::uint32_t container, std::uint64_t sequence) {
  wire::ContainerExit exit;
  exit.sequence = sequence;
  exit.container = ContainerId(container);
  exit.started = exit.ended = wall_now();
  exit.cpu_time = 1ms;
  exit.memory_peak_bytes = (10 << 20) + 1;
  return exit;
}

LaunchContainer launch_on(std::uint32_t node, std::uint32_t container) {
  LaunchContainer launch;
  launch.container = ContainerId(container);
  launch.node = NodeId(node);
  launch.application = ApplicationId(3u);
  launch.task = TaskRef{1, 5};
  launch.attempt = 2;
  launch.limits = Resources(1'000, 256);
  launch.work.duration = seconds(60);
  launch.work.cpu_time = seconds(30);
  launch.work.memory_mib = 200;
  return launch;
}

class RealFleetTest : public ::testing::Test {
 protected:
  RealFleetTest() { options_.endpoint = "ipc://" + folder_.file("agents"); }

  // A fleet of `count` agents that have registered and whose nodes have joined.
  void start(std::size_t count) {
    open(count);
    for (std::size_t i = 0; i < count; ++i) add_agent(i).say_hello();
    fleet_->wait_for_agents(patience, look_at_nothing);
    for (ScriptedAgent& agent : agents_) agent.expect<wire::Welcome>();
    wait();
    ASSERT_EQ(round_.arrivals.size(), count);
  }
  void open(std::size_t count) {
    std::vector<Machine> machines(count);
    for (std::size_t i = 0; i < count; ++i) {
      machines[i].name = "node-" + std::to_string(i);
      machines[i].capacity = Resources(4'000, 4'096);
    }
    fleet_.emplace(options_, machines, [this](const std::string& m) { warnings_.push_back(m); });
  }
  ScriptedAgent& add_agent(std::size_t number) {
    ScriptedAgent& agent =
        agents_.emplace_back(fleet_->endpoint(), options_.run, "node-" + std::to_string(number));
    agent.start_sessions_at(1'000 * (number + 1));
    return agent;
  }

  // Waits until something arrives.
  void wait(TraceTime deadline = never) {
    round_.clear();
    fleet_->wait_until(deadline, round_);
  }
  // Waits for a heartbeat of the agent, dropping what else comes with it.
  void beat(std::size_t agent) {
    agents_[agent].send(heartbeat());
    wait();
  }
  void execute(const std::vector<Command>& commands) { fleet_->execute(commands, {}); }
  template <class Kind>
  std::vector<Kind> arrived() const {
    std::vector<Kind> list;
    for (const Arrival& arrival : round_.arrivals) {
      if (const auto* kind = std::get_if<Kind>(&arrival)) list.push_back(*kind);
    }
    return list;
  }

  test::TemporaryFolder folder_;
  RealFleetOptions options_{.run = "run-1", .epoch = 4, .time_scale = 60};
  std::vector<std::string> warnings_;
  std::optional<RealFleet> fleet_;
  std::deque<ScriptedAgent> agents_;
  Round round_;
};

TEST_F(RealFleetTest, TheFirstRoundReportsEveryRegisteredNodeAtTimeZero) {
  open(2);
  for (std::size_t i : {1u, 0u}) add_agent(i).say_hello();
  fleet_->wait_for_agents(patience, look_at_nothing);
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
  add_agent(0).say_hello();
  fleet_->wait_for_agents(patience, look_at_nothing);
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
  add_agent(1).say_hello();
  EXPECT_THAT([&] { fleet_->wait_for_agents(300ms, look_at_nothing); },
              ThrowsMessage<EnvironmentError>(
                  AllOf(HasSubstr("expected 3 agents"), HasSubstr("missing: node-0, node-2"))));
}

TEST_F(RealFleetTest, WhileAgentsAreAwaitedTheCallerIsAskedToLook) {
  open(1);
  EXPECT_THAT(
      [&] {
        fleet_->wait_for_agents(patience, [] { throw EnvironmentError("agent node-0 crashed"); });
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
      {"speaks version 9 of the protocol, the coordinator version 1", "run-1",
       [](wire::Hello& h) { h.protocol_version = 9; }},
      {"was started for run other, this is run run-1", "other", [](wire::Hello&) {}},
      {"no machine of this run has its name", "run-1", [](wire::Hello& h) { h.agent = "x"; }},
      {"states a capacity of 1 in resource 1, the experiment 4096", "run-1",
       [](wire::Hello& h) { h.capacity[1] = 1; }},
  };
  open(1);
  for (const Case& c : cases) {
    ScriptedAgent agent(fleet_->endpoint(), c.run, "node-0");
    wire::Hello hello = agent.hello();
    c.change(hello);
    agent.say_hello(hello);
    EXPECT_THAT([&] { fleet_->wait_for_agents(patience, look_at_nothing); },
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
  EXPECT_EQ(launch.duration, 1s);
  EXPECT_EQ(launch.cpu_time, 500ms);
  EXPECT_EQ(launch.memory_mib, 200);
  EXPECT_EQ(launch.time_limit, 0s);
  EXPECT_EQ(agents_[1].last_received().sequence, 2u);
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
           KillContainer{ContainerId(1u), NodeId(0u)}, launch_on(0, 2)});
  EXPECT_TRUE(agents_[0].expect<wire::LaunchBatch>().launches[0].is_held);
  EXPECT_EQ(agents_[0].expect<wire::ContinueBatch>().containers[0], ContainerId(1u));
  EXPECT_EQ(agents_[0].expect<wire::KillBatch>().containers[0], ContainerId(1u));
  EXPECT_EQ(agents_[0].expect<wire::LaunchBatch>().launches[0].container, ContainerId(2u));
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
  agents_[0].send(heartbeat({exit}));
  const TraceTime before = fleet_->clock().now();
  wait();
  ASSERT_EQ(round_.arrivals.size(), 2u);
  const auto& ended = std::get<ContainerEnded>(round_.arrivals[0]);
  EXPECT_EQ(ended.container, ContainerId(8u));
  EXPECT_EQ(ended.node, NodeId(0u));
  EXPECT_EQ(ended.end, ContainerEnd::out_of_memory);
  EXPECT_LE(ended.account.started, ended.account.ended);
  EXPECT_LE(ended.account.ended, round_.now);
  EXPECT_LE(ended.account.ended, before + milliseconds(60));  // stamped a moment before
  EXPECT_EQ(ended.account.cpu_time, seconds(120));
  EXPECT_EQ(ended.account.memory_peak_mib, 11);
  EXPECT_EQ(ended.account.bytes_read, 11);
  EXPECT_EQ(ended.account.bytes_written, 12);
  EXPECT_EQ(ended.account.signal, 9);
  const auto& beat = std::get<NodeHeartbeat>(round_.arrivals[1]);
  EXPECT_EQ(beat.used, Resources(1'500, 700));
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

// An exit is forgotten by its agent once acknowledged, so the acknowledgement waits until the round
// is in the log: execute() comes after the commit.
TEST_F(RealFleetTest, AnExitIsAcknowledgedOnlyAfterItsRound) {
  start(1);
  execute({launch_on(0, 8)});
  agents_[0].expect<wire::LaunchBatch>();
  agents_[0].send(heartbeat({exit_of(8, 17)}));
  wait();
  execute({launch_on(0, 9)});
  // Had it been sent on receipt, it would stand before the launch.
  agents_[0].expect<wire::LaunchBatch>();
  const auto ack = agents_[0].expect<wire::HeartbeatAck>();
  EXPECT_EQ(ack.exits_up_to, 17u);
  EXPECT_EQ(ack.heartbeat, agents_[0].sequence());
}

TEST_F(RealFleetTest, ARepeatedHeartbeatChangesNothing) {
  start(1);
  execute({launch_on(0, 8)});
  const wire::Heartbeat first = heartbeat({exit_of(8, 1)});
  agents_[0].send(first);
  agents_[0].send_as({"run-1", 4, agents_[0].session(), agents_[0].sequence()}, first);
  // The same exit again under a new sequence, as an agent does that got no acknowledgement.
  agents_[0].send(first);
  std::size_t ends = 0;
  std::size_t beats = 0;
  while (beats < 2) {
    wait();
    ends += arrived<ContainerEnded>().size();
    beats += arrived<NodeHeartbeat>().size();
  }
  EXPECT_EQ(ends, 1u);
  EXPECT_EQ(beats, 2u);
  EXPECT_EQ(fleet_->counters().repeats, 2u);
}

TEST_F(RealFleetTest, GarbageAndOversizedMessagesAreCountedLoggedOnceAndDropped) {
  start(1);
  warnings_.clear();
  agents_[0].send_bytes({});
  const std::string noise = "GET / HTTP/1.1";
  agents_[0].send_bytes(std::as_bytes(std::span(noise)));
  const std::vector<std::byte> large(wire::message_bytes_max + 1);
  agents_[0].send_bytes(large);
  agents_[0].send_parts("one", "two");
  agents_[0].send(heartbeat());
  while (arrived<NodeHeartbeat>().empty()) wait();
  EXPECT_EQ(round_.arrivals.size(), 1u);
  EXPECT_EQ(fleet_->counters().garbage, 4u);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], HasSubstr("further ones are only counted"));
}

TEST_F(RealFleetTest, MessagesOfAnotherRunEpochOrSessionAreDropped) {
  start(1);
  const std::uint64_t session = agents_[0].session();
  agents_[0].send_as({"run-2", 4, session, 50}, heartbeat());
  agents_[0].send_as({"run-1", 3, session, 50}, heartbeat());
  agents_[0].send_as({"run-1", 4, session + 1, 50}, heartbeat());
  agents_[0].send_as({"run-1", 4, session, 50}, wire::Shutdown{"not an agent's to say"});
  agents_[0].send_as({"run-1", 4, session, 51}, heartbeat());
  wait();
  EXPECT_EQ(round_.arrivals.size(), 1u);
  EXPECT_EQ(fleet_->counters().misplaced, 4u);
}

TEST_F(RealFleetTest, ARepeatedHelloIsWelcomedAgainAndChangesNothing) {
  start(1);
  execute({launch_on(0, 8)});
  agents_[0].expect<wire::LaunchBatch>();
  agents_[0].send_as({"run-1", 0, agents_[0].session(), 1}, agents_[0].hello());
  agents_[0].send(heartbeat({exit_of(8, 1)}));
  wait();
  EXPECT_EQ(round_.arrivals.size(), 2u);  // the container was not given up
  agents_[0].expect<wire::Welcome>();
}

TEST_F(RealFleetTest, AfterANewHelloBothSidesAgreeOnWhatRuns) {
  start(1);
  execute({launch_on(0, 1), launch_on(0, 2), launch_on(0, 3), launch_on(0, 4), launch_on(0, 5)});
  execute(
      {KillContainer{ContainerId(4u), NodeId(0u)}, ContinueContainer{ContainerId(5u), NodeId(0u)}});
  agents_[0].expect<wire::LaunchBatch>();
  agents_[0].expect<wire::KillBatch>();
  agents_[0].expect<wire::ContinueBatch>();
  wire::Hello hello = agents_[0].hello();
  // 1 ended, 2 never came, 3 to 5 run, and so does 77, which nobody ordered.
  hello.exits = {exit_of(1, 1)};
  hello.running = {ContainerId(3u), ContainerId(4u), ContainerId(5u), ContainerId(77u)};
  agents_[0].say_hello(hello);
  wait();
  const auto ended = arrived<ContainerEnded>();
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(ended[0].container, ContainerId(1u));
  EXPECT_EQ(ended[0].end, ContainerEnd::succeeded);
  EXPECT_EQ(ended[1].container, ContainerId(2u));
  EXPECT_EQ(ended[1].end, ContainerEnd::launch_failed);
  EXPECT_EQ(round_.arrivals.size(), 2u);  // the node was alive all the time
  EXPECT_EQ(fleet_->counters().launches_lost, 1u);
  EXPECT_EQ(fleet_->counters().strays_killed, 1u);
  agents_[0].expect<wire::Welcome>();
  EXPECT_EQ(agents_[0].expect<wire::ContinueBatch>().containers, std::vector{ContainerId(5u)});
  EXPECT_EQ(agents_[0].expect<wire::KillBatch>().containers,
            (std::vector{ContainerId(4u), ContainerId(77u)}));
}

TEST_F(RealFleetTest, ASilentAgentIsLostAndOneThatComesBackJoinsAgainWithoutItsOldContainers) {
  options_.silence_max = 100ms;
  start(1);
  execute({launch_on(0, 8)});
  agents_[0].expect<wire::LaunchBatch>();
  wait();
  ASSERT_EQ(arrived<NodeLost>().size(), 1u);
  EXPECT_EQ(fleet_->counters().agents_lost, 1u);
  EXPECT_THAT(warnings_.back(), HasSubstr("agent node-0 is lost"));
  // Its old session is over.
  agents_[0].send(heartbeat({exit_of(8, 1)}));
  wire::Hello hello = agents_[0].hello();
  hello.running = {ContainerId(8u)};
  agents_[0].say_hello(hello);
  wait();
  ASSERT_EQ(round_.arrivals.size(), 1u);
  EXPECT_EQ(arrived<NodeJoined>().size(), 1u);
  EXPECT_EQ(round_.machines.size(), 1u);
  EXPECT_EQ(fleet_->counters().agents_returned, 1u);
  agents_[0].expect<wire::Welcome>();
  EXPECT_EQ(agents_[0].expect<wire::KillBatch>().containers, std::vector{ContainerId(8u)});
}

TEST_F(RealFleetTest, AnAgentThatSaysGoodbyeIsLostAtOnce) {
  start(2);
  agents_[1].send(wire::Goodbye{"told to stop"});
  wait();
  const auto lost = arrived<NodeLost>();
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].node, NodeId(1u));
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
  const itimerval soon{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = 50'000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  wait();  // would last until the agent is lost, ten seconds
  EXPECT_TRUE(round_.arrivals.empty());
  EXPECT_LT(fleet_->clock().now(), trace_time(5 * 60 * 1'000'000));
  sigaction(SIGALRM, &before, nullptr);
}

TEST_F(RealFleetTest, TheEndIsAnnouncedToEveryAgent) {
  start(2);
  fleet_->announce_end("run over");
  for (ScriptedAgent& agent : agents_) {
    EXPECT_EQ(agent.expect<wire::Shutdown>().reason, "run over");
  }
}

TEST(RouterSocket, OnlyEndpointsOfThisMachineAreTaken) {
  for (const char* endpoint : {"tcp://0.0.0.0:5555", "tcp://*:5555", "tcp://10.0.0.1:1", "x"}) {
    EXPECT_THAT([&] { RouterSocket socket(endpoint); },
                ThrowsMessage<InputError>(HasSubstr(endpoint)));
  }
}

TEST(RouterSocket, APortThatIsTakenIsNamed) {
  RouterSocket first("tcp://127.0.0.1:*");
  EXPECT_THAT(first.endpoint(), ::testing::MatchesRegex("tcp://127.0.0.1:[0-9]+"));
  EXPECT_THAT([&] { RouterSocket second(first.endpoint()); },
              ThrowsMessage<EnvironmentError>(HasSubstr("cannot listen on " + first.endpoint())));
}

TEST(ReplayClock, RunsAtItsScaleFromItsStart) {
  ReplayClock clock(60);
  EXPECT_EQ(clock.now(), trace_time(0));
  const auto before = std::chrono::steady_clock::now();
  clock.start();
  const auto after = std::chrono::steady_clock::now();
  EXPECT_GE(clock.at(after + 2s), trace_time(120'000'000));
  EXPECT_LE(clock.at(before + 2s), trace_time(120'000'000));
  EXPECT_EQ(clock.at(before - 2s), trace_time(0));
  EXPECT_EQ(clock.to_wall(seconds(60)), 1s);
  EXPECT_EQ(clock.to_trace(500ms), seconds(30));
  EXPECT_EQ(clock.moment_of(never), WallMoment::max());
  const TraceTime later = trace_time(7'000'001);
  EXPECT_GE(clock.at(clock.moment_of(later)), later - microseconds(1));
}

}  // namespace
}  // namespace tracebed
