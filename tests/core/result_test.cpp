#include "core/result.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace tracebed {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return Error{"expected an even number, got " + std::to_string(number)};
  return number / 2;
}

TEST(Results, HoldAValue) {
  const Result<int> result = half(8);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result.has_value());
  EXPECT_EQ(*result, 4);
  EXPECT_EQ(result.value(), 4);
}

TEST(Results, OrSayWhyThereIsNone) {
  const Result<int> result = half(7);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "expected an even number, got 7");
}

TEST(Results, GiveTheirValueAway) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
}

TEST(Results, LetTheirValueBeChangedInPlace) {
  Result<std::string> result(std::string("ab"));
  result->push_back('c');
  *result += 'd';
  EXPECT_EQ(result.value(), "abcd");
}

TEST(Results, MayCarryAnErrorTypeOfTheirOwn) {
  enum class Why { too_small, too_large };
  const Result<int, Why> result(Why::too_large);
  EXPECT_EQ(result.error(), Why::too_large);
}

TEST(Results, OfNothingAreASuccessOrAnError) {
  const Status good = success();
  const Status bad = Error{"the port is taken"};
  EXPECT_TRUE(good);
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.error().message, "the port is taken");
}

TEST(ResultsDeathTest, TheValueOfAFailureIsAFailedInvariant) {
  const Result<int> result = half(7);
  EXPECT_EXIT(static_cast<void>(*result), testing::ExitedWithCode(70), "no value");
}

TEST(ResultsDeathTest, TheErrorOfASuccessIsAFailedInvariant) {
  const Result<int> result = half(8);
  EXPECT_EXIT(static_cast<void>(result.error()), testing::ExitedWithCode(70), "failed result");
}

}  // namespace
}  // namespace tracebed
