#include "tools/test_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace tracebed::tools {
namespace {

using testing::ElementsAre;

// In ctest 3.25's form.
constexpr const char* junit = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="5" failures="1" disabled="0" skipped="2">
  <testcase name="Engine.Works" classname="Engine.Works" time="0.1" status="run">
    <system-out>fine</system-out>
  </testcase>
  <testcase name="Engine.Breaks" classname="Engine.Breaks" time="0.1" status="fail">
    <failure message=""/>
    <system-out>not fine</system-out>
  </testcase>
  <testcase name="Trace.A" classname="Trace.A" time="0.1" status="notrun">
    <skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
    <system-out>[ RUN      ] Trace.A
/src/a_test.cpp:12: Skipped
no trace at ../traces
[  SKIPPED ] Trace.A (0 ms)</system-out>
  </testcase>
  <testcase name="Trace.B" classname="Trace.B" time="0.1" status="notrun">
    <skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
    <system-out>/src/a_test.cpp:40: Skipped
no trace at ../traces
</system-out>
  </testcase>
  <testcase name="Late.NotBuilt" classname="Late.NotBuilt" time="0" status="notrun">
    <failure message="Unable to find executable"/>
  </testcase>
</testsuite>
)xml";

TEST(TestSummaries, CountWhatPassedFailedAndWasSkipped) {
  TestSummary summary;
  add_junit("dev", junit, summary);
  EXPECT_EQ(summary.passed, 1u);
  EXPECT_EQ(summary.skipped, 2u);
  EXPECT_THAT(summary.failures, ElementsAre("dev: Engine.Breaks", "dev: Late.NotBuilt"));
}

TEST(TestSummaries, GroupSkippedTestsByTheirReason) {
  TestSummary summary;
  add_junit("dev", junit, summary);
  ASSERT_EQ(summary.skipped_by_reason.size(), 1u);
  EXPECT_THAT(summary.skipped_by_reason.at("no trace at ../traces"),
              ElementsAre("dev: Trace.A", "dev: Trace.B"));
}

TEST(TestSummaries, CountTheTestsOfASuiteThatRanTogether) {
  const auto summary_of = [](const std::string& status, const std::string& output) {
    TestSummary summary;
    add_junit("asan",
              "<testsuite><testcase name=\"Engine.*\" status=\"" + status + "\"><system-out>" +
                  output + "</system-out></testcase></testsuite>",
              summary);
    return summary;
  };
  const std::string some = R"([ RUN      ] Engine.Works
[       OK ] Engine.Works (0 ms)
[ RUN      ] Engine.Waits
/src/a_test.cpp:12: Skipped
no trace at ../traces
[  SKIPPED ] Engine.Waits (1 ms)
)";
  const TestSummary passed = summary_of("run", some + "[  SKIPPED ] 1 test, listed below:\n");
  EXPECT_EQ(passed.passed, 1u);
  EXPECT_THAT(passed.skipped_by_reason.at("no trace at ../traces"),
              ElementsAre("asan: Engine.Waits"));
  EXPECT_THAT(passed.failures, ElementsAre());
  const std::string fails = some + "[ RUN      ] Engine.Breaks\n/src/a_test.cpp:7: Failure\n";
  EXPECT_THAT(summary_of("fail", fails + "[  FAILED  ] Engine.Breaks, where x = 1 (2 ms)\n"
                                         "[  FAILED  ] 1 test, listed below:\n")
                  .failures,
              ElementsAre("asan: Engine.Breaks"));
  EXPECT_THAT(summary_of("fail", fails + "AddressSanitizer: stack overflow\n").failures,
              ElementsAre("asan: Engine.Breaks"));
  EXPECT_THAT(summary_of("fail", some + "leaks\n").failures, ElementsAre("asan: Engine.*"));
  const TestSummary cut = summary_of(
      "run", some +
                 "[ RUN      ] Engine.Talks\n[This part of the test output was removed since it "
                 "exceeds the threshold of 4194304 bytes.]\n");
  EXPECT_EQ(cut.passed, 2u);
  EXPECT_THAT(cut.failures, ElementsAre());
}

