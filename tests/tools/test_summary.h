// Sums up the results of several test runs: ctest's JUnit files and the steps of run_all.sh.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tracebed::tools {

struct TestSummary {
  std::size_t passed = 0;
  std::size_t skipped = 0;
  std::vector<std::string> failures;
  std::map<std::string, std::vector<std::string>> skipped_by_reason;
};

// `document` is what `ctest --output-junit` wrote; `build` stands before each test's name. A
// document that cannot be read is a failure.
void add_junit(std::string_view build, std::string_view document, TestSummary& summary);

// Lines of "passed", "failed" or "skipped", a tab, and the step's name; where it was skipped,
// another tab and the reason.
void add_steps(std::string_view text, TestSummary& summary);

// All .xml files and steps.tsv in `folder`, by name.
TestSummary summarise(const std::filesystem::path& folder);

// A line for each failure and each reason to skip, then "N passed, N failed, N skipped".
std::string to_text(const TestSummary& summary);

}  // namespace tracebed::tools
