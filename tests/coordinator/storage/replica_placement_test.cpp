// Where HDFS' policies put replicas: their rules, over many draws.
#include "coordinator/storage/replica_placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "coordinator/storage/target_chooser.h"
#include "core/rack_limit.h"
#include "support/at_seconds.h"

namespace tracebed {
namespace {

using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr std::int64_t block_bytes = 128 << 20;

class Placement : public testing::Test {
 protected:
  // `sizes`: the datanodes of each rack, numbered rack after rack.
  void cluster(const std::vector<unsigned>& sizes) {
    unsigned number = 0;
    for (unsigned rack = 0; rack < sizes.size(); ++rack) {
      for (unsigned i = 0; i < sizes[rack]; ++i, ++number) {
        const NodeId node(number);
        topology_.add(node, RackId(rack));
        datanodes_.register_datanode(node, RackId(rack), at_seconds(0));
        datanodes_.heartbeat(node, {.remaining = 10 * block_bytes, .transfers = 1}, at_seconds(0));
      }
    }
  }
  std::vector<NodeId> place(std::string_view policy, ReplicaRequest request) {
    request.bytes = block_bytes;
    return (*make_replica_placement(policy))
        ->choose({topology_, datanodes_, options_, at_seconds(now_)}, request, random_);
  }
  std::vector<NodeId> place_three(std::string_view policy, NodeId writer = {}) {
    return place(policy, {.writer = writer, .count = 3});
  }
  RackId rack_of(NodeId node) const { return topology_.rack_of(node); }
  std::multiset<int> replicas_on_racks(const std::vector<NodeId>& nodes) const {
    std::map<RackId, int> counts;
    for (const NodeId node : nodes) ++counts[rack_of(node)];
    std::multiset<int> sizes;
    for (const auto& [rack, count] : counts) sizes.insert(count);
    return sizes;
  }
  static bool are_distinct(const std::vector<NodeId>& nodes) {
    return std::set<NodeId>(nodes.begin(), nodes.end()).size() == nodes.size();
  }

