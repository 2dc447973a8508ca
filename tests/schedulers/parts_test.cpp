// The parts that schedulers are built from, against plain loops over the same data.
#include <algorithm>
#include <gtest/gtest.h>

#include "core/random.h"
#include "schedulers/parts/alive_capacity.h"
#include "schedulers/parts/demand_room.h"
#include "schedulers/parts/free_table.h"
#include "schedulers/parts/gang_plan.h"
#include "schedulers/parts/node_set.h"
#include "schedulers/parts/ranked_nodes.h"
#include "schedulers/parts/waiting_line.h"

namespace tracebed {
namespace {

NodeId node_id(std::size_t index) {
  return NodeId(index);
}

TEST(NodeSet, FindsTheNextMemberAcrossEmptyWords) {
  NodeSet set;
  set.grow(10'000);
  for (std::size_t index : {3u, 64u, 4'100u, 9'999u}) set.set(node_id(index), true);
  EXPECT_EQ(set.next(node_id(0)), node_id(3));
  EXPECT_EQ(set.next(node_id(3)), node_id(3));
  EXPECT_EQ(set.next(node_id(4)), node_id(64));
  EXPECT_EQ(set.next(node_id(65)), node_id(4'100));
  EXPECT_EQ(set.next(node_id(4'101)), node_id(9'999));
  set.set(node_id(9'999), false);
  EXPECT_FALSE(set.next(node_id(4'101)).is_valid());
  EXPECT_FALSE(set.next(node_id(20'000)).is_valid());
}

TEST(NodeSet, NextInAllAgreesWithALoop) {
  constexpr std::size_t nodes = 700;
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    NodeSet a;
    NodeSet b;
    a.grow(nodes);
    b.grow(nodes);
    for (std::size_t i = 0; i < nodes; ++i) {
      a.set(node_id(i), random.chance(0.05));
      b.set(node_id(i), random.chance(0.2));
    }
    const std::array<const NodeSet*, 2> sets{&a, &b};
    for (std::size_t from = 0; from < nodes; ++from) {
      std::size_t expected = from;
      while (expected < nodes &&
             !(a.contains(node_id(expected)) && b.contains(node_id(expected)))) {
        ++expected;
      }
      const NodeId found = NodeSet::next_in_all(sets, node_id(from));
      ASSERT_EQ(found.is_valid(), expected < nodes) << "from " << from;
      if (found.is_valid()) {
        ASSERT_EQ(found, node_id(expected));
      }
    }
  }
}

TEST(NodeSet, VisitsAllMembersUntilToldToStop) {
  NodeSet a;
  NodeSet b;
  a.grow(10'000);
  b.grow(10'000);
  for (std::size_t index : {5u, 63u, 64u, 5'000u, 9'000u}) a.set(node_id(index), true);
  for (std::size_t index : {5u, 64u, 70u, 5'000u, 9'000u}) b.set(node_id(index), true);
  const std::array<const NodeSet*, 2> sets{&a, &b};
  std::vector<NodeId> visited;
  NodeSet::visit_all(sets, [&](NodeId node) {
    visited.push_back(node);
    a.set(node, false);  // as a scheduler does that takes all there is
    return node == node_id(5'000);
  });
  EXPECT_EQ(visited, (std::vector<NodeId>{node_id(5), node_id(64), node_id(5'000)}));
}

ClusterModel cluster_of(std::initializer_list<Resources> free) {
  ClusterModel cluster;
  for (const Resources& amount : free) {
    Node node;
    node.id = node_id(cluster.nodes.size());
    node.capacity = Resources(16'000, 65'536);
    node.free = amount;
    node.alive = true;
    cluster.nodes.push_back(node);
  }
  for (const Node& node : cluster.nodes) cluster.free += node.free;
  return cluster;
}

// "0 2": the nodes that have room.
std::string with_room(const FreeTable& table, const Resources& demand) {
  std::string text;
  table.visit_with_room(demand, [&](NodeId node) {
    text += (text.empty() ? "" : " ") + std::to_string(node.value());
    return false;
  });
  return text;
}

std::vector<SchedulerEvent> all_added(const ClusterModel& cluster) {
  std::vector<SchedulerEvent> events;
  for (const Node& node : cluster.nodes) events.push_back(NodeAdded{node.id});
  return events;
}

TEST(FreeTable, CountsItsProposalsAndTakesThemBackWhenRefused) {
  ClusterModel cluster = cluster_of({Resources(4'000, 4'096), Resources(8'000, 8'192)});
  FreeTable table;
  table.follow({TraceTime(), all_added(cluster), cluster});
  EXPECT_TRUE(table.agrees_with(cluster));
  EXPECT_EQ(table.total(), Resources(12'000, 12'288));

  table.take(node_id(0), Resources(4'000, 1'024));
  table.take(node_id(1), Resources(1'000, 1'024));
  EXPECT_EQ(table.free(node_id(0)), Resources(0, 3'072));
  EXPECT_EQ(with_room(table, Resources(1'000, 0)), "1");
  EXPECT_EQ(with_room(table, Resources(0, 1'024)), "0 1");

  // The second proposal was committed, the first refused.
  cluster.nodes[1].free -= Resources(1'000, 1'024);
  cluster.free -= Resources(1'000, 1'024);
  Refused refusal;
  refusal.node = node_id(0);
  const std::vector<SchedulerEvent> refused{refusal};
  table.follow({TraceTime(), refused, cluster});
  EXPECT_TRUE(table.agrees_with(cluster));
  EXPECT_EQ(with_room(table, Resources(1'000, 0)), "0 1");
}

TEST(FreeTable, HasNothingFreeOnADeadNode) {
  ClusterModel cluster = cluster_of({Resources(4'000, 4'096), Resources(8'000, 8'192)});
  FreeTable table;
  table.follow({TraceTime(), all_added(cluster), cluster});
  cluster.nodes[0].alive = false;
  cluster.free -= cluster.nodes[0].free;
  const std::vector<SchedulerEvent> removed{NodeRemoved{node_id(0)}};
  table.follow({TraceTime(), removed, cluster});
  EXPECT_EQ(table.total(), Resources(8'000, 8'192));
  EXPECT_EQ(with_room(table, Resources()), "1");
}

TEST(FreeTable, HasNothingFreeOnAClosedNodeUntilItIsOpenAgain) {
  const ClusterModel cluster = cluster_of({Resources(4'000, 4'096), Resources(8'000, 8'192)});
  FreeTable table;
  table.follow({TraceTime(), all_added(cluster), cluster});
  const std::vector<NodeId> first{node_id(0)};
  for (const bool is_closed : {true, false}) {
    table.set_closed(node_id(0), is_closed);
    table.follow({TraceTime(), {}, cluster}, first);
    EXPECT_EQ(with_room(table, Resources()), is_closed ? "1" : "0 1");
    EXPECT_EQ(table.is_alive(node_id(0)), !is_closed);
  }
  EXPECT_TRUE(table.agrees_with(cluster));
}

TEST(FreeTable, FollowsNodesThatChangedWithoutAnEvent) {
  ClusterModel cluster = cluster_of({Resources(4'000, 4'096), Resources(8'000, 8'192)});
  FreeTable table;
  table.follow({TraceTime(), all_added(cluster), cluster});
  cluster.nodes[1].free -= Resources(8'000, 1'024);
  cluster.free -= Resources(8'000, 1'024);
  const std::vector<NodeId> second{node_id(1)};
  table.follow({TraceTime(), {}, cluster}, second);
  EXPECT_TRUE(table.agrees_with(cluster));
  EXPECT_EQ(with_room(table, Resources(1'000, 0)), "0");
}

TEST(FreeTable, TakesAGangFromNodesInIdOrderAndSplitsThem) {
  const ClusterModel cluster = cluster_of({Resources(3'000, 65'536), Resources(0, 65'536),
                                           Resources(16'000, 2'048), Resources(16'000, 65'536)});
  FreeTable table;
  table.follow({TraceTime(), all_added(cluster), cluster});
  std::vector<GangPiece> pieces;
  // Node 0 has three cores, node 2 memory for two units, node 3 gets the remaining five.
  ASSERT_TRUE(table.take_gang(Resources(1'000, 1'024), 10, pieces));
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].node, node_id(0));
  EXPECT_EQ(pieces[0].units, 3u);
  EXPECT_EQ(pieces[1].node, node_id(2));
  EXPECT_EQ(pieces[1].units, 2u);
  EXPECT_EQ(pieces[2].node, node_id(3));
  EXPECT_EQ(pieces[2].units, 5u);
  EXPECT_EQ(table.free(node_id(2)), Resources(14'000, 0));
  EXPECT_EQ(table.total(), Resources(25'000, 4 * 65'536 - 65'536 + 2'048 - 10 * 1'024));
}

TEST(FreeTable, TakesAGangWholeOrNotAtAll) {
  const ClusterModel cluster = cluster_of({Resources(3'000, 65'536), Resources(0, 65'536),
                                           Resources(16'000, 2'048), Resources(16'000, 65'536)});
  FreeTable table;
  table.follow({TraceTime(), all_added(cluster), cluster});
  std::vector<GangPiece> pieces;
  // 3 + 2 + 16 fit, though the sum of what is free would do for 35.
  EXPECT_FALSE(table.take_gang(Resources(1'000, 1'024), 22, pieces));
  EXPECT_TRUE(table.agrees_with(cluster));
  EXPECT_EQ(with_room(table, Resources(1'000, 1'024)), "0 2 3");
  EXPECT_TRUE(table.take_gang(Resources(1'000, 1'024), 21, pieces));
  EXPECT_EQ(with_room(table, Resources(1'000, 1'024)), "");
}

TEST(DemandRoom, FollowsWhatNodesHaveRoomFor) {
  ClusterModel cluster = cluster_of({Resources(3'000, 65'536), Resources(16'000, 2'048)});
  FreeTable table;
  table.follow({TraceTime(), all_added(cluster), cluster});
  DemandRoom room;
  room.watch(table, Resources(1'000, 1'024));
  EXPECT_EQ(room.units(), 5);
  table.take(node_id(0), Resources(2'500, 0));
  room.update(table, node_id(0));
  EXPECT_EQ(room.units(), 2);
}

bool see_all(AliveCapacity& capacity, const ClusterModel& cluster,
             const std::vector<SchedulerEvent>& events) {
  bool has_changed = false;
  for (const SchedulerEvent& event : events) has_changed |= capacity.see(cluster, event);
  return has_changed;
}

TEST(AliveCapacity, CountsOnlyAliveNodes) {
  ClusterModel cluster = cluster_of({Resources(), Resources(), Resources()});
  cluster.nodes[2].capacity = Resources(4'000, 1'024);
  AliveCapacity capacity;
  EXPECT_TRUE(see_all(capacity, cluster, all_added(cluster)));
  // 16 + 16 + 1: of the third node memory is the limit.
  EXPECT_EQ(capacity.units(Resources(1'000, 1'024)), 33);
  cluster.nodes[0].alive = false;
  EXPECT_TRUE(see_all(capacity, cluster, {NodeRemoved{node_id(0)}}));
  EXPECT_EQ(capacity.units(Resources(1'000, 1'024)), 17);
  EXPECT_FALSE(see_all(capacity, cluster, {NodeUpdated{node_id(1)}}));
}

TEST(DemandCensus, KnowsTheLeastOfEachDimension) {
  DemandCensus census;
  const LineKey key;
  const auto wide = census.join(Resources(4'000, 1'024), key);
  const auto tall = census.join(Resources(1'000, 8'192), key);
  census.join(Resources(4'000, 1'024), key);
  EXPECT_EQ(census.minimum(), Resources(1'000, 1'024));
  census.leave(tall, key);
  EXPECT_EQ(census.minimum(), Resources(4'000, 1'024));
  census.leave(wide, key);
  EXPECT_FALSE(census.empty());
  EXPECT_EQ(census.minimum(), Resources(4'000, 1'024));
}

// Ranks, free amounts and membership change at random; after each change the first node with room
// must be the one that a loop over all finds.
TEST(RankedNodes, FirstWithRoomAgreesWithALoop) {
  constexpr std::size_t nodes = 3'000;
  ClusterModel cluster;
  for (std::size_t i = 0; i < nodes; ++i) {
    Node node;
    node.id = node_id(i);
    node.alive = true;
    node.free = Resources(16'000, 65'536);
    cluster.nodes.push_back(node);
  }
  FreeTable table;
  table.follow({TraceTime(), all_added(cluster), cluster});
  Random random(7);
  const auto random_rank = [&](NodeId node) {
    return NodeRank{random.below(50), (random.below(4) << 32) | node.value()};
  };
  RankedNodes ranked;
  std::vector<std::optional<NodeRank>> ranks(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    ranks[i] = random_rank(node_id(i));
    ranked.insert(*ranks[i], table.free(node_id(i)));
  }
  const auto first_of_all = [&](const Resources& demand, const NodeRank& from) {
    NodeId first;
    for (std::size_t i = 0; i < nodes; ++i) {
      if (!ranks[i] || *ranks[i] < from || !demand.fits_in(table.free(node_id(i)))) continue;
      if (!first.is_valid() || *ranks[i] < *ranks[first.index()]) first = node_id(i);
    }
    return first;
  };
  for (int step = 0; step < 20'000; ++step) {
    const NodeId node(static_cast<std::size_t>(random.below(nodes)));
    std::optional<NodeRank>& rank = ranks[node.index()];
    const Resources wanted(random.between(0, 16) * 1'000, random.between(0, 64) * 1'024);
    table.take(node, table.free(node));
    table.give_back(node, wanted);
    // Half of the time the rank stays, as when only the bound has to rise.
    if (rank && random.chance(0.5)) {
      ranked.set_free(*rank, wanted);
    } else {
      if (rank) ranked.erase(*rank);
      rank.reset();
      if (!random.chance(0.04)) ranked.insert(rank.emplace(random_rank(node)), wanted);
    }
    if (step % 20 != 0) continue;
    const Resources demand(random.between(0, 16) * 1'000, random.between(0, 64) * 1'024);
    ASSERT_EQ(ranked.first(demand), first_of_all(demand, NodeRank())) << "step " << step;
    const NodeRank from = random_rank(node);
    ASSERT_EQ(ranked.first(demand, from), first_of_all(demand, from)) << "step " << step;
  }
  ranked.verify([&](const NodeRank& rank, const Resources& free) {
    EXPECT_EQ(rank, ranks[rank.node().index()]);
    EXPECT_EQ(free, table.free(rank.node()));
  });
}

TEST(RankedNodes, FindVisitsNodesWithRoomInOrder) {
  const ClusterModel cluster = cluster_of(
      {Resources(4'000, 0), Resources(1'000, 0), Resources(4'000, 0), Resources(4'000, 0)});
  FreeTable table;
  table.follow({TraceTime(), all_added(cluster), cluster});
  RankedNodes ranked;
  for (std::size_t i = 0; i < 4; ++i) ranked.insert({10 - i, i}, table.free(node_id(i)));
  std::vector<NodeId> visited;
  const NodeId found = ranked.find(Resources(2'000, 0), NodeRank(), [&](NodeId node) {
    visited.push_back(node);
    return node == node_id(2);
  });
  EXPECT_EQ(found, node_id(2));
  EXPECT_EQ(visited, (std::vector<NodeId>{node_id(3), node_id(2)}));
}

}  // namespace
}  // namespace tracebed
