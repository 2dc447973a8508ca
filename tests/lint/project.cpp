#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

// An experiment among the fixtures may name others.
bool may_name_fixtures(const SourceFile& file) {
  return is_in(file, "tests") &&
         (is_cpp(file) || file.path.ends_with("CMakeLists.txt") || file.path.ends_with(".toml"));
}

std::string stem_of(const std::string& path) {
  const std::size_t slash = path.rfind('/') + 1;
  return path.substr(slash, path.find('.', slash) - slash);
}

std::vector<std::string> fixtures_of(const std::filesystem::path& root) {
  std::vector<std::string> fixtures;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "tests")) {
    const std::string path = entry.path().lexically_relative(root).generic_string();
    const bool is_fixture =
        path.find("/fixtures/") != std::string::npos || path.find("/golden/") != std::string::npos;
    if (entry.is_regular_file() && is_fixture) fixtures.push_back(path);
  }
  return fixtures;
}

std::vector<std::string> files_at_top_level(const std::filesystem::path& root) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
  }
  return names;
}

}  // namespace

void check_top_level(std::span<const std::string> names, Findings& findings) {
  constexpr std::array<std::string_view, 9> known{
      "ARCHITECTURE.md",   "CHANGELOG.md",          "CMakeLists.txt",
      "CMakePresets.json", "CONTRIBUTING.md",       "README.md",
      "SECURITY.md",       "compile_commands.json", "run"};
  for (const std::string& name : names) {
    const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
    if (is_known || name.starts_with('.')) continue;
    findings.push_back({name, 0, "a file that does not belong on the top level"});
  }
}

void check_fixtures_are_used(std::span<const SourceFile> files,
                             std::span<const std::string> fixtures, Findings& findings) {
  for (const std::string& fixture : fixtures) {
    const std::string stem = stem_of(fixture);
    bool is_named = false;
    for (const SourceFile& file : files) {
      is_named |= may_name_fixtures(file) && file.path != fixture &&
                  file.text.find(stem) != std::string::npos;
    }
    if (!is_named) findings.push_back({fixture, 0, "no test names this file"});
  }
}

Findings check_project(const std::filesystem::path& root) {
  const std::vector<SourceFile> files = read_project(root);
  Findings findings;
  for (const SourceFile& file : files) {
    check_text(file, findings);
    check_lengths(file, findings);
    check_words(file, findings);
    check_vocabulary(file, findings);
    check_includes(file, findings);
    check_exhaustiveness(file, findings);
    check_node_room(file, findings);
  }
  check_container_order(files, findings);
  check_folder_circles(files, findings);
  check_top_level(files_at_top_level(root), findings);
  check_fixtures_are_used(files, fixtures_of(root), findings);
  check_names(files, findings);
  check_definitions(files, findings);
  check_commands(files, findings);
  check_task_work(files, findings);
  check_timed_tests(files, findings);
  check_deviations(files, findings);
  return findings;
}

}  // namespace tracebed::lint
