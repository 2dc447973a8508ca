#include "report/refusals.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

TEST(Refusals, AreWarnedAboutWhenTheyAreAsManyAsWhatWasCommitted) {
  EXPECT_EQ(refusal_text({{"rounds", 9}, {"decisions", 1'000}, {"refusals", 499}}), "");
  EXPECT_EQ(refusal_text({{"decisions", 1'000},
                          {"refusals", 500},
                          {"refusals_for_ask_closed", 100},
                          {"refusals_for_does_not_fit", 400}}),
            "500 of the scheduler's 1000 decisions were refused: it proposes far more than is "
            "committed; most often for does_not_fit (400)");
  EXPECT_EQ(refusal_text({{"decisions", 100}, {"refusals", 99}}), "") << "too few to tell";
  EXPECT_EQ(refusal_text({}), "") << "a run of nothing";
}

}  // namespace
}  // namespace tracebed
