// The two rules of vector bin packing, with choices worked by hand, and the search behind them.
#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "core/random.h"
#include "schedulers/placement/placement.h"
#include "schedulers/policy_harness.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

std::unique_ptr<Scheduler> made_packing(const std::string& name, const std::string& weights) {
  SchedulerParameters parameters;
  if (!weights.empty()) parameters.settings["weights"] = weights;
  auto made = test::schedulers().make(name, parameters);
  EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().message);
  return std::move(made).value();
}

// Three nodes of 8 cores and 8 GiB, of which 6 cores and 2 GiB, 2 cores and 7 GiB, and 3 cores and
// 3 GiB are free. Then a job asks for units of this demand.
std::string packed(const std::string& rule, const Resources& demand, std::uint32_t units,
                   const std::string& weights = "") {
  const auto scheduler = made_packing(rule, weights);
  PolicyHarness harness(*scheduler);
  for (const Resources& used :
       {Resources(2'000, 6'144), Resources(6'000, 1'024), Resources(5'000, 5'120)}) {
    const NodeId node = harness.add_node(Resources(8'000, 8'192));
    harness.submit_and_ask({.demand = used, .relax_locality = false, .nodes = {{node, 1}}});
    harness.decide();
  }
  harness.submit_and_ask({.demand = demand, .pending = units});
  const std::string text = to_text(harness.decide());
  harness.verify();
  return text;
}

// Twice the free cores and once the free memory: 14, 11 and 9. With the first unit node 0 has 9,
// with the second node 1 no core, and of equal ones the smaller id comes first.
TEST(DotProduct, TakesTheNodeThatIsFreeWhereTheDemandIs) {
  EXPECT_EQ(packed("dot_product", Resources(2'000, 1'024), 4), "a3:n0 a3:n1 a3:n0 a3:n2");
  // Once and twice: 10, 16 and 9.
  EXPECT_EQ(packed("dot_product", Resources(1'000, 2'048), 1), "a3:n1");
}

// Squares of what is left of cores and memory: 17, 36 and 5; node 2 has no room then, and node 0
// has it for one more, after which 4 + 0 is left of it.
TEST(L2Norm, TakesTheNodeOfWhichTheLeastIsLeft) {
  EXPECT_EQ(packed("l2_norm", Resources(2'000, 1'024), 4), "a3:n2 a3:n0 a3:n0 a3:n1");
  // Only nodes with room: 4 + 1 on node 0.
  EXPECT_EQ(packed("l2_norm", Resources(4'000, 1'024), 1), "a3:n0");
}

// Memory counts four times: 12 + 8, 4 + 28 and 6 + 12. For the norm ten times: 16 + 10, 360 and
// 1 + 40.
TEST(Packing, WeightsDimensions) {
  const Resources demand(2'000, 1'024);
  EXPECT_EQ(packed("dot_product", demand, 1, "memory=4"), "a3:n1");
  EXPECT_EQ(packed("l2_norm", demand, 1, "vcores=1,memory=10"), "a3:n0");
}

TEST(Packing, GoesByPartsOfEachNodesOwnCapacity) {
  for (const char* rule : {"dot_product", "l2_norm"}) {
    const auto scheduler = made_packing(rule, "");
    PolicyHarness harness(*scheduler);
    harness.add_node(Resources(4'000, 4'096));
    harness.add_node(Resources(16'000, 16'384));
    // Half of node 0 and an eighth of node 1, both wholly free: ½ + ½ against ⅛ + ⅛, and ¼ + ¼ left
    // against 49/64 twice.
    harness.submit_and_ask({.demand = Resources(2'000, 2'048)});
    EXPECT_EQ(to_text(harness.decide()), "a0:n0") << rule;
  }
}

TEST(Packing, PrefersNodesThenRacksThatHoldInput) {
  for (const char* rule : {"dot_product", "l2_norm"}) {
    SchedulerParameters parameters;
    parameters.settings["locality"] = "prefer";
    const auto scheduler = std::move(test::schedulers().make(rule, parameters)).value();
    PolicyHarness harness(*scheduler);
    harness.add_node(Resources(1'000, 16'384), RackId(0u));
    harness.add_node(Resources(1'000, 16'384), RackId(1u));
    const NodeId home = harness.add_node(Resources(1'000, 16'384), RackId(1u));
    harness.submit_and_ask({.pending = 3, .nodes = {{home, 3}}, .racks = {{RackId(1u), 3}}});
    EXPECT_EQ(to_text(harness.decide()), "a0:n2 a0:n1 a0:n0") << rule;
  }
}

// Of nodes in three sizes that change at random, a search finds what a loop over all does.
TEST(FreeSpace, FindsWhatALoopDoes) {
  constexpr std::size_t count = 400;
  const std::array<Resources, 3> sizes = {Resources(4'000, 16'384), Resources(16'000, 65'536),
                                          Resources(7'000, 30'000)};
  for (const PackingScore score : {PackingScore::dot_product, PackingScore::l2_norm}) {
    Random random(7);
    FreeSpace space(score, equal_packing_weights());
    std::vector<Resources> free(count);
    std::vector<bool> exists(count, false);
    for (int step = 0; step < 3'000; ++step) {
      const auto i = static_cast<std::size_t>(random.below(count));
      Node node;
      node.id = NodeId(i);
      node.capacity = sizes[i % 3];
      exists[i] = !random.chance(0.05);
      if (exists[i]) {
        // Half of them are full or empty in steps, so that many nodes are alike.
        const auto drawn = [&](std::int64_t whole) {
          return random.chance(0.5)
                     ? static_cast<std::int64_t>(random.between(0, 7)) * whole / 7
                     : static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(whole)));
        };
        free[i] = Resources(drawn(node.capacity[0]), drawn(node.capacity[1]));
        space.update(node, free[i]);
      } else {
        space.remove(node.id);
      }
      if (step % 10 != 0) continue;
      const Resources demand(static_cast<std::int64_t>(random.between(0, 4'000)),
                             static_cast<std::int64_t>(random.between(0, 16'000)));
      NodeId expected;
      for (std::size_t n = 0; n < count; ++n) {
        const NodeId other(n);
        if (!exists[n] || n % 5 == 0 || !demand.fits_in(free[n])) continue;
        if (!expected.is_valid() || space.loss(other, demand) < space.loss(expected, demand)) {
          expected = other;
        }
      }
      const auto will_do = [&](NodeId n) {
        return n.index() % 5 != 0 && demand.fits_in(free[n.index()]);
      };
      ASSERT_EQ(space.best(demand, will_do), expected) << "step " << step;
    }
  }
}

}  // namespace
}  // namespace tracebed
