#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> messages(const std::string& list) {
  const std::vector<SourceFile> files = {
      make_source(
          "tests/a_test.cpp",
          "\nTEST_F(Link, Holds) {\n}\nTEST_P(Link,\n       Breaks) {\n}\n// TEST(Link, Old) {\n"),
      make_source("tests/timed_tests.txt", list)};
  Findings findings;
  check_timed_tests(files, findings);
  std::vector<std::string> messages;
  for (const Finding& finding : findings) {
    messages.push_back(std::to_string(finding.line) + ": " + finding.message);
  }
  return messages;
}

TEST(TimedTestRule, WantsANameThatATestHasADateAndAReason) {
  EXPECT_THAT(messages("# why\n\nLink.Holds 2026-11-27\n  slow\nLink.Breaks/2 2026-11-27\n  slow\n"
                       "Link.* 2026-11-28\n  slow\n"),
              IsEmpty());
  EXPECT_THAT(messages("Link.Old 2026-11-27\n  slow\nLinks.* 2026-11-27\n  slow\n"),
              ElementsAre("1: no test has the name Link.Old", "3: no test has the name Links.*"));
  EXPECT_THAT(
      messages("Link.Holds\n  slow\nLink.Breaks 27.11.2026\n  slow\n"),
      ElementsAre("1: expected SUITE.TEST YYYY-MM-DD", "3: expected SUITE.TEST YYYY-MM-DD"));
  EXPECT_THAT(messages("Link.Holds 2026-11-27\nLink.Breaks 2026-11-27\n"),
              ElementsAre("1: Link.Holds has no reason", "2: Link.Breaks has no reason"));
  EXPECT_THAT(messages("Link.Holds 2026-11-27\n  slow\nLink.Holds 2026-11-27\n  slow\n"),
              ElementsAre("3: Link.Holds again"));
}

}  // namespace
}  // namespace tracebed::lint
