// What a datanode does by order of the namenode, and of its administrator.
#include <deque>

#include "agents/datanode/transfer_client.h"
#include "client_datanode.pb.h"
#include "protocol/hdfs/namenode_method.h"
#include "protocol/hdfs/rpc_client.h"

namespace tracebed::test {
namespace {

class NamenodeOrders : public testing::Test {
 protected:
  NamenodeOrders() {
    for (std::uint32_t i = 0; i < 3; ++i) datanodes_.emplace_back(i);
  }
  std::vector<DatanodePeer> peers() const {
    std::vector<DatanodePeer> peers;
    for (const TestDatanode& datanode : datanodes_) peers.push_back(datanode.peer());
    return peers;
  }
  void store(TestDatanode& datanode, std::int64_t length) {
    datanode->store(1, {{block, stamp, static_cast<std::uint64_t>(length)}});
    ASSERT_TRUE(eventually([&] { return datanode.link.stored().size() == 1; }));
    EXPECT_EQ(datanode.link.stored().front().second, "");
  }
  // What a client has written when it dies.
  void write_partly(TestDatanode& datanode, std::size_t length) {
    TransferClient client(datanode.port());
    client.begin(write_operation());
    ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
    client.send_packet({.sequence_number = 0}, random_bytes(length));
    client.expect_acks(0);
  }
  void recover(std::vector<NodeId> nodes, std::uint32_t new_stamp = stamp + 5) {
    HeartbeatReply orders;
    orders.recoveries.push_back(
        {.block = {block, stamp, 0}, .new_generation_stamp = new_stamp, .nodes = nodes});
    datanodes_[0]->execute(orders, peers());
  }
  std::vector<CommitBlockSynchronization> commits() {
    return datanodes_[0].link.calls_of<CommitBlockSynchronization>();
  }

