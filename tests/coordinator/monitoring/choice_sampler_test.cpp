// What a run keeps of how its scheduler compared nodes.
#include "coordinator/monitoring/choice_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace tracebed {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

ClusterModel cluster_of(std::size_t nodes) {
  ClusterModel cluster;
  for (std::size_t i = 0; i < nodes; ++i) {
    Node& node = cluster.nodes.emplace_back();
    node.id = NodeId(i);
    node.name = "n" + std::to_string(i);
  }
  return cluster;
}

NodeScore scored(std::uint32_t node, double sum) {
  return {NodeId(node), {}, {{"sum", "sum", sum}, {"units", "units", std::int64_t{2}}}};
}

SchedulerView view_of(PlacementChoice choice) {
  SchedulerView view;
  view.choices.push_back(std::move(choice));
  return view;
}

TEST(ChoiceSamplerTest, KeepsTheChosenNodeAndTheNextBest) {
  ChoiceSampler sampler;
  PlacementChoice choice{.at = TraceTime(seconds(4)), .job = JobId(9u), .chosen = NodeId(2u)};
  // The chosen one comes first, even if it was drawn from a tie.
  choice.nodes = {scored(0, 3),
                  {NodeId(1u), "fits", {}},
                  scored(2, 7),
                  scored(3, 7),
                  scored(4, 1),
                  {NodeId(5u), "fits", {}},
                  scored(6, 5),
                  scored(7, 2),
                  {NodeId(8u), "label", {}}};
  sampler.take(view_of(choice), cluster_of(9));
  ASSERT_EQ(sampler.choices().size(), 1u);
  const SampledChoice& kept = sampler.choices().front();
  EXPECT_EQ(kept.at, TraceTime(seconds(4)));
  EXPECT_EQ(kept.job, JobId(9u));
  EXPECT_EQ(kept.chosen, "n2");
  EXPECT_EQ(kept.candidates, 6u);
  EXPECT_THAT(kept.excluded, ElementsAre(Pair("fits", 2u), Pair("label", 1u)));
  std::string best;
  for (const RankedNode& ranked : kept.best) best += ranked.node + " ";
  EXPECT_EQ(best, "n2 n3 n6 n0 n7 ");
  EXPECT_THAT(kept.best[0].scores, ElementsAre(Pair("sum", 7.0), Pair("units", 2.0)));
  EXPECT_EQ(choice_json(kept).at("best").at(1).at("node"), "n3");
}

TEST(ChoiceSamplerTest, KeepsThatThereWasNoCandidate) {
  ChoiceSampler sampler;
  PlacementChoice choice;
  choice.nodes = {{NodeId(0u), "fits", {}}};
  sampler.take(view_of(choice), cluster_of(1));
  EXPECT_EQ(sampler.choices().front().chosen, "");
  EXPECT_EQ(sampler.choices().front().candidates, 0u);
  sampler.take({}, cluster_of(1));
  EXPECT_EQ(sampler.choices().size(), 1u) << "nothing was placed since";
}

TEST(ChoiceSamplerTest, KeepsFewEvenlyOverARunOfAnyLength) {
  for (const std::int64_t samples : {39, 40, 41, 1'000}) {
    ChoiceSampler sampler;
    for (std::int64_t i = 0; i < samples; ++i) {
      PlacementChoice choice{.at = TraceTime(seconds(i)), .chosen = NodeId(0u)};
      choice.nodes = {scored(0, static_cast<double>(i))};
      sampler.take(view_of(choice), cluster_of(1));
    }
    const auto& kept = sampler.choices();
    EXPECT_LE(kept.size(), ChoiceSampler::kept_max);
    EXPECT_GE(kept.size(), std::min<std::size_t>(20, static_cast<std::size_t>(samples)));
    for (const SampledChoice& one : kept) {
      ASSERT_EQ(one.best.size(), 1u);
      EXPECT_EQ(one.best[0].scores[0].second, to_seconds(one.at));
    }
    const Duration step = kept[1].at - kept[0].at;
    for (std::size_t i = 1; i < kept.size(); ++i) EXPECT_EQ(kept[i].at - kept[i - 1].at, step);
    EXPECT_GT(kept.back().at + step, TraceTime(seconds(samples - 1)));
  }
}

}  // namespace
}  // namespace tracebed
