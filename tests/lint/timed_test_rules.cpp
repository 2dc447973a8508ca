// tests/timed_tests.txt, which tests/tools/discover_tests.sh reads: a name that no test has any
// more would keep nothing out of the gate, and nobody would see it.
#include <cctype>
#include <set>
#include <string>
#include <string_view>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

constexpr std::string_view list = "tests/timed_tests.txt";

// "Suite.Test" of each TEST, TEST_F and TEST_P, and "Suite.*" for each suite.
std::set<std::string, std::less<>> tests_of(std::span<const SourceFile> files) {
  std::set<std::string, std::less<>> tests;
  for (const SourceFile& file : files) {
    if (!is_in(file, "tests") || !is_cpp(file)) continue;
    for (std::size_t at = file.code.find("\nTEST"); at != std::string::npos;
         at = file.code.find("\nTEST", at + 1)) {
      const std::size_t open = file.code.find('(', at), comma = file.code.find(',', open);
      const std::size_t close = file.code.find(')', open);
      if (close == std::string::npos || comma > close) continue;
      const std::string suite = file.code.substr(open + 1, comma - open - 1);
      const std::size_t name = file.code.find_first_not_of(" \n", comma + 1);
      tests.insert(suite + ".*");
      tests.insert(suite + "." + file.code.substr(name, close - name));
    }
  }
  return tests;
}

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  for (const std::size_t at : {0u, 1u, 2u, 3u, 5u, 6u, 8u, 9u}) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) return false;
  }
  return true;
}

}  // namespace

void check_timed_tests(std::span<const SourceFile> files, Findings& findings) {
  const std::set<std::string, std::less<>> tests = tests_of(files);
  for (const SourceFile& file : files) {
    if (file.path != list) continue;
    std::set<std::string, std::less<>> seen;
    std::string name_without_reason;
    std::size_t last = 0;
    const auto expect_reason = [&] {
      if (name_without_reason.empty()) return;
      findings.push_back({file.path, last, name_without_reason + " has no reason"});
      name_without_reason.clear();
    };
    for_each_line(file.text, [&](std::size_t number, std::string_view line) {
      if (line.starts_with("  ")) return name_without_reason.clear();
      if (line.empty() || line.starts_with('#')) return;
      expect_reason();
      const std::string name(line.substr(0, line.find(' ')));
      name_without_reason = name;
      last = number;
      if (!tests.contains(name.substr(0, name.find('/')))) {
        findings.push_back({file.path, number, "no test has the name " + name});
      }
      if (!seen.insert(name).second) findings.push_back({file.path, number, name + " again"});
      if (line.size() == name.size() || !is_date(line.substr(name.size() + 1))) {
        findings.push_back({file.path, number, "expected SUITE.TEST YYYY-MM-DD"});
      }
    });
    expect_reason();
  }
}

}  // namespace tracebed::lint
