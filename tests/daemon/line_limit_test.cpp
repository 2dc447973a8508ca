#include "daemon/line_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using std::chrono::seconds;

constexpr LineLimit::Moment begin{};

TEST(LineLimit, WritesTheFirstOfAKindAndCountsTheRest) {
  LineLimit limit;
  std::uint64_t written = 0;
  for (int i = 0; i < 20'000; ++i) written += limit.admits("too large", begin) ? 1u : 0u;
  EXPECT_EQ(written, LineLimit::lines_max);
  EXPECT_TRUE(limit.admits("another kind", begin));
  EXPECT_THAT(limit.take_left_out(begin + LineLimit::window - seconds(1)), testing::IsEmpty());
  const auto left_out = limit.take_left_out(begin + LineLimit::window);
  ASSERT_EQ(left_out.size(), 1u) << "of the other kind nothing was left out";
  EXPECT_EQ(left_out[0].kind, "too large");
  EXPECT_EQ(left_out[0].lines, 20'000 - LineLimit::lines_max);
  EXPECT_THAT(limit.take_left_out(begin + LineLimit::window), testing::IsEmpty());
  EXPECT_TRUE(limit.admits("too large", begin + LineLimit::window)) << "in the next window";
}

// Written and counted lines together are all lines, whatever comes when.
TEST(LineLimit, LosesNoLineOfItsCount) {
  LineLimit limit;
  std::uint64_t written = 0;
  std::uint64_t counted = 0;
  constexpr int lines = 50'000;
  for (int i = 0; i < lines; ++i) {
    const auto now = begin + std::chrono::milliseconds(i * 37);
    written += limit.admits("kind " + std::to_string(i * 7 % 5), now) ? 1u : 0u;
    for (const auto& of_kind : limit.take_left_out(now)) counted += of_kind.lines;
  }
  for (const auto& of_kind : limit.take_left_out(begin + seconds(10'000))) counted += of_kind.lines;
  EXPECT_EQ(written + counted, static_cast<std::uint64_t>(lines));
  EXPECT_LE(written, 5u * LineLimit::lines_max * (50'000 * 37 / 60'000 + 1));
}

// Whoever invents kinds shares one with all others who do.
TEST(LineLimit, HoldsABoundedNumberOfKinds) {
  LineLimit limit;
  std::uint64_t written = 0;
  for (int i = 0; i < 10'000; ++i) written += limit.admits(std::to_string(i), begin) ? 1u : 0u;
  EXPECT_EQ(written, LineLimit::kinds_max + LineLimit::lines_max);
  const auto left_out = limit.take_left_out(begin + LineLimit::window);
  ASSERT_EQ(left_out.size(), 1u);
  EXPECT_EQ(left_out[0].kind, LineLimit::others);
}

}  // namespace
}  // namespace tracebed
