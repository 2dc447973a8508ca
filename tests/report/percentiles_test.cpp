#include "report/percentiles.h"

#include <array>
#include <gtest/gtest.h>
#include <vector>

namespace tracebed {
namespace {

TEST(Percentiles, AreTheNearestRank) {
  struct Case {
    std::uint64_t count;
    unsigned percent;
    std::uint64_t rank;
  };
  constexpr std::array cases{
      Case{1, 50, 1},    Case{1, 99, 1},     Case{2, 50, 1},      Case{3, 50, 2},
      Case{4, 50, 2},    Case{20, 95, 19},   Case{21, 95, 20},    Case{99, 99, 99},
      Case{100, 99, 99}, Case{101, 99, 100}, Case{1000, 95, 950},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(percentile_rank(c.count, c.percent), c.rank) << "p" << c.percent << " of " << c.count;
  }
}

TEST(Percentiles, AreValuesThatWereMeasured) {
  std::vector<double> values{40, 10, 30, 20};
  EXPECT_EQ(percentile_by_selection(std::span(values), 50), 20);
  EXPECT_EQ(percentile_by_selection(std::span(values), 95), 40);
}

TEST(Percentiles, SpreadTellsCountMeanAndTail) {
  std::vector<double> values;
  for (int i = 200; i >= 1; --i) values.push_back(i);
  const Spread spread = spread_of(values);
  EXPECT_EQ(spread, (Spread{200, 100.5, 100, 190, 198, 200}));
}

TEST(Percentiles, SpreadOfNothingIsZero) {
  EXPECT_EQ(spread_of({}), Spread());
}

}  // namespace
}  // namespace tracebed
