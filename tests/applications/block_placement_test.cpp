// HDFS' default placement, and that it is a pure function.
#include "applications/hdfs/block_placement.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

namespace tracebed {
namespace {

// `sizes[r]` nodes in rack r; node ids go round the racks, so a rack's are not consecutive.
RackTopology racks_of(std::vector<std::uint32_t> sizes) {
  std::vector<Node> nodes;
  for (bool is_left = true; is_left;) {
    is_left = false;
    for (std::uint32_t rack = 0; rack < sizes.size(); ++rack) {
      if (sizes[rack] == 0) continue;
      --sizes[rack];
      is_left = true;
      Node node;
      node.id = NodeId(nodes.size());
      node.rack = RackId(rack);
      nodes.push_back(node);
    }
  }
  return RackTopology(nodes);
}

std::vector<Replica> replicas_of(const RackTopology& topology, std::uint32_t replication,
                                 std::uint64_t block, std::uint64_t seed = 1,
                                 std::string_view file = "/data/input") {
  BlockPlacement placement(topology, seed, file, replication);
  std::vector<Replica> replicas;
  placement.append_replicas(block, replicas);
  return replicas;
}

TEST(RackTopology, GroupsNodesByRack) {
  const RackTopology topology = racks_of({2, 3});
  EXPECT_EQ(topology.nodes(), 5u);
  EXPECT_EQ(topology.racks(), 2u);
  EXPECT_EQ(topology.positions_of(RackId(1u)), (std::pair<std::size_t, std::size_t>(2, 5)));
  for (std::size_t i = 0; i < 5; ++i) {
    const NodeId node = topology.node_at(i);
    EXPECT_EQ(topology.rack_of(node), RackId(i < 2 ? 0u : 1u));
    EXPECT_EQ(topology.position_of(node), i);
  }
}

TEST(BlockPlacement, PutsTheSecondAndThirdReplicaInOneOtherRack) {
  const RackTopology topology = racks_of({5, 5, 5, 5});
  for (std::uint64_t block = 0; block < 2'000; ++block) {
    const auto replicas = replicas_of(topology, 3, block);
    ASSERT_EQ(replicas.size(), 3u);
    EXPECT_NE(replicas[0].rack, replicas[1].rack);
    EXPECT_EQ(replicas[1].rack, replicas[2].rack);
    EXPECT_NE(replicas[1].node, replicas[2].node);
    for (const Replica& replica : replicas) {
      EXPECT_EQ(replica.rack, topology.rack_of(replica.node));
    }
  }
}

TEST(BlockPlacement, NeverPutsTwoReplicasOnOneNode) {
  for (const std::vector<std::uint32_t>& sizes :
       {std::vector<std::uint32_t>{9}, {1, 1, 1, 1, 1}, {7, 1}, {2, 2}, {3, 3, 3}, {1, 12}}) {
    const RackTopology topology = racks_of(sizes);
    for (std::uint32_t replication = 1; replication <= 8; ++replication) {
      for (std::uint64_t block = 0; block < 100; ++block) {
        const auto replicas = replicas_of(topology, replication, block);
        std::set<NodeId> nodes;
        for (const Replica& replica : replicas) nodes.insert(replica.node);
        EXPECT_EQ(nodes.size(), replicas.size());
        EXPECT_EQ(replicas.size(), std::min<std::size_t>(replication, topology.nodes()));
      }
    }
  }
}

TEST(BlockPlacement, UsesThreeRandomNodesOfTheOnlyRack) {
  const RackTopology topology = racks_of({4});
  std::set<NodeId> seen;
  for (std::uint64_t block = 0; block < 100; ++block) {
    for (const Replica& replica : replicas_of(topology, 3, block)) seen.insert(replica.node);
  }
  EXPECT_EQ(seen.size(), 4u);
}

// (r − 1) / racks + 2: of five replicas on two racks at most four, of six on three at most three.
TEST(BlockPlacement, LimitsReplicasPerRack) {
  const auto most_in_a_rack = [](std::vector<std::uint32_t> sizes, std::uint32_t replication) {
    const RackTopology topology = racks_of(std::move(sizes));
    std::uint32_t most = 0;
    for (std::uint64_t block = 0; block < 2'000; ++block) {
      std::map<RackId, std::uint32_t> counts;
      for (const Replica& replica : replicas_of(topology, replication, block)) {
        most = std::max(most, ++counts[replica.rack]);
      }
    }
    return most;
  };
  EXPECT_EQ(most_in_a_rack({20, 20}, 5), 4u);
  EXPECT_EQ(most_in_a_rack({20, 20, 20}, 6), 3u);
  // 2 / 2 + 2 is three, which would be all of them, so two.
  EXPECT_EQ(most_in_a_rack({20, 20}, 3), 2u);
}

// Rack 1 has one node, so when the second replica is there the third has no node on its rack.
TEST(BlockPlacement, FallsBackWhereTheRackHasNoOtherNode) {
  const RackTopology topology = racks_of({6, 1});
  bool was_alone = false;
  for (std::uint64_t block = 0; block < 200; ++block) {
    const auto replicas = replicas_of(topology, 3, block);
    ASSERT_EQ(replicas.size(), 3u);
    if (replicas[1].rack == RackId(1u)) {
      was_alone = true;
      EXPECT_EQ(replicas[2].rack, RackId(0u));
    }
  }
  EXPECT_TRUE(was_alone);
}

// Each replica's node is uniform by symmetry when racks are alike. 20,000 blocks over 20 nodes:
// mean 1,000 per replica, standard deviation 30.8; five of them are 154.
TEST(BlockPlacement, SpreadsEveryReplicaEvenly) {
  const RackTopology topology = racks_of({5, 5, 5, 5});
  BlockPlacement placement(topology, 3, "/data/even", 3);
  std::vector<Replica> replicas;
  for (std::uint64_t block = 0; block < 20'000; ++block) placement.append_replicas(block, replicas);
  for (std::size_t which = 0; which < 3; ++which) {
    std::map<NodeId, int> counts;
    for (std::size_t i = which; i < replicas.size(); i += 3) ++counts[replicas[i].node];
    ASSERT_EQ(counts.size(), 20u);
    for (const auto& [node, count] : counts) EXPECT_NEAR(count, 1'000, 154) << node.value();
  }
}

TEST(BlockPlacement, DependsOnSeedFileAndBlockOnly) {
  const RackTopology topology = racks_of({9, 9, 9});
  const auto first = replicas_of(topology, 3, 17);
  // Other blocks in between change nothing.
  BlockPlacement placement(topology, 1, "/data/input", 3);
  std::vector<Replica> replicas;
  for (std::uint64_t block : {4u, 17u, 17u}) placement.append_replicas(block, replicas);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), replicas.begin() + 3));
  EXPECT_TRUE(std::equal(first.begin(), first.end(), replicas.begin() + 6));
  int same = 0;
  for (std::uint64_t block = 0; block < 100; ++block) {
    if (replicas_of(topology, 3, block) == replicas_of(topology, 3, block, 2)) ++same;
    if (replicas_of(topology, 3, block) == replicas_of(topology, 3, block, 1, "/other")) ++same;
  }
  EXPECT_LT(same, 5);
}

}  // namespace
}  // namespace tracebed
