// What datanodes, clients and administrators ask of a run with storage, and what becomes of it.
#include <limits>
#include <thread>

#include "coordinator/real/real_datanodes_harness.h"

namespace tracebed::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(RealDatanodesTest, ACallOfADatanodeIsTheNamenodesToAnswerOnce) {
  start_with_datanodes(1);
  const wire::DatanodeCall call{1, ReportBadBlocks{{{{5, 1'001, 100}, {NodeId(0u)}}}}};
  datanodes_[0].send(call);
  const auto inputs = wait_for_inputs();
  ASSERT_THAT(inputs, SizeIs(1));
  const auto called = std::get<StorageCalled>(inputs[0]);
  EXPECT_EQ(called.call.caller.node, NodeId(0u));
  EXPECT_EQ(called.call.caller.user, "hdfs");
  EXPECT_EQ(called.call.operation, StorageOperation(std::get<ReportBadBlocks>(call.call)));
  // It registers again before the answer, and repeats the call.
  datanodes_[0].send_hello();
  datanodes_[0].send(call);
  wait_for_inputs();
  wait(fleet_->clock().now() + seconds(30));
  EXPECT_THAT(round_.storage, IsEmpty());
  datanodes_[0].expect<wire::DatanodeWelcome>();
  execute({AnswerStorageCall{called.ticket, StorageFailure{StorageFailureKind::io, "why"}}});
  EXPECT_EQ(datanodes_[0].expect<wire::DatanodeCallAnswer>(),
            (wire::DatanodeCallAnswer{1, StorageFailure{StorageFailureKind::io, "why"}}));
}

TEST_F(RealDatanodesTest, CallsOfClientsWakeTheRunAndAreAnswered) {
  start_with_datanodes(1);
  // A gate that is open: the namenode itself has no part in it.
  const Namenode namenode(NamenodeOptions{}, trace_time(0));
  gate_.open({&namenode, "run-1", [] { return trace_time(0); }, {}});
  std::optional<StorageReply> reply;
  gate_.call({{}, DeletePath{"/a", false}}, [&](const StorageReply& r) { reply = r; });
  const auto inputs = wait_for_inputs();
  ASSERT_THAT(inputs, SizeIs(1));
  execute({AnswerStorageCall{std::get<StorageCalled>(inputs[0]).ticket, Answer{true}}});
  EXPECT_EQ(reply, StorageReply(Answer{true}));
  // Readers are let in while the run waits, and find where the datanodes are.
  std::optional<DatanodePlace> place;
  std::thread reader([&] {
    gate_.read([&](const StorageGate::View& view) { place = *view.datanodes.find(NodeId(0u)); });
    agents_[0].send(heartbeat());
  });
  wait();
  reader.join();
  EXPECT_EQ(place, (DatanodePlace{"node-0", "127.0.1.1", 9'866, 9'864, "/default-rack"}));
  gate_.close("the test is over");
}

TEST_F(RealDatanodesTest, OutputsOfTasksAreWhereTheirAgentsShuffleServersListen) {
  start_with_datanodes(2);
  wire::Heartbeat with_server = heartbeat();
  with_server.shuffle_port = 13'562;
  agents_[1].send(with_server);
  wait();
  execute({MapOutputReady{JobId(3u), 1, 0, ContainerId(7u), NodeId(1u), 5}});
  const auto events = gate_.map_outputs().events_of(JobId(3u), 1, 0, 10).events;
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].server.port, 13'562);
  EXPECT_EQ(events[0].container, ContainerId(7u));
  EXPECT_EQ(gate_.map_outputs().server_at(events[0].server.address)->port, 13'562);
  // Each agent is told once that the job has ended.
  execute({RemoveMapOutputs{JobId(3u)}});
  EXPECT_THAT(gate_.map_outputs().events_of(JobId(3u), 1, 0, 10).events, IsEmpty());
  std::vector<JobId> ended;
  for (int i = 0; i < 2; ++i) {
    agents_[1].send(with_server);
    wait();
    execute({});
  }
  for (int i = 0; i < 3; ++i) {
    const auto jobs = agents_[1].expect<wire::HeartbeatAck>().ended_jobs;
    ended.insert(ended.end(), jobs.begin(), jobs.end());
  }
  EXPECT_THAT(ended, ElementsAre(JobId(3u)));
}

TEST_F(RealDatanodesTest, AnAdministratorsOrderIsDoneWhenTheDatanodeAnswers) {
  start_with_datanodes(2);
  std::vector<std::string> done;
  const auto note = [&](const Status& status) {
    done.push_back(status ? "done" : status.error().message);
  };
  orders_.order(NodeId(1u), CorruptReplica{5, 7, 1}, note);
  orders_.order(NodeId(9u), StopDatanode{}, note);
  wait(fleet_->clock().now() + seconds(6));
  EXPECT_THAT(done, ElementsAre("the run has no such datanode"));
  const auto order = datanodes_[1].expect<wire::AdministrationOrder>();
  EXPECT_EQ(order.what, DatanodeOrder(CorruptReplica{5, 7, 1}));
  // Another's answer does not count.
  datanodes_[0].send(wire::AdministrationAnswer{order.number, "forged"});
  datanodes_[1].send(wire::AdministrationAnswer{order.number, {}});
  wait(fleet_->clock().now() + seconds(30));
  EXPECT_THAT(done, ElementsAre(HasSubstr("no such datanode"), "done"));
  // Whether the next was executed is unknown when it registers again.
  orders_.order(NodeId(1u), CorruptReplica{5, 7, 1}, note);
  wait(fleet_->clock().now() + seconds(6));
  datanodes_[1].send_hello();
  wait_for_inputs();
  EXPECT_THAT(done.back(), HasSubstr("registered again before it answered"));
  fleet_->announce_end("the run is over");
  orders_.order(NodeId(1u), StopDatanode{}, note);
  EXPECT_EQ(done.back(), "no run with storage is in progress");
}

TEST_F(RealDatanodesTest, AtTheEndDatanodesLeaveWithTheirLastCounts) {
  start_with_datanodes(1);
  wire::TransferReport transfers;
  transfers.total.transfers = 7;
  transfers.total.bytes_read = {1, 2, 3};
  datanodes_[0].send(wire::DatanodeBeat{usage, transfers});
  wait_for_inputs();
  // Another process has begun to count.
  transfers.total.transfers = 2;
  fleet_->announce_end("the run is over");
  datanodes_[0].link().expect<wire::Shutdown>();
  EXPECT_FALSE(fleet_->wait_for_goodbyes(50ms));
  datanodes_[0].send(wire::DatanodeGoodbye{"the run is over", transfers});
  agents_[0].expect<wire::Shutdown>();
  agents_[0].send(wire::Goodbye{"the run is over"});
  EXPECT_TRUE(fleet_->wait_for_goodbyes(timeout));
  EXPECT_EQ(fleet_->datanodes()->transfers(NodeId(0u)).transfers, 9u);
  EXPECT_EQ(fleet_->datanodes()->transfers(NodeId(0u)).bytes_read[2], 6u);
}

// Whoever has a key can say anything.
TEST_F(RealDatanodesTest, NothingThatADatanodeSaysBreaksTheRun) {
  start_with_datanodes(2);
  ScriptedDatanode& hostile = datanodes_[0];
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  hostile.send(wire::StoreAnswer{most, "forged"});
  hostile.send(wire::AdministrationAnswer{most, "forged"});
  hostile.send(wire::DatanodeCall{
      most, CommitBlockSynchronization{{most, 1, 1}, 1, 1, true, true, {NodeId(4'000'000u)}}});
  hostile.send(wire::DatanodeBeat{{0, 0, 0, 0}, {}});
  for (std::uint64_t i = 1; i <= 2'000; ++i) {
    hostile.send(wire::DatanodeCall{i, ReportBadBlocks{}});
  }
  hostile.send(wire::DatanodeGoodbye{"bye", {}});
  hostile.send(wire::DatanodeBeat{usage, {}});
  // Of a session of another's.
  datanodes_[1].link().send_as(
      {"run-1", hostile.link().epoch(), hostile.link().session(), 1'000'000},
      wire::FromDatanode(wire::IncrementalReport{{{replica_5, true}}}));
  std::size_t calls = 0;
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (fleet_->datanodes()->is_connected(NodeId(0u)) &&
         std::chrono::steady_clock::now() < deadline) {
    wait(fleet_->clock().now() + seconds(6));
    for (const StorageInput& input : round_.storage) {
      if (std::holds_alternative<StorageCalled>(input)) ++calls;
      EXPECT_FALSE(std::holds_alternative<IncrementalBlockReport>(input));
    }
  }
  EXPECT_EQ(calls, 1'000u) << "those beyond the bound are answered with \"not now\"";
}

}  // namespace
}  // namespace tracebed::test
