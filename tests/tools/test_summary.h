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
  std::vector<std::string> unstable;  // failed at first, and passed each time they were repeated
  std::map<std::string, std::vector<std::string>> skipped_by_reason;
};

// `document` is what `ctest --output-junit` wrote; `build` stands before each test's name. A
// document that cannot be read is a failure.
void add_junit(std::string_view build, std::string_view document, TestSummary& summary);

// Lines of "passed", "failed" or "skipped", a tab, and the step's name; where it was skipped,
// another tab and the reason.
void add_steps(std::string_view text, TestSummary& summary);

// The tests of ctest's results that failed by assertions of GoogleTest alone. One that ended
// otherwise (a signal, a sanitizer's report, a timeout), or shows a broken invariant of a program
// that it started, is not among them: it is a failure whatever comes later.
std::vector<std::string> failed_by_assertion(std::string_view document);

// Lines of tests' names, with the build before each: counted as unstable instead of failed.
void set_unstable(std::string_view text, TestSummary& summary);

// All .xml files, steps.tsv and unstable.txt in `folder`, by name.
TestSummary summarise(const std::filesystem::path& folder);

// A line for each unstable test, each failure and each reason to skip, then "N passed, N failed, N
// skipped".
std::string to_text(const TestSummary& summary);

}  // namespace tracebed::tools
