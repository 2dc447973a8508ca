#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> messages(const std::string& header, const std::string& page,
                                  const std::string& entries = R"({{"a-b"}, {"c", never}})") {
  const std::vector<SourceFile> files = {
      make_source("schedulers/a.h", header), make_source("docs/differences.md", page),
      make_source("schedulers/entries/differences.cpp", entries)};
  Findings findings;
  check_deviations(files, findings);
  std::vector<std::string> messages;
  for (const Finding& finding : findings) messages.push_back(finding.message);
  return messages;
}

TEST(DeviationRule, WantsEachInTheHeadersAndOnThePage) {
  const std::string header =
      "// It schedules.\n// - not one\n//\n// Deviations, each on purpose:\n"
      "// - [a-b] One, over\n//   two lines.\n// - [c] Another.\n#pragma once\n// - nor this\n";
  const std::string row_of_c = "| `c` | there | here | effect |\n";
  EXPECT_THAT(messages(header, "| `a-b`, `x` |\n" + row_of_c),
              ElementsAre("no header states the deviation x"));
  EXPECT_THAT(messages(header, "| `a-b` | `key` there |\n" + row_of_c), IsEmpty());
  EXPECT_THAT(messages(header, "`a-b`\n" + row_of_c),
              ElementsAre("docs/differences.md does not list the deviation a-b"));
  const std::string page = "| `a-b` | there |\n" + row_of_c;
  EXPECT_THAT(messages(header, page, R"({"a-b"})"),
              ElementsAre("schedulers/entries/differences.cpp does not say what touches c"));
  EXPECT_THAT(messages(header, page, R"({"a-b"}, {"c"}, {"d"})"),
              ElementsAre("no header states the deviation d"));
}

TEST(DeviationRule, WantsANameForEach) {
  EXPECT_THAT(messages("// Deviations, each on purpose:\n// - One.\n", "", ""),
              ElementsAre("a deviation needs a name: \"// - [name] Text\""));
  EXPECT_THAT(messages("// Deviation: one.\n", "", ""),
              ElementsAre("begin the list with \"// Deviations, each on purpose\", each with a \"- "
                          "[name]\""));
}

}  // namespace
}  // namespace tracebed::lint
