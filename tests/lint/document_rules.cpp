#include <regex>
#include <string>
#include <string_view>

#include "lint/rules.h"
#include "support/markdown_blocks.h"

namespace tracebed::lint {
namespace {

bool is_command(std::string_view line) {
  static const std::regex command{
      R"(^\s*(\w+=\S+ )*(\./run|(\S*/)?(tracebed(-\w+)?|own_scheduler)) .*)"};
  return std::regex_match(line.begin(), line.end(), command);
}

// What a script of the beds has to have in it, of a line that they are said to run; empty if
// nothing.
std::string bed_words(const std::string& line) {
  static const std::regex playbook{R"(\bansible-playbook .* (\w+)\.yml\b)"};
  static const std::regex command{R"(^tracebed (?:cluster|run --on) [a-z]+)"};
  std::smatch found;
  const std::string before = line.substr(0, line.find(" #"));
  const std::string first = before.substr(0, before.find(" -e "));
  if (std::regex_search(first, found, playbook)) return "playbook " + found.str(1);
  if (std::regex_search(before, found, command)) return found.str();
  return {};
}

}  // namespace

void check_commands(std::span<const SourceFile> files, Findings& findings) {
  std::string beds;
  for (const SourceFile& file : files) {
    if (is_in(file, "tests/beds") && file.path.ends_with(".sh")) beds += file.text;
  }
  for (const SourceFile& file : files) {
    const bool is_page =
        file.path.ends_with(".md") && (is_in(file, "docs") || is_in(file, "examples") ||
                                       file.path.find('/') == std::string::npos);
    if (!is_page) continue;
    for (const MarkdownBlock& block : markdown_blocks(file.text)) {
      const bool is_marked =
          block.info == "sh" || block.info == "sh not-run" || block.info == "sh bed";
      for_each_line(block.text, [&](std::size_t number, std::string_view line) {
        const std::size_t at = block.line + number - 1;
        if (!is_marked && is_command(line)) {
          findings.push_back(
              {file.path, at, "a command in a block that is none of sh, sh bed and sh not-run"});
        }
        const std::string words = block.info == "sh bed" ? bed_words(std::string(line)) : "";
        if (beds.find(words) == std::string::npos) {
          findings.push_back({file.path, at, "no bed runs " + words});
        }
      });
    }
  }
}

}  // namespace tracebed::lint
