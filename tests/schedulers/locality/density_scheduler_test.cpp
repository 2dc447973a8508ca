// The scheduler around data block density, with choices worked by hand.
#include "schedulers/locality/density_scheduler.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "schedulers/locality/random_input.h"
#include "schedulers/policy_harness.h"

namespace tracebed {
namespace {

struct OwnedDensity {
  DensityScheduler scheduler;
};

class DensityHarness : private OwnedDensity, public PolicyHarness {
 public:
  explicit DensityHarness(const DensitySettings& settings = {})
      : OwnedDensity{DensityScheduler(settings)}, PolicyHarness(scheduler) {}

  // Nodes for `units` units each.
  void add_nodes(int count, int units) {
    for (int i = 0; i < count; ++i) add_node(Resources(1'000 * units, 1'024 * units));
  }
  // An application whose input has blocks on these nodes.
  ApplicationId submit_with_input(const std::vector<std::vector<std::uint32_t>>& blocks) {
    const ApplicationId id = submit();
    InputBlocks input;
    for (const auto& block : blocks) {
      std::vector<NodeId> nodes;
      for (const std::uint32_t node : block) nodes.emplace_back(node);
      input.add_block(nodes);
    }
    cluster().inputs.emplace(id, input);
    decide();
    return id;
  }
  const DensityScheduler& policy() const { return scheduler; }
  void keep_choices() { scheduler.keep_choices(all_choices); }
};

TEST(DensityScheduler, PlacesInProportionToTheBlocks) {
  DensityHarness harness;
  harness.add_nodes(3, 4);
  const ApplicationId job = harness.submit_with_input({{1}, {1}, {1}, {2}});
  harness.ask(job, {.pending = 4});
  EXPECT_EQ(to_text(harness.decide()), "a0:n1 a0:n1 a0:n1 a0:n2");
}

// Node 1 has room for two of the three units that its blocks stand for, and node 2 for one; the
// last goes to the least used node.
TEST(DensityScheduler, SpreadsWhatHasNoRoomAtTheInput) {
  DensityHarness harness;
  harness.add_node(Resources(4'000, 4'096));
  harness.add_node(Resources(2'000, 2'048));
  harness.add_node(Resources(1'000, 1'024));
  const ApplicationId job = harness.submit_with_input({{1}, {1}, {1}, {2}});
  harness.ask(job, {.pending = 4});
  EXPECT_EQ(to_text(harness.decide()), "a0:n1 a0:n1 a0:n2 a0:n0");
}

TEST(DensityScheduler, SpreadsUnitsThatReadNoInput) {
  DensityHarness harness;
  harness.add_nodes(3, 4);
  harness.submit_and_ask({.pending = 3});
  EXPECT_EQ(to_text(harness.decide()), "a0:n0 a0:n1 a0:n2");
  const ApplicationId job = harness.submit_with_input({{2}});
  harness.ask(job, {.pending = 2, .kind = StageKind::reduce});
  EXPECT_EQ(to_text(harness.decide()), "a1:n0 a1:n1");
}

// The first two units cover the blocks of node 0; as it becomes free again, the blocks of node 1
// are what is left, and the third unit waits for neither.
TEST(DensityScheduler, ContinuesAnAskThatFitsInParts) {
  DensityHarness harness;
  harness.add_nodes(2, 2);
  harness.submit_and_ask({.pending = 2});
  const auto occupied = harness.decide();
  ASSERT_EQ(to_text(occupied), "a0:n0 a0:n1");
  const ApplicationId job = harness.submit_with_input({{0}, {0}, {1}, {1}});
  harness.ask(job, {.pending = 4});
  EXPECT_EQ(to_text(harness.decide()), "a1:n0 a1:n1");
  harness.end(occupied[1].container);
  EXPECT_EQ(to_text(harness.decide()), "a1:n1");
  harness.end(occupied[0].container);
  EXPECT_EQ(to_text(harness.decide()), "a1:n0");
}

TEST(DensityScheduler, WaitsUntilAllUnitsFitIfToldTo) {
  DensityHarness harness({.density = {}, .short_of_room = DensitySettings::ShortOfRoom::gang});
  harness.add_nodes(2, 2);
  harness.submit_and_ask({});
  const auto occupied = harness.decide();
  const ApplicationId job = harness.submit_with_input({{0}, {1}});
  harness.ask(job, {.pending = 4});
  EXPECT_EQ(to_text(harness.decide()), "");
  const ApplicationId small = harness.submit_with_input({{0}});
  harness.ask(small, {});
  const auto placed = harness.decide();
  EXPECT_EQ(to_text(placed), "a2:n0") << "the same demand, but fewer units";
  harness.end(occupied[0].container);
  EXPECT_EQ(to_text(harness.decide()), "") << "three units fit";
  harness.end(placed[0].container);
  EXPECT_EQ(to_text(harness.decide()), "a1:n0 a1:n0 a1:n1 a1:n1");
}

TEST(DensityScheduler, PlacesGangsWholeOrNotAtAll) {
  DensityHarness harness;
  harness.add_nodes(2, 2);
  const ApplicationId job = harness.submit_with_input({{0}, {0}, {0}, {1}});
  const AskId large = harness.ask(job, {.pending = 5, .kind = StageKind::gang});
  EXPECT_EQ(to_text(harness.decide()), "");
  harness.set_pending(large, 4);
  EXPECT_EQ(to_text(harness.decide()), "a0:n0x2 a0:n1x2");
}

TEST(DensityScheduler, KeepsToPlacesAndAvoidedNodes) {
  DensityHarness harness;
  harness.add_nodes(3, 4);
  const ApplicationId job = harness.submit_with_input({{0}, {0}, {1}});
  harness.ask(job, {.pending = 3, .relax_locality = false, .nodes = {{NodeId(1u), 3}}});
  EXPECT_EQ(to_text(harness.decide()), "a0:n1 a0:n1 a0:n1");
  harness.cluster().asks[harness.ask(job, {.pending = 1})].avoided = NodeId(0u);
  EXPECT_EQ(to_text(harness.decide()), "a1:n1");
}

TEST(DensityScheduler, BeginsAnewAfterARefusal) {
  DensityHarness harness;
  harness.add_nodes(3, 4);
  const ApplicationId job = harness.submit_with_input({{1}, {2}});
  harness.refuse_next(1);
  harness.ask(job, {.pending = 2});
  EXPECT_EQ(to_text(harness.decide()), "a0:n2 a0:n1");
}

TEST(DensityScheduler, ShowsWhatEachNodeCountedFor) {
  DensityHarness harness;
  harness.add_nodes(2, 4);
  harness.keep_choices();
  const ApplicationId job = harness.submit_with_input({{0, 1}, {0}, {0}, {1}});
  harness.ask(job, {.pending = 2});
  harness.decide();
  const SchedulerView view = harness.policy().view(harness.cluster());
  ASSERT_EQ(view.choices.size(), 1u) << "both units go to one node";
  // n / k × t is 3 / 4 × 2 = 1.5 for node 0. Its unit stands for the first two of its blocks, one
  // of which is the first of node 1, so that 1 / 4 × 2 = 0.5 is left for that. Of equal fractions,
  // the one of the node with more blocks comes first.
  const NodeScore& first = view.choices[0].nodes[0];
  EXPECT_EQ(view.choices[0].chosen, NodeId(0u));
  EXPECT_EQ(std::get<std::int64_t>(find_figure(first.scores, "uncovered")->value), 3);
  EXPECT_EQ(std::get<std::int64_t>(find_figure(first.scores, "whole")->value), 1);
  EXPECT_EQ(std::get<double>(find_figure(first.scores, "fraction")->value), 0.5);
  const NodeScore& second = view.choices[0].nodes[1];
  EXPECT_EQ(std::get<std::int64_t>(find_figure(second.scores, "uncovered")->value), 1);
  EXPECT_EQ(std::get<double>(find_figure(second.scores, "fraction")->value), 0.5);
}

}  // namespace
}  // namespace tracebed
