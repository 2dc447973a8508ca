#include "tools/test_summary.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <pugixml.hpp>
#include <sstream>

namespace tracebed::tools {
namespace {

std::string_view last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);
}

// GoogleTest prints a skipped test's message on the lines after "FILE:LINE: Skipped"; other
// programs end with the reason.
std::string skip_reason(std::string_view output) {
  constexpr std::string_view mark = ": Skipped\n";
  const std::size_t found = output.find(mark);
  if (found == std::string_view::npos) {
    const std::string_view reason = last_line(output);
    return reason.empty() ? "no reason given" : std::string(reason);
  }
  const std::string_view rest = output.substr(found + mark.size());
  return std::string(rest.substr(0, rest.find('\n')));
}

std::string read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// The tests of a suite that ran in one process, by what GoogleTest printed.
void add_suite(const std::string& suite, const std::string& build, std::string_view output,
               bool has_failed, TestSummary& summary) {
  constexpr std::string_view run = "[ RUN      ] ", passed = "[       OK ] ";
  constexpr std::string_view skipped = "[  SKIPPED ] ", failed = "[  FAILED  ] ";
  const auto name_of = [&](std::string_view line, std::string_view mark) {
    line.remove_prefix(mark.size());
    return build + std::string(line.substr(0, line.find_first_of(" ,")));
  };
  std::string running;
  std::string reason = "no reason given";
  std::size_t failures = 0;
  bool says_reason = false;
  std::istringstream lines{std::string(output)};
  for (std::string line; std::getline(lines, line);) {
    if (says_reason) reason = line;
    says_reason = line.ends_with(": Skipped");
    if (line.starts_with(run)) running = name_of(line, run);
    if (!line.ends_with(" ms)") || running.empty()) continue;
    if (line.starts_with(passed)) {
      ++summary.passed;
    } else if (line.starts_with(skipped)) {
      ++summary.skipped;
      summary.skipped_by_reason[reason].push_back(running);
    } else if (line.starts_with(failed)) {
      ++failures;
      summary.failures.push_back(running);
    } else {
      continue;
    }
    running.clear();
  }
  // ctest keeps the beginning of a long output.
  const bool is_cut = output.find("[This part of the test output was removed") != output.npos;
  if (is_cut && !has_failed) {
    if (!running.empty()) ++summary.passed;
    return;
  }
  // The process ended within a test, or otherwise than its tests did.
  if (!running.empty()) {
    summary.failures.push_back(running);
  } else if (has_failed && failures == 0) {
    summary.failures.push_back(build + suite);
  }
}

bool has_only_failed_assertions(std::string_view output) {
  // GoogleTest's last words, which it has only if it came to its end; and what no repetition
  // undoes: core/check.cpp's words, a program's exit code 70 (core/exit_codes.h), and sanitizers'
  // words.
  if (output.find("\n 1 FAILED TEST\n") == output.npos) return false;
  for (const std::string_view grave :
       {"invariant failed", "Which is: 70\n", "Sanitizer: ", "runtime error: "}) {
    if (output.find(grave) != output.npos) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> failed_by_assertion(std::string_view text) {
  std::vector<std::string> names;
  pugi::xml_document document;
  if (!document.load_buffer(text.data(), text.size())) return names;
  for (const pugi::xml_node test : document.child("testsuite").children("testcase")) {
    const std::string_view status = test.attribute("status").as_string();
    if (status == "fail" &&
        has_only_failed_assertions(test.child("system-out").text().as_string())) {
      names.emplace_back(test.attribute("name").as_string());
    }
  }
  return names;
}

void add_junit(std::string_view build, std::string_view text, TestSummary& summary) {
  pugi::xml_document document;
  const std::string prefix = std::string(build) + ": ";
  if (!document.load_buffer(text.data(), text.size())) {
    summary.failures.push_back(prefix + "the test results cannot be read");
    return;
  }
  for (const pugi::xml_node test : document.child("testsuite").children("testcase")) {
    const std::string name = prefix + test.attribute("name").as_string();
    const std::string_view status = test.attribute("status").as_string();
    const bool has_run = status == "run" || status == "fail";
    if (has_run && name.ends_with(".*")) {
      add_suite(name.substr(prefix.size()), prefix, test.child("system-out").text().as_string(),
                status == "fail", summary);
    } else if (status == "run") {
      ++summary.passed;
    } else if (test.child("skipped")) {
      const std::string reason = skip_reason(test.child("system-out").text().as_string());
      ++summary.skipped;
      summary.skipped_by_reason[reason].push_back(name);
    } else {
      summary.failures.push_back(name);
    }
  }
}

void add_steps(std::string_view text, TestSummary& summary) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(line.find('\t') + 1);
    if (line.starts_with("passed\t")) {
      ++summary.passed;
    } else if (const std::size_t tab = name.find('\t');
               line.starts_with("skipped\t") && tab != std::string::npos) {
      ++summary.skipped;
      summary.skipped_by_reason[name.substr(tab + 1)].push_back(name.substr(0, tab));
    } else {
      summary.failures.push_back(name);
    }
  }
}

void set_unstable(std::string_view text, TestSummary& summary) {
  std::istringstream lines{std::string(text)};
  for (std::string name; std::getline(lines, name);) {
    if (std::erase(summary.failures, name) > 0) summary.unstable.push_back(name);
  }
}

TestSummary summarise(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  TestSummary summary;
  for (const std::filesystem::path& file : files) {
    if (file.extension() == ".xml") add_junit(file.stem().string(), read(file), summary);
    if (file.filename() == "steps.tsv") add_steps(read(file), summary);
  }
  set_unstable(read(folder / "unstable.txt"), summary);
  return summary;
}

std::string to_text(const TestSummary& summary) {
  std::ostringstream text;
  for (const std::string& name : summary.unstable) {
    text << "unstable " << name << ": failed, then passed alone; mend it, or list it as timed\n";
  }
  for (const std::string& name : summary.failures) text << "failed   " << name << "\n";
  for (const auto& [reason, tests] : summary.skipped_by_reason) {
    text << "skipped  " << reason << ": " << tests.front();
    if (tests.size() > 1) text << " and " << tests.size() - 1 << " more";
    text << "\n";
  }
  text << summary.passed << " passed, " << summary.failures.size() << " failed, " << summary.skipped
       << " skipped\n";
  return text.str();
}

}  // namespace tracebed::tools
