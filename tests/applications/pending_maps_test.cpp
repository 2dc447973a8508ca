#include "applications/parts/pending_maps.h"

#include <gtest/gtest.h>
#include <set>

#include "applications/master_harness.h"
#include "core/random.h"

namespace tracebed {
namespace {

constexpr NodeId node(std::uint32_t id) {
  return NodeId(id);
}
constexpr RackId rack(std::uint32_t id) {
  return RackId(id);
}

// Two maps with input on nodes 0 and 2 of racks 0 and 1, one on nodes 1 and 2.
PendingMaps three_maps() {
  return PendingMaps(3,
                     {{node(0), rack(0)},
                      {node(2), rack(1)},
                      {node(0), rack(0)},
                      {node(2), rack(1)},
                      {node(1), rack(0)},
                      {node(2), rack(1)}},
                     2);
}

TEST(PendingMaps, CountsWhereTheirInputIs) {
  PendingMaps maps = three_maps();
  EXPECT_EQ(to_text(maps.node_counts()), "0:2 1:1 2:3");
  EXPECT_EQ(to_text(maps.rack_counts()), "0:3 1:3");
  maps.take(node(0), rack(0));
  EXPECT_EQ(to_text(maps.node_counts()), "0:1 1:1 2:2");
  EXPECT_EQ(to_text(maps.rack_counts()), "0:2 1:2");
}

TEST(PendingMaps, TakesNodeLocalThenRackLocalThenAny) {
  PendingMaps maps = three_maps();
  PendingMaps::Choice choice = maps.take(node(1), rack(0));
  EXPECT_EQ(choice.map, 2u);
  EXPECT_EQ(choice.locality, Locality::node);
  choice = maps.take(node(1), rack(0));
  EXPECT_EQ(choice.map, 0u);
  EXPECT_EQ(choice.locality, Locality::rack);
  choice = maps.take(node(9), rack(7));
  EXPECT_EQ(choice.map, 1u);
  EXPECT_EQ(choice.locality, Locality::off_switch);
  EXPECT_EQ(maps.size(), 0u);
}

TEST(PendingMaps, OffersAReopenedMapAtItsPlacesAgain) {
  PendingMaps maps = three_maps();
  EXPECT_EQ(maps.take(node(0), rack(0)).map, 0u);
  EXPECT_EQ(maps.take(node(0), rack(0)).map, 1u);
  maps.reopen(0);
  EXPECT_EQ(to_text(maps.node_counts()), "0:1 1:1 2:2");
  const PendingMaps::Choice choice = maps.take(node(0), rack(0));
  EXPECT_EQ(choice.map, 0u);
  EXPECT_EQ(choice.locality, Locality::node);
}

TEST(PendingMaps, NameNoPlaceWithoutReplicas) {
  PendingMaps maps(70, {}, 0);
  EXPECT_FALSE(maps.names_places());
  for (std::uint32_t map = 0; map < 70; ++map) {
    const PendingMaps::Choice choice = maps.take(node(0), rack(0));
    EXPECT_EQ(choice.map, map);
    EXPECT_EQ(choice.locality, Locality::none_asked);
  }
  EXPECT_EQ(maps.size(), 0u);
}

// Against a plain loop: maps come and go at random on 30 nodes in five racks.
TEST(PendingMaps, AgreeWithALoop) {
  constexpr std::uint32_t count = 500;
  Random random(5);
  std::vector<Replica> replicas;
  for (std::uint32_t i = 0; i < count * 3; ++i) {
    const auto place = static_cast<std::uint32_t>(random.below(30));
    replicas.push_back({node(place), rack(place / 6)});
  }
  PendingMaps maps(count, replicas, 3);
  std::set<std::uint32_t> waiting;
  std::vector<std::uint32_t> taken;
  for (std::uint32_t map = 0; map < count; ++map) waiting.insert(map);
  const auto nearness = [&](std::uint32_t map, NodeId at) {
    int best = 2;
    for (std::uint32_t i = map * 3; i < map * 3 + 3; ++i) {
      if (replicas[i].node == at) best = std::min(best, 0);
      if (replicas[i].rack == rack(at.value() / 6)) best = std::min(best, 1);
    }
    return best;
  };
  for (int step = 0; step < 20'000; ++step) {
    if (waiting.empty() || (!taken.empty() && random.chance(0.4))) {
      std::swap(taken[random.below(taken.size())], taken.back());
      maps.reopen(taken.back());
      waiting.insert(taken.back());
      taken.pop_back();
      continue;
    }
    const NodeId at = node(static_cast<std::uint32_t>(random.below(30)));
    std::uint32_t expected = *waiting.begin();
    for (std::uint32_t map : waiting) {
      if (nearness(map, at) < nearness(expected, at)) expected = map;
    }
    const PendingMaps::Choice choice = maps.take(at, rack(at.value() / 6));
    ASSERT_EQ(choice.map, expected);
    ASSERT_EQ(static_cast<int>(choice.locality) - static_cast<int>(Locality::node),
              nearness(expected, at));
    waiting.erase(choice.map);
    taken.push_back(choice.map);
    ASSERT_EQ(maps.size(), waiting.size());
  }
}

}  // namespace
}  // namespace tracebed
