// How the namenode keeps replicas: transfers with HDFS' throttles, excess and corrupt replicas.
#include "coordinator/storage/block_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/storage/stored_cluster.h"

namespace tracebed {
namespace {

using test::StoredCluster;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(BlockManagers, LeaveABlockAloneThatHasItsReplication) {
  StoredCluster cluster({2, 2});
  cluster.block({0, 2, 3});
  EXPECT_EQ(cluster.manager_.queues().size(), 0u);
  EXPECT_THAT(cluster.plan(), IsEmpty());
}

TEST(BlockManagers, TransferAReplicaOfALostDatanodeOnce) {
  StoredCluster cluster({3, 3});
  const BlockIndex block = cluster.block({0, 3, 4});
  cluster.stop(NodeId(4u));
  EXPECT_EQ(cluster.manager_.queues().priority_of(block), RedundancyPriority::low);
  const auto transfers = cluster.plan();
  ASSERT_THAT(transfers, SizeIs(1));
  EXPECT_THAT(transfers[0].targets, SizeIs(1));
  EXPECT_EQ(cluster.manager_.queues().size(), 0u) << "it is on its way";
  EXPECT_THAT(cluster.plan(), IsEmpty());
  cluster.finish(transfers[0]);
  EXPECT_EQ(cluster.manager_.counts(block).live, 3u);
  EXPECT_EQ(cluster.manager_.pending_transfers(), 0u);
}

TEST(BlockManagers, TryATransferAgainThatDoesNotCome) {
  StoredCluster cluster({3, 3});
  const BlockIndex block = cluster.block({0, 3, 4});
  cluster.stop(NodeId(4u));
  ASSERT_THAT(cluster.plan(), SizeIs(1));
  cluster.set_time(300);
  EXPECT_THAT(cluster.plan(), IsEmpty());
  cluster.set_time(301);
  const auto again = cluster.plan();
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(again[0].block, block);
}

TEST(BlockManagers, TryATransferAgainWhoseTargetDies) {
  StoredCluster cluster({3, 3});
  cluster.block({0, 3, 4});
  cluster.stop(NodeId(4u));
  const auto transfers = cluster.plan();
  ASSERT_THAT(transfers, SizeIs(1));
  cluster.stop(transfers[0].targets[0]);
  EXPECT_THAT(cluster.plan(), SizeIs(1));
}

TEST(BlockManagers, HoldHdfsThrottles) {
  StoredCluster cluster({8, 8});
  for (int i = 0; i < 100; ++i) cluster.block({0, 8}, 3);
  std::map<NodeId, int> streams;
  std::size_t all = 0;
  for (int pass = 0; pass < 20; ++pass) {
    for (const TransferReplica& transfer : cluster.plan()) {
      ++streams[transfer.source];
      ++all;
    }
  }
  EXPECT_EQ(streams, (std::map<NodeId, int>{{NodeId(0u), 2}, {NodeId(8u), 2}}));
  // Those with a single replica may have twice as many.
  for (int i = 0; i < 100; ++i) cluster.block({0}, 3);
  for (int pass = 0; pass < 20; ++pass) {
    for (const TransferReplica& transfer : cluster.plan()) ++streams[transfer.source];
  }
  EXPECT_EQ(streams, (std::map<NodeId, int>{{NodeId(0u), 4}, {NodeId(8u), 2}}));
}

TEST(BlockManagers, WorkOnTwiceAsManyBlocksAsThereAreLiveDatanodesInAPass) {
  StoredCluster cluster({5, 5}, {.streams_max = 1'000, .streams_hard_max = 1'000});
  for (int i = 0; i < 100; ++i) cluster.block({0, 5}, 3);
  EXPECT_THAT(cluster.plan(), SizeIs(20));
  cluster.stop(NodeId(9u));
  EXPECT_THAT(cluster.plan(), SizeIs(18));
}

TEST(BlockManagers, BringABlockToASecondRackAlthoughItHasEnoughReplicas) {
  StoredCluster cluster({3, 3});
  const BlockIndex block = cluster.block({0, 1, 2});
  EXPECT_EQ(cluster.manager_.queues().priority_of(block), RedundancyPriority::badly_distributed);
  const auto transfers = cluster.plan();
  ASSERT_THAT(transfers, SizeIs(1));
  EXPECT_EQ(cluster.topology_.rack_of(transfers[0].targets[0]), RackId(1u));
  cluster.finish(transfers[0]);
  EXPECT_EQ(cluster.manager_.counts(block), (ReplicaCounts{.live = 3, .excess = 1}));
  EXPECT_EQ(cluster.manager_.queues().size(), 0u);
}

TEST(BlockManagers, DeleteExcessReplicasAndKeepTwoRacks) {
  StoredCluster cluster({3, 3});
  for (unsigned i = 0; i < 6; ++i) cluster.beat(NodeId(i), 1'000 - i);
  const BlockIndex block = cluster.block({0, 1, 2, 3});
  EXPECT_EQ(cluster.manager_.counts(block), (ReplicaCounts{.live = 3, .excess = 1}));
  EXPECT_THAT(cluster.delete_on(NodeId(2u)), ElementsAre(block))
      << "of the rack that has several, on the fullest datanode";
  EXPECT_THAT(cluster.delete_on(NodeId(2u)), IsEmpty());
  EXPECT_EQ(cluster.manager_.counts(block), (ReplicaCounts{.live = 3}));
}

TEST(BlockManagers, DeleteExcessReplicasOfSilentDatanodesFirst) {
  StoredCluster cluster({4});
  cluster.set_time(20);
  for (const unsigned node : {0u, 1u, 3u}) cluster.beat(NodeId(node), node == 0 ? 1 : 1'000);
  const BlockIndex block = cluster.block({0, 1, 2, 3});
  EXPECT_THAT(cluster.delete_on(NodeId(2u)), ElementsAre(block)) << "silent for more than 12 s";
}

TEST(BlockManagers, ReplaceACorruptReplicaBeforeItIsDeleted) {
  StoredCluster cluster({3, 3});
  const BlockIndex block = cluster.block({0, 3, 4});
  cluster.manager_.replica_corrupt(block, NodeId(0u), cluster.now_);
  EXPECT_EQ(cluster.manager_.counts(block), (ReplicaCounts{.live = 2, .corrupt = 1}));
  EXPECT_EQ(cluster.manager_.deletions(), 0u);
  const auto transfers = cluster.plan();
  ASSERT_THAT(transfers, SizeIs(1));
  EXPECT_NE(transfers[0].source, NodeId(0u));
  EXPECT_NE(transfers[0].targets[0], NodeId(0u)) << "it has the wrong one still";
  cluster.finish(transfers[0]);
  EXPECT_THAT(cluster.delete_on(NodeId(0u)), ElementsAre(block));
  EXPECT_EQ(cluster.manager_.counts(block), (ReplicaCounts{.live = 3}));
}

TEST(BlockManagers, KeepCorruptReplicasWhereThereIsNoGoodOne) {
  StoredCluster cluster({3, 3});
  const BlockIndex block = cluster.block({0, 3});
  for (const unsigned node : {0u, 3u}) {
    cluster.manager_.replica_corrupt(block, NodeId(node), cluster.now_);
  }
  EXPECT_EQ(cluster.manager_.queues().priority_of(block), RedundancyPriority::corrupt);
  EXPECT_THAT(cluster.plan(), IsEmpty());
  EXPECT_EQ(cluster.manager_.deletions(), 0u);
}

TEST(BlockManagers, MoveReplicasOfADatanodeThatLeavesService) {
  StoredCluster cluster({3, 3});
  const BlockIndex block = cluster.block({0, 3, 4});
  cluster.datanodes_.set_admin_state(NodeId(4u), AdminState::decommission_in_progress);
  cluster.manager_.datanode_changed(NodeId(4u), cluster.now_);
  EXPECT_EQ(cluster.manager_.counts(block), (ReplicaCounts{.live = 2, .decommissioning = 1}));
  const auto transfers = cluster.plan();
  ASSERT_THAT(transfers, SizeIs(1));
  cluster.finish(transfers[0]);
  EXPECT_EQ(cluster.manager_.counts(block), (ReplicaCounts{.live = 3, .decommissioning = 1}));
  cluster.datanodes_.set_admin_state(NodeId(4u), AdminState::normal);
  cluster.manager_.datanode_changed(NodeId(4u), cluster.now_);
  EXPECT_EQ(cluster.manager_.counts(block), (ReplicaCounts{.live = 3, .excess = 1}));
}

TEST(BlockManagers, DeleteAllReplicasOfAReleasedBlock) {
  StoredCluster cluster({3, 3});
  const BlockIndex block = cluster.block({0, 3, 4});
  cluster.manager_.release(block);
  for (const unsigned node : {0u, 3u, 4u}) {
    EXPECT_THAT(cluster.delete_on(NodeId(node)), ElementsAre(block));
  }
  cluster.manager_.replica_stored(block, NodeId(1u), cluster.now_);
  EXPECT_THAT(cluster.delete_on(NodeId(1u)), ElementsAre(block)) << "one that comes late";
  EXPECT_THAT(cluster.plan(), IsEmpty());
}

TEST(BlockManagers, BoundWhatADatanodeDeletesAtATime) {
  StoredCluster cluster({2}, {.deletions_max = 3});
  for (int i = 0; i < 7; ++i) cluster.manager_.release(cluster.block({0}, 1));
  std::vector<std::size_t> sizes;
  for (int i = 0; i < 4; ++i) sizes.push_back(cluster.delete_on(NodeId(0u)).size());
  EXPECT_THAT(sizes, ElementsAre(3, 3, 1, 0));
}

TEST(BlockManagers, FollowAFileThatWantsFewerOrMoreReplicas) {
  StoredCluster cluster({3, 3});
  const BlockIndex block = cluster.block({0, 3, 4});
  cluster.manager_.expect(block, 2, cluster.now_);
  EXPECT_EQ(cluster.manager_.counts(block), (ReplicaCounts{.live = 2, .excess = 1}));
  cluster.manager_.expect(block, 4, cluster.now_);
  const auto transfers = cluster.plan();
  ASSERT_THAT(transfers, SizeIs(1));
  EXPECT_THAT(transfers[0].targets, SizeIs(2));
}

}  // namespace
}  // namespace tracebed
