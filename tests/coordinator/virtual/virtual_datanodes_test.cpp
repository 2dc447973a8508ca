// Modelled datanodes under a real namenode: machines and racks that fail and return, transfers that
// share rates, heartbeats that are left out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/virtual/served_datanodes.h"
#include "support/at_seconds.h"

namespace tracebed {
namespace {

using test::ServedDatanodes;
using testing::Contains;
using testing::Each;
using testing::Not;
using testing::SizeIs;

constexpr std::int64_t mebi = std::int64_t{1} << 20;

NamenodeOptions namenode_options() {
  NamenodeOptions options;
  options.safe_mode.at_start = false;
  return options;
}

VirtualDatanodeOptions datanode_options() {
  VirtualDatanodeOptions options;
  options.datanodes.disk_rate = 100 * mebi;
  options.datanodes.network_rate = std::nullopt;
  options.datanodes.seek = milliseconds(10);
  return options;
}

PreloadedFile file_of(std::int64_t blocks) {
  PreloadedFile file;
  file.path = "/data/file";
  file.block_size = 64 * mebi;
  file.size = blocks * file.block_size;
  file.user = "hdfs";
  return file;
}

constexpr TraceTime minutes_after(int minutes) {
  return TraceTime(std::chrono::minutes(minutes));
}

// As when a writer's machine fails between the end of a block and the next call.
class RecoveredBlock : public testing::Test {
 protected:
  RecoveredBlock() {
    const auto created = std::get<FileStatus>(
        cluster_.call(CreateFile{.path = "/f", .replication = 3, .block_size = 64 * mebi}));
    file_ = {"/f", created.file_id};
    block_ = std::get<LocatedBlock>(cluster_.call(AddBlock{file_, {}, {}, false}));
    block_.block.length = 5 * mebi;
  }
  bool is_open() const {
    const NamenodeState& state = cluster_.namenode().state();
    return state.tree.inode(**state.tree.find("/f")).file.is_under_construction();
  }

