#include "coordinator/sweeps/best_setting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using ::testing::ElementsAre;

// A sweep of `nodes` in steps of ten and of `delay`; each setting has a run for each value.
class BestSettings : public ::testing::Test {
 protected:
  BestSettings() {
    results_.plan.keys = {{"nodes", 1, {"10", "20", "30"}}, {"delay", 1, {"1", "2"}}};
    results_.figure.key = "jct_mean";
    results_.figure.title = "JCT mean";
  }
  void add(std::size_t nodes, std::size_t delay, const std::vector<double>& values) {
    SweepSetting setting{{nodes, delay}, "fifo", {}, {}};
    for (const double value : values) {
      const std::uint64_t seed = setting.runs.size() + 1;
      setting.runs.push_back({seed, std::to_string(value), RunOutcome::complete, value});
    }
    results_.plan.points.push_back(
        {static_cast<std::uint32_t>(results_.plan.points.size() + 1), {nodes, delay}, ""});
    results_.settings.push_back(std::move(setting));
  }
  BestSetting best() const { return best_setting(results_).value(); }

  SweepResults results_;
};

TEST_F(BestSettings, HaveTheLeastMeanWhereLessIsBetter) {
  add(0, 0, {10, 11, 12});
  add(1, 0, {5, 6, 7});
  add(2, 0, {8, 9, 10});
  EXPECT_EQ(best().setting, 1U);
  EXPECT_DOUBLE_EQ(best().mean.mean, 6);
  results_.figure.lower_is_better = false;
  EXPECT_EQ(best().setting, 0U);
}

TEST_F(BestSettings, AreFarFromWhatRepetitionsDoNotExplain) {
  add(0, 0, {10, 11, 12, 13, 14, 15});
  add(1, 0, {20, 21.1, 22, 23, 24, 25});
  const BestSetting found = best();
  ASSERT_EQ(found.others.size(), 1U);
  EXPECT_EQ(found.others[0].verdict, BesideBest::worse);
  EXPECT_NEAR(found.others[0].difference, 10.0167, 1e-3);
}

TEST_F(BestSettings, AreNotToldFromWhatTheNoiseHides) {
  add(0, 0, {10, 14, 9, 15});
  add(1, 0, {12, 11, 13, 13});
  EXPECT_EQ(best().others[0].verdict, BesideBest::within_noise);
}

// One in twenty of two equal settings differs by chance; of many settings one does nearly always.
TEST_F(BestSettings, AreHarderToTellAmongMany) {
  const std::vector<double> least{10, 11, 12, 13};
  add(0, 0, least);
  add(1, 0, {10.3, 12, 12.6, 14.2});
  ASSERT_EQ(best().others[0].verdict, BesideBest::worse);
  for (std::size_t i = 0; i < 20; ++i) add(2, 1, {40, 50, 60, 70.0 + static_cast<double>(i)});
  EXPECT_EQ(best().others[0].verdict, BesideBest::within_noise);
}

TEST_F(BestSettings, HaveNeighboursOneStepAwayInOneKey) {
  add(0, 0, {5, 6});
  add(0, 1, {3, 4});
  add(1, 0, {5, 7});
  add(1, 1, {1, 2});
  add(2, 1, {4, 5});
  const BestSetting found = best();
  EXPECT_EQ(found.setting, 3U);
  std::vector<std::pair<std::size_t, std::size_t>> neighbours;  // key, setting
  for (const SettingNeighbour& one : found.neighbours) {
    neighbours.emplace_back(one.key, one.difference.setting);
  }
  EXPECT_THAT(neighbours, ElementsAre(std::pair(0U, 1U), std::pair(0U, 4U), std::pair(1U, 2U)));
}

TEST_F(BestSettings, AreNotAmongThoseWithRunsThatStalled) {
  add(0, 0, {10, 11});
  add(1, 0, {1, 2});
  results_.settings[1].runs[0] = {1, "x", RunOutcome::stalled, std::nullopt};
  EXPECT_EQ(best().setting, 0U);
  EXPECT_EQ(best().incomplete, 1U);
}

TEST_F(BestSettings, AreExactWhereNothingVaries) {
  for (std::size_t i = 0; i < 3; ++i) add(i, 0, {i == 2 ? 6.0 : 5.0, i == 2 ? 6.0 : 5.0});
  EXPECT_EQ(best().others[0].verdict, BesideBest::identical);
  EXPECT_EQ(best().others[1].verdict, BesideBest::exactly_worse);
}

TEST_F(BestSettings, OfOneRepetitionTellNothingOfNoise) {
  add(0, 0, {10});
  add(1, 0, {20});
  EXPECT_EQ(best().others[0].verdict, BesideBest::one_repetition);
  EXPECT_FALSE(best().others[0].interval);
}

TEST_F(BestSettings, HaveResponsesThatAreMeansOverTheOtherKeysByRepetition) {
  add(0, 0, {10, 20});
  add(0, 1, {30, 40});
  add(1, 0, {1, 2});
  const std::vector<Response> all = responses(results_);
  ASSERT_EQ(all.size(), 2U);
  ASSERT_EQ(all[0].rows.size(), 2U);
  EXPECT_EQ(all[0].rows[0].response.settings, 2U);
  EXPECT_DOUBLE_EQ(all[0].rows[0].response.mean->mean, 25);  // of 20 with seed 1 and 30 with seed 2
  EXPECT_EQ(all[0].rows[0].response.best, 0U);
  EXPECT_DOUBLE_EQ(all[0].rows[1].response.mean->mean, 1.5);
  EXPECT_EQ(all[1].rows[0].response.settings, 2U);
}

// Keys a and b of a grid; a third key is averaged over, paired by repetition.
TEST_F(BestSettings, RespondToTwoKeysTogether) {
  results_.plan.keys.push_back({"size", 1, {"1", "2"}});
  const auto add_point = [&](std::size_t nodes, std::size_t delay, std::size_t size,
                             const std::vector<double>& values) {
    add(nodes, delay, values);
    results_.settings.back().values.emplace_back(size);
    results_.plan.points.back().values.emplace_back(size);
  };
  add_point(0, 0, 0, {1, 2});
  add_point(0, 0, 1, {3, 6});
  add_point(0, 1, 0, {5, 5});
  add_point(2, 1, 1, {7, 9});
  const std::vector<PairedResponse> pairs = paired_responses(results_);
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_EQ(pairs[0].first, 0U);
  EXPECT_EQ(pairs[0].second, 1U);
  ASSERT_EQ(pairs[0].cells.size(), 3U);
  const PairedResponse::Cell& cell = pairs[0].cells[0];
  EXPECT_EQ(cell.response.settings, 2U);
  EXPECT_DOUBLE_EQ(cell.response.mean->mean, 3);  // of 2 and 4, one for each repetition
  EXPECT_EQ(cell.response.best, 0U);
  EXPECT_EQ(pairs[0].cells[2].first_value, 2U);
}

TEST_F(BestSettings, HaveNoPairOfKeysThatChangeTogether) {
  results_.plan.keys[1].values = {"1", "2", "3"};
  for (const std::size_t i : {0U, 1U, 2U}) add(i, i, {1, 2});
  EXPECT_TRUE(paired_responses(results_).empty());
}

}  // namespace
}  // namespace tracebed
