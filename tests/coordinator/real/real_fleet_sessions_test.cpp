// What repeats, losses, strangers and returning agents do to a RealFleet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "coordinator/real/real_fleet_harness.h"
#include "core/input_error.h"

namespace tracebed::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

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
  execute({KillContainer{ContainerId(4u), NodeId(0u)},
           ContinueContainer{ContainerId(5u), NodeId(0u)},
           CheckpointContainer{ContainerId(3u), NodeId(0u)},
           CheckpointContainer{ContainerId(4u), NodeId(0u)},
           CheckpointContainer{ContainerId(5u), NodeId(0u)}});
  agents_[0].expect<wire::LaunchBatch>();
  agents_[0].expect<wire::KillBatch>();
  agents_[0].expect<wire::ContinueBatch>();
  agents_[0].expect<wire::CheckpointBatch>();
  wire::Hello hello = agents_[0].hello();
  // 1 ended, 2 never came, 3 to 5 run, and so does 77, which nobody ordered.
  hello.exits = {exit_of(1, 1)};
  hello.running = {ContainerId(3u), ContainerId(4u), ContainerId(5u), ContainerId(77u)};
  agents_[0].send_hello(hello);
  wait();
  const auto ended = arrived<ContainerEnded>();
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(ended[0].container, ContainerId(1u));
  EXPECT_EQ(ended[0].end, ContainerEnd::succeeded);
  EXPECT_EQ(ended[1].container, ContainerId(2u));
  EXPECT_EQ(ended[1].end, ContainerEnd::node_lost);
  EXPECT_EQ(round_.arrivals.size(), 2u);  // the node was alive all the time
  EXPECT_EQ(fleet_->counters().launches_lost, 1u);
  EXPECT_EQ(fleet_->counters().strays_killed, 1u);
  agents_[0].expect<wire::Welcome>();
  EXPECT_EQ(agents_[0].expect<wire::ContinueBatch>().containers, std::vector{ContainerId(5u)});
  EXPECT_EQ(agents_[0].expect<wire::KillBatch>().containers,
            (std::vector{ContainerId(4u), ContainerId(77u)}));
  EXPECT_EQ(agents_[0].expect<wire::CheckpointBatch>().containers,
            (std::vector{ContainerId(3u), ContainerId(5u)}))
      << "what is killed keeps nothing";
}

TEST_F(RealFleetTest, ASilentAgentIsLostAndOneThatComesBackJoinsAgainWithoutItsOldContainers) {
  options_.silence_max = 2s;
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
  agents_[0].send_hello(hello);
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

// Nothing could be heard while nobody listened, as after SIGSTOP.
TEST_F(RealFleetTest, ItsOwnPauseIsNotItsAgentsSilence) {
  options_.silence_max = 2s;
  start(1);
  std::this_thread::sleep_for(options_.silence_max + 100ms);
  wait(fleet_->clock().now());
  EXPECT_THAT(arrived<NodeLost>(), IsEmpty());
  EXPECT_THAT(warnings_.back(), HasSubstr("read no messages for"));
  wait();  // but silence it is when it goes on
  EXPECT_EQ(arrived<NodeLost>().size(), 1u);
}

TEST_F(RealFleetTest, BeginsWithAsManyAsAreNeededAndNamesWhoIsMissing) {
  open(3);
  add_agent(0).send_hello();
  add_agent(1).send_hello();
  wire::Hello hello = add_agent(2).hello();
  hello.has_launcher = false;
  agents_[2].send_hello(hello);
  EXPECT_THAT([&] { fleet_->wait_for_agents(500ms, look_at_nothing); },
              ThrowsMessage<EnvironmentError>(HasSubstr("node-2 (has no launcher)")));
  fleet_->wait_for_agents(500ms, look_at_nothing, 2);
  EXPECT_THAT(warnings_.back(), HasSubstr("begins with 2 of 3 agents; missing: node-2 (has no"));
  wait();
  EXPECT_EQ(arrived<NodeJoined>().size(), 2u);
  agents_[2].send_hello();
  wait();
  EXPECT_EQ(arrived<NodeJoined>().size(), 1u);
}

TEST_F(RealFleetTest, AnAgentThatLosesItsLauncherIsLostUntilItHasOneAgain) {
  start(1);
  wire::Hello hello = agents_[0].hello();
  hello.has_launcher = false;
  agents_[0].send_hello(hello);
  wait();
  EXPECT_EQ(arrived<NodeLost>().size(), 1u);
  EXPECT_EQ(warnings_.back(), "agent node-0 has no launcher");
  agents_[0].send_hello();
  wait();
  EXPECT_EQ(arrived<NodeJoined>().size(), 1u);
}

}  // namespace
}  // namespace tracebed::test
