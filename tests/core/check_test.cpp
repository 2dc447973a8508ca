#include "core/check.h"

#include <gtest/gtest.h>
#include <string>

#include "core/exit_codes.h"

namespace tracebed {
namespace {

TEST(Checks, LetATrueConditionPassWithoutReadingTheMessage) {
  bool message_was_read = false;
  const auto message = [&] {
    message_was_read = true;
    return std::string("unused");
  };
  TRACEBED_CHECK(1 + 1 == 2, message());
  EXPECT_FALSE(message_was_read);
}

TEST(Checks, EvaluateTheirConditionOnce) {
  int evaluations = 0;
  TRACEBED_CHECK(++evaluations > 0, "counted");
  EXPECT_EQ(evaluations, 1);
}

TEST(ChecksDeathTest, LeaveWithTheExitCodeOfAFailedInvariant) {
  EXPECT_EXIT(TRACEBED_CHECK(1 + 1 == 3, "sums are right"),
              testing::ExitedWithCode(to_int(ExitCode::failed_invariant)),
              "invariant failed: sums are right(.|\n)*1 \\+ 1 == 3(.|\n)*check_test.cpp:[0-9]+");
}

TEST(ChecksDeathTest, TakeAMessageMadeOnTheSpot) {
  const std::string node = "node-7";
  EXPECT_EXIT(TRACEBED_CHECK(false, node + " has room"), testing::ExitedWithCode(70),
              "node-7 has room");
}

// Scripts tell the kinds of failure apart by these numbers.
TEST(ExitCodes, AreAsDocumented) {
  EXPECT_EQ(to_int(ExitCode::success), 0);
  EXPECT_EQ(to_int(ExitCode::run_failed), 1);
  EXPECT_EQ(to_int(ExitCode::stalled), 7);
  EXPECT_EQ(to_int(ExitCode::usage), 2);
  EXPECT_EQ(to_int(ExitCode::input), 3);
  EXPECT_EQ(to_int(ExitCode::environment), 4);
  EXPECT_EQ(to_int(ExitCode::none_succeeded), 6);
  EXPECT_EQ(to_int(ExitCode::failed_invariant), 70);
  EXPECT_EQ(to_int(ExitCode::interrupted), 130);
}

}  // namespace
}  // namespace tracebed