TEST(TestSummaries, AddUpOverBuildsAndSteps) {
  TestSummary summary;
  add_junit("dev", junit, summary);
  add_junit("asan", junit, summary);
  add_steps(
      "passed\tdev builds\nfailed\tdigests are equal\n"
      "skipped\tthe beds\tnot root\nskipped\tcut short\n",
      summary);
  EXPECT_EQ(to_text(summary),
            "failed   dev: Engine.Breaks\n"
            "failed   dev: Late.NotBuilt\n"
            "failed   asan: Engine.Breaks\n"
            "failed   asan: Late.NotBuilt\n"
            "failed   digests are equal\n"
            "failed   cut short\n"
            "skipped  no trace at ../traces: dev: Trace.A and 3 more\n"
            "skipped  not root: the beds\n"
            "3 passed, 6 failed, 5 skipped\n");
}

TEST(TestSummaries, TakeTheLastLineOfOtherProgramsForTheReason) {
  TestSummary summary;
  add_junit("dev", R"(<testsuite><testcase name="Uml" status="notrun">
<skipped message="SKIP_RETURN_CODE=77"/><system-out>checking
there is no user-mode-linux
</system-out></testcase></testsuite>)",
            summary);
  EXPECT_TRUE(summary.skipped_by_reason.contains("there is no user-mode-linux"));
}

TEST(TestSummaries, KnowWhichFailuresMayBeRepeated) {
  const auto repeatable = [](const std::string& status, const std::string& output) {
    return failed_by_assertion("<testsuite><testcase name=\"Link.Holds/1\" status=\"" + status +
                               "\"><system-out>" + output + "</system-out></testcase></testsuite>");
  };
  const std::string end =
      "[  FAILED  ] Link.Holds/1 (2 ms)\n[  PASSED  ] 0 tests.\n"
      "[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Link.Holds/1\n\n 1 FAILED TEST\n";
  EXPECT_THAT(repeatable("fail", end), ElementsAre("Link.Holds/1"));
  EXPECT_THAT(repeatable("run", end), ElementsAre());
  EXPECT_THAT(repeatable("fail", "[ RUN      ] Link.Holds/1\n"), ElementsAre()) << "a signal";
  EXPECT_THAT(repeatable("fail", "core/round.cpp:7: invariant failed: x\n" + end), ElementsAre());
  EXPECT_THAT(repeatable("fail", "  end.exit_code\n    Which is: 70\n" + end), ElementsAre());
  EXPECT_THAT(repeatable("fail", "==7==ERROR: AddressSanitizer: heap\n" + end), ElementsAre());
  EXPECT_THAT(repeatable("fail", "a.cpp:7: runtime error: overflow\n" + end), ElementsAre());
  EXPECT_THAT(failed_by_assertion("<testsuite><testcase"), ElementsAre());
}

TEST(TestSummaries, CountAnUnstableTestNeitherAsPassedNorAsFailed) {
  TestSummary summary;
  add_junit("release", junit, summary);
  set_unstable("release: Engine.Breaks\nrelease: Engine.Works\n", summary);
  EXPECT_EQ(to_text(summary),
            "unstable release: Engine.Breaks: failed, then passed alone; mend it, or list it as "
            "timed\n"
            "failed   release: Late.NotBuilt\n"
            "skipped  no trace at ../traces: release: Trace.A and 1 more\n"
            "1 passed, 1 failed, 2 skipped\n");
}

TEST(TestSummaries, CountAResultFileCutShortAsAFailure) {
  TestSummary summary;
  add_junit("asan", "<testsuite><testcase name=", summary);
  EXPECT_THAT(summary.failures, ElementsAre("asan: the test results cannot be read"));
}

}  // namespace
}  // namespace tracebed::tools