  DatanodeTopology topology_;
  Datanodes datanodes_{DatanodeIntervals(), at_seconds(0)};
  PlacementOptions options_;
  int now_ = 1;
  Random random_ = Random::stream(11, "placement");
};

struct RackMaxRow {
  std::size_t total, racks, by_default, fault_tolerant;
};

TEST(RackMaxima, AreThoseOfHdfs) {
  for (const RackMaxRow& row :
       {RackMaxRow{3, 1, 3, 3}, RackMaxRow{1, 5, 1, 1}, RackMaxRow{2, 2, 1, 1},
        RackMaxRow{3, 2, 2, 2}, RackMaxRow{3, 3, 2, 1}, RackMaxRow{3, 10, 2, 1},
        RackMaxRow{4, 2, 3, 2}, RackMaxRow{10, 3, 5, 4}, RackMaxRow{6, 2, 4, 3}}) {
    EXPECT_EQ(default_rack_max(row.total, row.racks), row.by_default)
        << row.total << " on " << row.racks;
    EXPECT_EQ(fault_tolerant_rack_max(row.total, row.racks), row.fault_tolerant);
  }
}

TEST_F(Placement, OfHdfsIsTheWriterThenTwoOfOneOtherRack) {
  cluster({4, 4, 4});
  const NodeId writer(5u);
  std::set<NodeId> seconds;
  for (int i = 0; i < 300; ++i) {
    const std::vector<NodeId> nodes = place_three("default", writer);
    ASSERT_THAT(nodes, SizeIs(3));
    EXPECT_EQ(nodes[0], writer);
    EXPECT_NE(rack_of(nodes[1]), rack_of(writer));
    EXPECT_EQ(rack_of(nodes[1]), rack_of(nodes[2]));
    EXPECT_TRUE(are_distinct(nodes));
    seconds.insert(nodes[1]);
  }
  EXPECT_THAT(seconds, SizeIs(8)) << "every node of the other racks";
}

TEST_F(Placement, OfAWriterElsewhereBeginsAnywhere) {
  cluster({4, 4, 4});
  std::set<NodeId> firsts;
  for (int i = 0; i < 300; ++i) {
    const std::vector<NodeId> nodes = place_three("default");
    EXPECT_THAT(replicas_on_racks(nodes), UnorderedElementsAre(1, 2));
    firsts.insert(nodes.begin(), nodes.end());
  }
  EXPECT_THAT(firsts, SizeIs(12));
}

TEST_F(Placement, OnOneRackIsOfDistinctNodes) {
  cluster({3});
  EXPECT_THAT(place_three("default", NodeId(1u)),
              UnorderedElementsAre(NodeId(0u), NodeId(1u), NodeId(2u)));
  EXPECT_THAT(place_three("rack_fault_tolerant"), SizeIs(3));
  EXPECT_THAT(place("default", {.writer = {}, .count = 5}), SizeIs(3)) << "no node has two";
}

TEST_F(Placement, OfTheDataBlockDensityPaperHasTheSecondOnTheFirstsRack) {
  cluster({4, 4});
  for (int i = 0; i < 200; ++i) {
    const NodeId writer(static_cast<unsigned>(i) % 8);
    const std::vector<NodeId> nodes = place_three("same_rack_second", writer);
    ASSERT_THAT(nodes, SizeIs(3));
    EXPECT_EQ(nodes[0], writer);
    EXPECT_EQ(rack_of(nodes[1]), rack_of(writer));
    EXPECT_NE(rack_of(nodes[2]), rack_of(writer));
    EXPECT_TRUE(are_distinct(nodes));
  }
}

TEST_F(Placement, ThatIsRackFaultTolerantUsesAsManyRacksAsItCan) {
  cluster({4, 4, 4});
  for (int i = 0; i < 100; ++i) {
    EXPECT_THAT(replicas_on_racks(place_three("rack_fault_tolerant", NodeId(2u))),
                UnorderedElementsAre(1, 1, 1));
    const auto five = place("rack_fault_tolerant", {.writer = NodeId(2u), .count = 5});
    EXPECT_THAT(replicas_on_racks(five), UnorderedElementsAre(1, 2, 2));
    EXPECT_EQ(five.front(), NodeId(2u));
  }
}

TEST_F(Placement, ThatIsRackFaultTolerantFillsSmallRacksFirst) {
  cluster({1, 5});
  EXPECT_THAT(replicas_on_racks(place("rack_fault_tolerant", {.writer = {}, .count = 4})),
              UnorderedElementsAre(1, 3));
}

// A replica that was lost is made anew: the first of the others counts as the writer.
TEST_F(Placement, OfAFurtherReplicaKeepsTheBlockOnTwoRacks) {
  cluster({4, 4, 4});
  for (int i = 0; i < 100; ++i) {
    const auto second = place("default", {.writer = {}, .count = 1, .existing = {NodeId(0u)}});
    ASSERT_THAT(second, SizeIs(1));
    EXPECT_NE(rack_of(second[0]), rack_of(NodeId(0u)));
    const auto remote =
        place("default", {.writer = {}, .count = 1, .existing = {NodeId(0u), NodeId(1u)}});
    EXPECT_NE(rack_of(remote[0]), rack_of(NodeId(0u))) << "both are on one rack";
    const auto local =
        place("default", {.writer = {}, .count = 1, .existing = {NodeId(0u), NodeId(4u)}});
    EXPECT_EQ(rack_of(local[0]), rack_of(NodeId(0u))) << "near the first, not the second";
  }
}

TEST_F(Placement, PassesOverBadDatanodes) {
  cluster({6});
  datanodes_.set_admin_state(NodeId(0u), AdminState::decommission_in_progress);
  datanodes_.heartbeat(NodeId(1u), {.remaining = block_bytes - 1}, at_seconds(0));
  datanodes_.schedule(NodeId(2u), 9 * block_bytes + 1);
  datanodes_.heartbeat(NodeId(3u), {.remaining = 10 * block_bytes, .transfers = 50}, at_seconds(0));
  for (int i = 0; i < 50; ++i) {
    EXPECT_THAT(place("default", {.writer = {}, .count = 3, .excluded = {NodeId(4u)}}),
                UnorderedElementsAre(NodeId(5u)));
  }
  EXPECT_THAT(place("default", {.writer = NodeId(3u), .count = 1}),
              UnorderedElementsAre(NodeId(3u)))
      << "a writer's own node may be busy";
  options_.considers_load = false;
  EXPECT_THAT(place("default", {.writer = {}, .count = 6}),
              UnorderedElementsAre(NodeId(3u), NodeId(4u), NodeId(5u)));
}

TEST_F(Placement, TakesStaleDatanodesOnlyWhereOthersDoNotSuffice) {
  cluster({4});
  options_.avoids_stale_for_writes = true;
  now_ = 40;
  for (const unsigned fresh : {0u, 1u}) {
    datanodes_.heartbeat(NodeId(fresh), {.remaining = 10 * block_bytes}, at_seconds(39));
  }
  EXPECT_THAT(place("default", {.writer = {}, .count = 2}),
              UnorderedElementsAre(NodeId(0u), NodeId(1u)));
  const auto three = place_three("default");
  EXPECT_THAT(three, SizeIs(3));
  EXPECT_TRUE(are_distinct(three));
  EXPECT_THAT(three, testing::IsSupersetOf({NodeId(0u), NodeId(1u)}));
}

TEST_F(Placement, IsOfNobodyWhereNobodyIs) {
  EXPECT_THAT(place_three("default"), IsEmpty());
  cluster({2});
  EXPECT_THAT(place("default", {.writer = {}, .count = 1, .existing = {NodeId(0u), NodeId(1u)}}),
              IsEmpty());
}

TEST_F(Placement, IsTheSameForTheSameStream) {
  cluster({5, 5, 5});
  const auto draw = [&] {
    random_ = Random::stream(3, "again");
    std::vector<NodeId> all;
    for (const char* policy : {"default", "rack_fault_tolerant", "same_rack_second"}) {
      for (const NodeId node : place_three(policy, NodeId(7u))) all.push_back(node);
    }
    return all;
  };
  EXPECT_EQ(draw(), draw());
}

TEST(PlacementNames, ThatAreUnknownListTheOthers) {
  EXPECT_EQ(make_replica_placement("best").error().message,
            "expected one of default, rack_fault_tolerant, same_rack_second, got \"best\"");
}

TEST(Pipelines, GoToTheNearestNext) {
  DatanodeTopology topology;
  for (unsigned i = 0; i < 6; ++i) topology.add(NodeId(i), RackId(i / 2));
  const auto pipeline = [&](NodeId writer, std::initializer_list<unsigned> numbers) {
    std::vector<NodeId> nodes;
    for (const unsigned number : numbers) nodes.emplace_back(number);
    std::vector<unsigned> order;
    for (const NodeId node : pipeline_of(topology, writer, nodes)) order.push_back(node.value());
    return order;
  };
  EXPECT_THAT(pipeline(NodeId(1u), {4, 2, 0}), testing::ElementsAre(0, 2, 4));
  EXPECT_THAT(pipeline(NodeId(1u), {4, 2, 5, 1}), testing::ElementsAre(1, 2, 5, 4));
  EXPECT_THAT(pipeline(NodeId(), {2, 4, 3}), testing::ElementsAre(2, 3, 4));
}

}  // namespace
}  // namespace tracebed
