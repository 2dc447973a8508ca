#include "coordinator/monitoring/warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

class CountingObserver final : public RunObserver {
 public:
  bool should_continue() override { return true; }
  void progressed(const RunProgress&) override {}
  void warned(const std::string&) override { ++warned_; }
  std::size_t warned_ = 0;
};

TEST(WarningsOfARun, AreKeptUpToABoundAndThenThatIsSaid) {
  CountingObserver observer;
  Warnings warnings(observer);
  for (std::size_t i = 0; i < Warnings::kept_max; ++i) warnings.add(std::to_string(i));
  EXPECT_EQ(warnings.messages().size(), Warnings::kept_max);
  EXPECT_EQ(warnings.messages().back(), "999");
  for (int i = 0; i < 90'000; ++i) warnings.add("one more");
  EXPECT_EQ(warnings.messages().size(), Warnings::kept_max + 1);
  EXPECT_THAT(warnings.messages().back(), testing::HasSubstr("more warnings"));
  EXPECT_EQ(observer.warned_, Warnings::kept_max + 90'000);
}

}  // namespace
}  // namespace tracebed
