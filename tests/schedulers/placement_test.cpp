// Spread, Binpack and Random, with choices worked by hand.
#include "schedulers/placement/placement.h"

#include <array>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>

#include "schedulers/placement/used_share.h"
#include "schedulers/policy_harness.h"

namespace tracebed {
namespace {

using Rule = PlacementSettings::Rule;

PlacementSettings with_rule(Rule rule) {
  PlacementSettings settings;
  settings.rule = rule;
  return settings;
}

PlacementSettings preferring_input(Rule rule) {
  PlacementSettings settings = with_rule(rule);
  settings.locality = PlacementSettings::Locality::prefer;
  return settings;
}

struct OwnedScheduler {
  PlacementScheduler scheduler;
};

// A harness with the scheduler that it drives.
class PlacementHarness : private OwnedScheduler, public PolicyHarness {
 public:
  explicit PlacementHarness(const PlacementSettings& settings)
      : OwnedScheduler{PlacementScheduler(settings)}, PolicyHarness(scheduler) {}
  explicit PlacementHarness(Rule rule) : PlacementHarness(with_rule(rule)) {}

  void add_nodes(int count, const Resources& capacity) {
    for (int i = 0; i < count; ++i) add_node(capacity);
  }
};

TEST(UsedShare, SumAddsTheDimensionsThatTheNodeHas) {
  constexpr std::uint64_t whole = std::uint64_t{1} << used_share_bits;
  const Resources capacity(16'000, 64'000);
  EXPECT_EQ(sum_of_used_shares({4'000, 32'000}, capacity), whole / 4 + whole / 2);
  EXPECT_EQ(dominant_used_share({4'000, 32'000}, capacity), whole / 2);
  EXPECT_EQ(sum_of_used_shares({8'000, 5}, Resources(16'000, 0)), whole / 2);
  EXPECT_EQ(sum_of_used_shares(capacity, capacity), 2 * whole);
}

// (n − 1)/n and (n − 2)/(n − 1) differ by 1/(n(n − 1)), just over 2^-60 for n = 2^30 − 1. As
// doubles both are the same.
TEST(UsedShare, TellsApartFractionsThatDoublesCannot) {
  constexpr std::int64_t n = (std::int64_t{1} << 30) - 1;
  EXPECT_GT(dominant_used_share({n - 1, 0}, {n, 0}), dominant_used_share({n - 2, 0}, {n - 1, 0}));
  // And fractions that are the same are the same: 1/3 of different capacities.
  EXPECT_EQ(dominant_used_share({5'000, 0}, {15'000, 0}),
            dominant_used_share({7'000, 0}, {21'000, 0}));
}

TEST(Spread, GoesRoundTheNodes) {
  PlacementHarness harness(Rule::spread);
  harness.add_nodes(3, Resources(4'000, 16'384));
  harness.submit_and_ask({.pending = 5});
  EXPECT_EQ(to_text(harness.decide()), "a0:n0 a0:n1 a0:n2 a0:n0 a0:n1");
}

TEST(Spread, TakesTheLeastUsedShareNotTheLeastUsedAmount) {
  PlacementHarness harness(Rule::spread);
  harness.add_node(Resources(4'000, 16'384));
  harness.add_node(Resources(16'000, 65'536));
  // A unit uses 1/4 + 1/16 of node 0, and a quarter of that of node 1. So node 1 takes three, each
  // of which leaves it less used than node 0 would be with one. With the next both would be used
  // alike, and node 0 has fewer containers.
  harness.submit_and_ask({.pending = 6});
  EXPECT_EQ(to_text(harness.decide()), "a0:n1 a0:n1 a0:n1 a0:n0 a0:n1 a0:n1");
}

// Swarm ranks nodes by what would be used of them with the container (weighted_node.go), so where
// nothing runs, Spread's first goes to a large node and Binpack's to a small one.
TEST(Placement, BeginsOnUnequalNodesWithTheDemand) {
  for (const auto& [rule, share, chosen] :
       {std::tuple(Rule::spread, UsedShare::sum, "a0:n1"),
        std::tuple(Rule::binpack, UsedShare::sum, "a0:n0"),
        std::tuple(Rule::spread, UsedShare::dominant, "a0:n0"),
        std::tuple(Rule::binpack, UsedShare::dominant, "a0:n0")}) {
    PlacementSettings settings = with_rule(rule);
    settings.share = share;
    PlacementHarness harness(settings);
    harness.add_node(Resources(4'000, 16'384));
    harness.add_node(Resources(16'000, 65'536));
    harness.submit_and_ask({});
    EXPECT_EQ(to_text(harness.decide()), chosen);
  }
}

// Of nodes in four sizes that change at random, each search finds what a loop over all does, also
// where it goes on for further units.
TEST(NodesByUse, FirstAndNextAgreeWithALoop) {
  constexpr std::size_t count = 300;
  const std::array<Resources, 4> sizes = {Resources(4'000, 16'384), Resources(16'000, 65'536),
                                          Resources(16'000, 16'384), Resources(7'000, 30'000)};
  Random random(11);
  for (const NodeOrder order : {NodeOrder::least_used, NodeOrder::most_used}) {
    NodesByUse nodes(order, UsedShare::sum);
    std::vector<Resources> free(count);
    std::vector<std::uint32_t> containers(count);
    const auto change = [&](std::size_t i, const Resources& now_free,
                            std::uint32_t now_containers) {
      Node node;
      node.id = NodeId(i);
      node.capacity = sizes[i % 4];
      free[i] = now_free;
      containers[i] = now_containers;
      nodes.update(node, free[i], containers[i]);
    };
    for (std::size_t i = 0; i < count; ++i) change(i, sizes[i % 4], 0);
    const auto first_of_all = [&](const Resources& demand) {
      NodeId first;
      for (std::size_t i = 0; i < count; ++i) {
        const NodeId node(i);
        if (!nodes.contains(node) || !demand.fits_in(free[i])) continue;
        if (!first.is_valid() || nodes.rank(node, demand) < nodes.rank(first, demand)) first = node;
      }
      return first;
    };
    for (int step = 0; step < 2'000; ++step) {
      const auto i = static_cast<std::size_t>(random.below(count));
      if (random.chance(0.05)) {
        nodes.remove(NodeId(i));
      } else {
        const Resources capacity = sizes[i % 4];
        change(i,
               Resources(static_cast<std::int64_t>(random.between(0, 7)) * capacity[0] / 7,
                         static_cast<std::int64_t>(random.between(0, 7)) * capacity[1] / 7),
               static_cast<std::uint32_t>(random.below(3)));
      }
      if (step % 20 != 0) continue;
      const Resources demand(static_cast<std::int64_t>(random.between(0, 4'000)),
                             static_cast<std::int64_t>(random.between(0, 16'000)));
      nodes.restart();
      for (int unit = 0; unit < 5; ++unit) {
        const NodeId expected = first_of_all(demand);
        ASSERT_EQ(nodes.next(demand, [](NodeId) { return true; }), expected) << "step " << step;
        if (!expected.is_valid()) break;
        // Binpack fills a node before it looks for the next.
        const std::int64_t units =
            order == NodeOrder::most_used ? demand.count_in(free[expected.index()]) : 1;
        change(expected.index(), free[expected.index()] - demand * units,
               containers[expected.index()] + static_cast<std::uint32_t>(units));
      }
    }
  }
}

TEST(Spread, BreaksTiesByFewerContainersThenById) {
  PlacementHarness harness(Rule::spread);
  harness.add_nodes(2, Resources(4'000, 16'384));
  // One container of two cores on node 0 and two of one core on node 1 use the same.
  harness.submit_and_ask({.demand = Resources(2'000, 2'048)});
  harness.submit_and_ask({.demand = Resources(1'000, 1'024), .pending = 2});
  ASSERT_EQ(to_text(harness.decide()), "a0:n0 a1:n1 a1:n1");
  harness.submit_and_ask({});
  EXPECT_EQ(to_text(harness.decide()), "a2:n0");
}

TEST(Spread, DominantShareLooksAtTheScarcestDimension) {
  PlacementSettings settings = with_rule(Rule::spread);
  const auto choice = [&] {
    PlacementHarness harness(settings);
    harness.add_nodes(2, Resources(10'000, 10'000));
    // Node 0: 5/10 and 1/10, sum 0.6. Node 1: 4/10 and 4/10, sum 0.8, but dominant 0.4.
    harness.submit_and_ask({.demand = Resources(5'000, 1'000)});
    harness.submit_and_ask({.demand = Resources(4'000, 4'000)});
    harness.decide();
    harness.submit_and_ask({});
    return to_text(harness.decide());
  };
  EXPECT_EQ(choice(), "a2:n0");
  settings.share = UsedShare::dominant;
  EXPECT_EQ(choice(), "a2:n1");
}

TEST(Binpack, FillsOneNodeBeforeTheNext) {
  PlacementHarness harness(Rule::binpack);
  harness.add_nodes(3, Resources(2'000, 16'384));
  harness.submit_and_ask({.pending = 5});
  EXPECT_EQ(to_text(harness.decide()), "a0:n0 a0:n0 a0:n1 a0:n1 a0:n2");
}

TEST(Binpack, TakesTheFullestNodeThatStillHasRoom) {
  PlacementHarness harness(Rule::binpack);
  harness.add_nodes(3, Resources(4'000, 16'384));
  harness.submit_and_ask({.demand = Resources(3'000, 1'024)});
  harness.submit_and_ask({.demand = Resources(2'000, 1'024)});
  ASSERT_EQ(to_text(harness.decide()), "a0:n0 a1:n1");
  // Two cores: node 0 is fullest but has one core left; node 1 has two.
  harness.submit_and_ask({.demand = Resources(2'000, 1'024)});
  EXPECT_EQ(to_text(harness.decide()), "a2:n1");
  harness.submit_and_ask({.demand = Resources(1'000, 1'024)});
  EXPECT_EQ(to_text(harness.decide()), "a3:n0");
}

TEST(Random, DrawsEveryNodeThatHasRoomWithTheSameChance) {
  PlacementHarness harness(Rule::random);
  constexpr int nodes = 40;
  // Only every tenth node has room, so that drawing often ends in listing.
  for (int i = 0; i < nodes; ++i) {
    harness.add_node(i % 10 == 3 ? Resources(8'000, 65'536) : Resources(500, 65'536));
  }
  std::map<std::uint32_t, int> counts;
  constexpr int draws = 8'000;
  for (int i = 0; i < draws; ++i) {
    const AskId ask = harness.submit_and_ask({});
    const auto placed = harness.decide();
    ASSERT_EQ(placed.size(), 1u);
    ++counts[placed[0].node.value()];
    const ApplicationId application = harness.cluster().asks[ask].application;
    harness.end(placed[0].container);
    harness.finish(application);
  }
  ASSERT_EQ(counts.size(), 4u);
  // Binomial: mean 2,000, standard deviation 38.7; four of them are 155.
  for (const auto& [node, count] : counts) EXPECT_NEAR(count, 2'000, 155) << "node " << node;
}

TEST(Random, DependsOnTheSeedAlone) {
  const auto run = [](std::uint64_t seed) {
    PlacementSettings settings = with_rule(Rule::random);
    settings.seed = seed;
    PlacementHarness harness(settings);
    harness.add_nodes(50, Resources(8'000, 65'536));
    harness.submit_and_ask({.pending = 30});
    return to_text(harness.decide());
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST(Placement, PassesOverWhatDoesNotFit) {
  PlacementHarness harness(Rule::spread);
  harness.add_node(Resources(2'000, 16'384));
  harness.submit_and_ask({.demand = Resources(4'000, 1'024)});
  harness.submit_and_ask({});
  EXPECT_EQ(to_text(harness.decide()), "a1:n0");
}

TEST(Placement, ServesByApplicationThenPriorityAcrossDifferentDemands) {
  PlacementHarness harness(Rule::binpack);
  const NodeId node = harness.add_node(Resources(6'000, 16'384));
  harness.remove_node(node);
  const ApplicationId first = harness.submit();
  const ApplicationId second = harness.submit();
  harness.decide();
  harness.ask(second, {.demand = Resources(1'000, 1'024), .priority = 0});
  harness.ask(first, {.demand = Resources(2'000, 1'024), .priority = 20});
  harness.ask(first, {.demand = Resources(1'000, 1'024), .priority = 10});
  harness.decide();
  harness.bring_back(node);
  EXPECT_EQ(to_text(harness.decide()), "a2:n0 a1:n0 a0:n0");
}

TEST(Placement, PlacesAGangWholeOrNotAtAll) {
  PlacementHarness harness(Rule::spread);
  harness.add_nodes(2, Resources(2'000, 16'384));
  harness.submit_and_ask({.pending = 5, .kind = StageKind::gang});
  harness.submit_and_ask({.pending = 3, .kind = StageKind::gang});
  EXPECT_EQ(to_text(harness.decide()), "a1:n0x2 a1:n1");
}

// A gang that found room for some of its units only must leave no trace: what is used and how many
// containers there are is as before, so the next unit goes where it would have gone.
TEST(Placement, TakesBackAGangThatDoesNotFitWhole) {
  PlacementHarness harness(Rule::spread);
  // The sums fit (4 cores, 3,584 MiB), but only node 0 has room, and for two units.
  harness.add_node(Resources(2'000, 3'072));
  harness.add_node(Resources(2'000, 512));
  harness.submit_and_ask({.pending = 3, .kind = StageKind::gang});
  // A unit is 1/3 of node 0 and 3/4 of node 1, both dimensions added.
  harness.submit_and_ask({.demand = Resources(500, 256), .pending = 3});
  EXPECT_EQ(to_text(harness.decide()), "a1:n0 a1:n0 a1:n1");
  harness.verify();
}

TEST(Placement, PrefersNodesThenRacksThatHoldInput) {
  PlacementHarness harness(preferring_input(Rule::spread));
  harness.add_node(Resources(1'000, 16'384), RackId(0u));
  harness.add_node(Resources(1'000, 16'384), RackId(1u));
  const NodeId home = harness.add_node(Resources(1'000, 16'384), RackId(1u));
  harness.submit_and_ask({.pending = 3, .nodes = {{home, 3}}, .racks = {{RackId(1u), 3}}});
  EXPECT_EQ(to_text(harness.decide()), "a0:n2 a0:n1 a0:n0");
}

TEST(Placement, PutsNoMoreUnitsOnANodeForItsInputThanWanted) {
  PlacementHarness harness(preferring_input(Rule::binpack));
  harness.add_node(Resources(8'000, 16'384));
  const NodeId home = harness.add_node(Resources(8'000, 16'384));
  harness.submit_and_ask({});
  ASSERT_EQ(to_text(harness.decide()), "a0:n0");
  harness.submit_and_ask({.pending = 3, .nodes = {{home, 1}}});
  // One at its input; then node 0 and node 1 are used alike with one container each: the smaller
  // id, which stays the fuller one.
  EXPECT_EQ(to_text(harness.decide()), "a1:n1 a1:n0 a1:n0");
}

TEST(Placement, IgnoresWhereInputIsUnlessTold) {
  PlacementHarness harness(Rule::spread);
  harness.add_node(Resources(8'000, 16'384));
  const NodeId home = harness.add_node(Resources(8'000, 16'384));
  harness.submit_and_ask({.nodes = {{home, 1}}});
  EXPECT_EQ(to_text(harness.decide()), "a0:n0");
}

TEST(Placement, KeepsUnrelaxedUnitsWhereTheyBelong) {
  PlacementHarness harness(Rule::binpack);
  harness.add_node(Resources(8'000, 16'384), RackId(0u));
  const NodeId home = harness.add_node(Resources(1'000, 16'384), RackId(1u));
  harness.submit_and_ask({.pending = 2, .relax_locality = false, .nodes = {{home, 2}}});
  EXPECT_EQ(to_text(harness.decide()), "a0:n1");
}

}  // namespace
}  // namespace tracebed