  ServedDatanodes cluster_{{3, 3}, namenode_options(), datanode_options()};
  OpenFileName file_;
  LocatedBlock block_;
};

TEST_F(RecoveredBlock, HasTheReplicasThatAreWhole) {
  cluster_.store(block_.nodes[0], block_.block);
  cluster_.store(block_.nodes[2], block_.block);
  cluster_.run_until(minutes_after(19));
  EXPECT_TRUE(is_open());
  cluster_.run_until(minutes_after(25));
  EXPECT_FALSE(is_open()) << "the hard limit of leases is 20 minutes";
  EXPECT_THAT(cluster_.places("/f"), testing::ElementsAre(SizeIs(3)));
  EXPECT_TRUE(cluster_.has_what_is_recorded("/f"));
}

TEST_F(RecoveredBlock, HasTheReplicasOfTheMachinesThatAreUp) {
  for (const NodeId node : block_.nodes) cluster_.store(node, block_.block);
  cluster_.run_until(minutes_after(19));
  for (const NodeId node : {block_.nodes[0], block_.nodes[1]}) cluster_.stop(node);
  cluster_.run_until(minutes_after(60));
  EXPECT_FALSE(is_open());
  EXPECT_THAT(cluster_.places("/f"), testing::ElementsAre(SizeIs(3)));
  EXPECT_TRUE(cluster_.has_what_is_recorded("/f"));
}

TEST(VirtualDatanodes, ReplaceTheReplicasOfAMachineThatFails) {
  ServedDatanodes cluster({4, 4}, namenode_options(), datanode_options());
  cluster.preload(file_of(40));
  cluster.run_until(at_seconds(100));
  cluster.stop(NodeId(1u));
  cluster.run_until(minutes_after(12));
  EXPECT_TRUE(cluster.namenode().state().datanodes.find(NodeId(1u))->is_alive)
      << "silent for less than 630 s";
  cluster.run_until(minutes_after(30));
  EXPECT_FALSE(cluster.namenode().state().datanodes.find(NodeId(1u))->is_alive);
  EXPECT_THAT(cluster.places("/data/file"), Each(SizeIs(3)));
  EXPECT_THAT(cluster.places("/data/file"), Each(Not(Contains(NodeId(1u)))));
  EXPECT_TRUE(cluster.has_what_is_recorded("/data/file"));
  EXPECT_GT(cluster.datanodes().counters().transfers, 0u);
}

TEST(VirtualDatanodes, DeleteWhatIsTooMuchWhenAMachineReturns) {
  ServedDatanodes cluster({4, 4}, namenode_options(), datanode_options());
  cluster.preload(file_of(40));
  cluster.stop(NodeId(1u));
  cluster.run_until(minutes_after(30));
  cluster.start(NodeId(1u));
  cluster.run_until(minutes_after(40));
  EXPECT_THAT(cluster.places("/data/file"), Each(SizeIs(3)));
  EXPECT_TRUE(cluster.has_what_is_recorded("/data/file"));
  const VirtualDatanodeCounters& counters = cluster.datanodes().counters();
  EXPECT_GT(counters.deletions, 0u);
  EXPECT_EQ(counters.deletions, counters.transfers);
  std::size_t replicas = 0;
  for (std::size_t i = 0; i < 8; ++i)
    replicas += cluster.datanodes().replicas(NodeId(i)).all().size();
  EXPECT_EQ(replicas, 120u);
}

TEST(VirtualDatanodes, KeepEveryBlockWhenARackFails) {
  ServedDatanodes cluster({3, 3, 3}, namenode_options(), datanode_options());
  cluster.preload(file_of(30));
  for (const unsigned node : {0u, 1u, 2u}) cluster.stop(NodeId(node));
  cluster.run_until(minutes_after(30));
  EXPECT_THAT(cluster.places("/data/file"), Each(SizeIs(3)));
  EXPECT_EQ(statistics(cluster.namenode().state()).missing, 0u);
  EXPECT_EQ(statistics(cluster.namenode().state()).under_replicated, 0u);
}

TEST(VirtualDatanodes, StayUnderReplicatedWhereThereAreFewerThanReplicas) {
  ServedDatanodes cluster({2}, namenode_options(), datanode_options());
  cluster.preload(file_of(5));
  cluster.run_until(minutes_after(30));
  EXPECT_THAT(cluster.places("/data/file"), Each(SizeIs(2)));
  EXPECT_EQ(statistics(cluster.namenode().state()).under_replicated, 5u);
  cluster.stop(NodeId(0u));
  cluster.run_until(minutes_after(60));
  EXPECT_THAT(cluster.places("/data/file"), Each(SizeIs(1)));
}

TEST(VirtualDatanodes, LoseTransfersWithTheMachineAtEitherEnd) {
  VirtualDatanodeOptions options = datanode_options();
  options.datanodes.disk_rate = mebi;  // 64 s for a block
  ServedDatanodes cluster({3, 3}, namenode_options(), options);
  cluster.preload(file_of(12));
  cluster.stop(NodeId(0u));
  cluster.run_until(at_seconds(930));  // the scan at 900 s has found it dead
  cluster.stop(NodeId(3u));
  cluster.run_until(minutes_after(60));
  EXPECT_GT(cluster.datanodes().counters().transfers_lost, 0u);
  EXPECT_THAT(cluster.places("/data/file"), Each(SizeIs(3)));
  EXPECT_TRUE(cluster.has_what_is_recorded("/data/file"));
  cluster.namenode().check_invariants();
}

// A datanode with a full disk refuses what it is sent, and is not chosen once it has stated that.
TEST(VirtualDatanodes, KeepNoMoreThanTheirCapacity) {
  VirtualDatanodeOptions options = datanode_options();
  options.datanodes.capacity = 20 * 64 * mebi;
  ServedDatanodes cluster({2, 2}, namenode_options(), options);
  cluster.preload(file_of(20));
  cluster.stop(NodeId(0u));
  cluster.run_until(minutes_after(60));
  for (unsigned node = 1; node < 4; ++node) {
    EXPECT_LE(cluster.datanodes().replicas(NodeId(node)).used(), options.datanodes.capacity);
  }
  EXPECT_EQ(statistics(cluster.namenode().state()).missing, 0u);
}

// With and without those that change nothing, over failures and returns at odd times.
TEST(VirtualDatanodes, DecideTheSameWithoutHeartbeatsThatChangeNothing) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<std::vector<std::vector<NodeId>>> places[2];
    std::uint64_t heartbeats[2];
    VirtualDatanodeCounters counters[2];
    for (const bool all : {false, true}) {
      NamenodeOptions namenode = namenode_options();
      namenode.seed = seed;
      namenode.intervals.recheck = seconds(20);
      VirtualDatanodeOptions options = datanode_options();
      options.seed = seed;
      options.deliver_every_heartbeat = all;
      ServedDatanodes cluster({4, 4, 4}, namenode, options);
      cluster.preload(file_of(60));
      Random random(seed);
      std::vector<bool> is_up(12, true);
      TraceTime at{};
      for (int i = 0; i < 30; ++i) {
        at += microseconds(static_cast<std::int64_t>(random.below(200'000'000)));
        cluster.run_until(at);
        const auto node = static_cast<unsigned>(random.below(12));
        if (is_up[node]) {
          cluster.stop(NodeId(node));
        } else {
          cluster.start(NodeId(node));
        }
        is_up[node] = !is_up[node];
        places[all].push_back(cluster.places("/data/file"));
      }
      cluster.namenode().check_invariants();
      counters[all] = cluster.datanodes().counters();
      heartbeats[all] = counters[all].heartbeats;
    }
    EXPECT_TRUE(places[0] == places[1]) << "seed " << seed;
    EXPECT_EQ(counters[0].transfers, counters[1].transfers) << "seed " << seed;
    EXPECT_EQ(counters[0].deletions, counters[1].deletions) << "seed " << seed;
    EXPECT_LT(heartbeats[0] * 2, heartbeats[1]) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tracebed