  std::deque<TestDatanode> datanodes_;
};

TEST_F(NamenodeOrders, StoreReplicasOnce) {
  store(datanodes_[0], 1'000);
  datanodes_[0]->store(2, {{block, stamp, 1'000}, {block + 1, stamp, 10}});
  datanodes_[0]->store(3, {{block, stamp, 999}});
  ASSERT_TRUE(eventually([&] { return datanodes_[0].link.stored().size() == 3; }));
  EXPECT_EQ(datanodes_[0].link.stored()[1].second, "");
  EXPECT_NE(datanodes_[0].link.stored()[2].second, "");
  EXPECT_EQ(datanodes_[0]->usage().used, 1'010);
}

TEST_F(NamenodeOrders, TransferAReplicaToAllTargets) {
  store(datanodes_[0], 300'000);
  HeartbeatReply orders;
  orders.transfers.push_back({{block, stamp, 300'000}, {NodeId(1u), NodeId(2u)}});
  datanodes_[0]->execute(orders, peers());
  for (std::size_t i = 1; i < 3; ++i) {
    ASSERT_TRUE(eventually([&] { return datanodes_[i].link.received(block) == 1; }));
    EXPECT_EQ(read_block(datanodes_[i], 300'000), generated_bytes(block, 300'000));
  }
}

TEST_F(NamenodeOrders, TransferAReplicaAlthoughTheSecondTargetIsGone) {
  store(datanodes_[0], 1'000);
  HeartbeatReply orders;
  orders.transfers.push_back({{block, stamp, 1'000}, {NodeId(1u), NodeId(2u)}});
  const std::vector<DatanodePeer> as_it_was = peers();
  datanodes_[2].stop();
  datanodes_[0]->execute(orders, as_it_was);
  EXPECT_TRUE(eventually([&] { return datanodes_[1].link.received(block) == 1; }));
}

TEST_F(NamenodeOrders, TransferNothingThatIsCorrupt) {
  store(datanodes_[0], 1'000'000);
  ASSERT_TRUE(datanodes_[0]->damage(block, 999'999, 1));
  HeartbeatReply orders;
  orders.transfers.push_back({{block, stamp, 1'000'000}, {NodeId(1u)}});
  datanodes_[0]->execute(orders, peers());
  EXPECT_TRUE(
      eventually([&] { return datanodes_[0].link.calls_of<ReportBadBlocks>().size() == 1; }));
  EXPECT_TRUE(eventually([&] { return datanodes_[1]->usage().transfers == 0; }));
  EXPECT_EQ(datanodes_[1].link.received(block), 0u);
  EXPECT_TRUE(eventually([&] { return datanodes_[1]->usage().used == 0; }));
}

TEST_F(NamenodeOrders, ReportAReplicaThatIsShorterThanTheNamenodeKnows) {
  store(datanodes_[0], 1'000);
  HeartbeatReply orders;
  orders.transfers.push_back({{block, stamp, 1'001}, {NodeId(1u)}});
  datanodes_[0]->execute(orders, peers());
  EXPECT_TRUE(
      eventually([&] { return datanodes_[0].link.calls_of<ReportBadBlocks>().size() == 1; }));
}

TEST_F(NamenodeOrders, DeleteReplicasAndReportIt) {
  store(datanodes_[0], 1'000);
  HeartbeatReply orders;
  orders.deletions = {{block, stamp - 1}, {block + 1, stamp}};
  datanodes_[0]->execute(orders, peers());
  orders.deletions = {{block, stamp}};
  datanodes_[0]->execute(orders, peers());
  ASSERT_TRUE(eventually([&] { return datanodes_[0].link.changes().size() == 1; }));
  EXPECT_TRUE(datanodes_[0].link.changes().front().is_deleted);
  EXPECT_TRUE(datanodes_[0]->replicas().empty());
  store(datanodes_[1], 10);
  datanodes_[1]->remove_unknown(std::vector{block});
  EXPECT_TRUE(eventually([&] { return datanodes_[1]->replicas().empty(); }));
}

TEST_F(NamenodeOrders, RecoverABlockToTheLengthThatAllHave) {
  write_partly(datanodes_[0], 3'000);
  write_partly(datanodes_[1], 2'000);
  write_partly(datanodes_[2], 2'500);
  recover({NodeId(0u), NodeId(1u), NodeId(2u)});
  ASSERT_TRUE(eventually([&] { return commits().size() == 1; }));
  const CommitBlockSynchronization commit = commits().front();
  EXPECT_EQ(commit.block.id, block);
  EXPECT_EQ(commit.new_generation_stamp, stamp + 5);
  EXPECT_EQ(commit.new_length, 2'000);
  EXPECT_TRUE(commit.closes_file);
  EXPECT_FALSE(commit.deletes_block);
  EXPECT_EQ(commit.nodes, (std::vector{NodeId(0u), NodeId(1u), NodeId(2u)}));
  for (TestDatanode& datanode : datanodes_) {
    EXPECT_EQ(read_block(datanode, 2'000), random_bytes(2'000));
    EXPECT_EQ(datanode->replicas(),
              (std::vector<ReportedReplica>{{block, stamp + 5, 2'000, ReportedState::finalized}}));
  }
}

TEST_F(NamenodeOrders, RecoverABlockWhoseWriterHangs) {
  TransferClient hung(datanodes_[1].port());
  hung.begin(write_operation());
  ASSERT_EQ(hung.reply().status(), pb::STATUS_SUCCESS);
  hung.send_packet({.sequence_number = 0}, random_bytes(700));
  hung.expect_acks(0);
  recover({NodeId(1u)});
  ASSERT_TRUE(eventually([&] { return commits().size() == 1; }));
  EXPECT_EQ(commits().front().new_length, 700);
  EXPECT_TRUE(hung.is_closed());
}

TEST_F(NamenodeOrders, RecoverABlockWithTheDatanodesThatAnswer) {
  write_partly(datanodes_[0], 3'000);
  write_partly(datanodes_[1], 2'000);
  const std::vector<DatanodePeer> as_it_was = peers();
  datanodes_[2].stop();
  HeartbeatReply orders;
  orders.recoveries.push_back({.block = {block, stamp, 0},
                               .new_generation_stamp = stamp + 5,
                               .nodes = {NodeId(0u), NodeId(1u), NodeId(2u)}});
  datanodes_[0]->execute(orders, as_it_was);
  ASSERT_TRUE(eventually([&] { return commits().size() == 1; }));
  EXPECT_EQ(commits().front().nodes, (std::vector{NodeId(0u), NodeId(1u)}));
}

TEST_F(NamenodeOrders, RecoverNothingOfABlockWithoutBytes) {
  TransferClient client(datanodes_[1].port());
  client.begin(write_operation());
  ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  recover({NodeId(1u), NodeId(2u)});
  ASSERT_TRUE(eventually([&] { return commits().size() == 1; }));
  EXPECT_TRUE(commits().front().deletes_block);
  EXPECT_TRUE(commits().front().nodes.empty());
}

TEST_F(NamenodeOrders, LeaveARecoveryToALaterOne) {
  write_partly(datanodes_[1], 1'000);
  recover({NodeId(1u)}, stamp + 9);
  ASSERT_TRUE(eventually([&] { return commits().size() == 1; }));
  recover({NodeId(1u)}, stamp + 5);
  recover({NodeId(1u)}, stamp + 10);
  ASSERT_TRUE(eventually([&] { return commits().size() == 2; }));
  EXPECT_EQ(commits().back().new_generation_stamp, stamp + 10);
}

TEST_F(NamenodeOrders, NameTheVisibleLengthOfABlockThatIsBeingWritten) {
  write_partly(datanodes_[0], 1'234);
  TransferClient client(datanodes_[0].port());
  hdfs::RpcCallKey key;
  key.call_id = 0;
  key.client_id.size = hdfs::RpcClientId::bytes_max;
  std::string bytes;
  hdfs::append_connection(bytes, "u", hdfs::client_datanode_protocol, key.client_id);
  pb::GetReplicaVisibleLengthRequest request;
  *request.mutable_block() = extended_block(block, stamp);
  hdfs::append_call(bytes, key, hdfs::get_replica_visible_length, hdfs::client_datanode_protocol,
                    request);
  client.send(bytes);
  const std::string frame = client.rpc_response();
  pb::GetReplicaVisibleLengthResponse response;
  ASSERT_TRUE(hdfs::parse_message(std::as_bytes(std::span(frame)), response));
  EXPECT_EQ(response.length(), 1'234u);
}

TEST_F(NamenodeOrders, SurviveARestart) {
  store(datanodes_[0], 1'000);
  write_block(datanodes_[0], random_bytes(100), block + 1);
  const std::vector<ReportedReplica> before = datanodes_[0]->replicas();
  datanodes_[0].restart();
  EXPECT_EQ(datanodes_[0]->replicas(), before);
}

TEST(ChosenReplicas, AreTheFinalizedOnesOrTheShortestOfTheBest) {
  const auto replica = [](std::size_t peer, ReplicaStage stage, std::uint64_t length) {
    return RecoverableReplica{peer, {.block_id = block, .length = length, .stage = stage}};
  };
  using enum ReplicaStage;
  const std::vector finalized_first = {replica(0, being_written, 10), replica(1, finalized, 20),
                                       replica(2, being_written, 20)};
  EXPECT_EQ(choose_replicas(finalized_first)->length, 20u);
  EXPECT_EQ(choose_replicas(finalized_first)->peers, (std::vector<std::size_t>{1, 2}));
  const std::vector written_first = {replica(0, waiting_to_be_recovered, 5),
                                     replica(1, being_written, 20), replica(2, being_written, 30)};
  EXPECT_EQ(choose_replicas(written_first)->length, 20u);
  EXPECT_EQ(choose_replicas(written_first)->peers, (std::vector<std::size_t>{1, 2}));
  const std::vector waiting = {replica(0, waiting_to_be_recovered, 5),
                               replica(1, waiting_to_be_recovered, 7)};
  EXPECT_EQ(choose_replicas(waiting)->length, 5u);
  const std::vector unequal = {replica(0, finalized, 5), replica(1, finalized, 7)};
  EXPECT_FALSE(choose_replicas(unequal));
}

}  // namespace
}  // namespace tracebed::test
