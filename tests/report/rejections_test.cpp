#include "report/rejections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Rejections, AreCountedByReasonWhateverTheirNumbers) {
  ReasonCounter counter;
  counter.add("queue batch is unknown");
  counter.add("asks for 20 vcores, the largest machine has 8");
  counter.add("asks for 20 vcores, the largest machine has 8");
  EXPECT_THAT(counter.reasons(),
              ElementsAre(Pair("asks for 20 vcores, the largest machine has 8", 2u),
                          Pair("queue batch is unknown", 1u)));
  counter.add("asks for 1500 vcores, the largest machine has 8");
  EXPECT_EQ(rejection_text(counter.reasons(), 7),
            "4 of 7 jobs were rejected: 3 × asks for 20 vcores, the largest machine has 8 (or with "
            "other numbers); 1 × queue batch is unknown");
  EXPECT_EQ(rejection_text(counter.reasons(), 4).substr(0, 24), "all 4 jobs were rejected");
}

TEST(Rejections, OfNoJobSayNothing) {
  EXPECT_EQ(rejection_text(ReasonCounter().reasons(), 7), "");
}

TEST(Failures, AreToldLikeRejections) {
  EXPECT_EQ(failure_text({{"a task used up its attempts: timed_out", 2}}, 3),
            "2 of 3 jobs failed: 2 × a task used up its attempts: timed_out");
  EXPECT_EQ(failure_text({{"why", 1}}, 1), "the only job failed: 1 × why");
}

TEST(Failures, OfARunWithoutASuccessAreToldBesideRejectionsAndKills) {
  RunEnd end;
  end.rejections = {{"too large", 1}};
  end.failures = {{"out_of_memory", 2}};
  EXPECT_EQ(none_succeeded_text(end, 1, 4),
            "1 of 4 jobs was rejected: 1 × too large; 2 of 4 jobs failed: 2 × out_of_memory; "
            "1 of 4 jobs was killed");
  EXPECT_EQ(none_succeeded_text({.failures = {{"why", 2}}}, 0, 2), "all 2 jobs failed: 2 × why");
}

TEST(Rejections, NameABoundedNumberOfReasons) {
  ReasonCounter counter;
  const auto word = [](int i) { return std::string(1 + static_cast<std::size_t>(i), 'q'); };
  for (int i = 0; i < 1'000; ++i) counter.add("queue " + word(i) + " is unknown");
  ASSERT_EQ(counter.reasons().size(), ReasonCounter::reasons_max);
  EXPECT_THAT(counter.reasons().back(), Pair("other reasons", 1'000 - 49u));
  EXPECT_THAT(rejection_text(counter.reasons(), 1'000),
              testing::EndsWith("; 1 × queue qqqqq is unknown; and 45 more reasons"));
}

}  // namespace
}  // namespace tracebed
