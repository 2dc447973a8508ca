#include "traces/weighted_choice.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

TEST(WeightedChoice, FallsInProportionToTheWeights) {
  WeightedChoice choice;
  for (const double weight : {1.0, 0.0, 3.0}) choice.add(weight);
  EXPECT_EQ(choice.at(0), 0u);
  EXPECT_EQ(choice.at(0.2499), 0u);
  EXPECT_EQ(choice.at(0.25), 2u);  // a weight of zero is never drawn
  EXPECT_EQ(choice.at(0x1.fffffffffffffp-1), 2u);
}

TEST(WeightedChoice, FollowsZipfsLaw) {
  const WeightedChoice choice = WeightedChoice::zipf(3, 1);  // 1, 1/2, 1/3 of 11/6
  EXPECT_EQ(choice.size(), 3u);
  EXPECT_EQ(choice.at(0.545), 0u);
  EXPECT_EQ(choice.at(0.546), 1u);  // 6/11
  EXPECT_EQ(choice.at(0.818), 1u);
  EXPECT_EQ(choice.at(0.819), 2u);  // 9/11
  EXPECT_EQ(WeightedChoice::zipf(4, 0).at(0.75), 3u);
}

TEST(UnitDraw, DependsOnSeedAndPositionAlone) {
  EXPECT_EQ(unit_draw(1, 7), unit_draw(1, 7));
  EXPECT_NE(unit_draw(1, 7), unit_draw(2, 7));
  double sum = 0;
  for (std::uint64_t position = 0; position < 10'000; ++position) {
    const double draw = unit_draw(1, position);
    EXPECT_GE(draw, 0);
    EXPECT_LT(draw, 1);
    sum += draw;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.01);  // three standard deviations of the mean
}

}  // namespace
}  // namespace tracebed
