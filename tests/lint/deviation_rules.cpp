// Differences from what is imitated: each that a header states has a name, "// - [name] Text", in a
// list that begins with "// Deviations", and stands in docs/differences.md under that name. One of
// a scheduler's is among those of an entry, which says when a run touches it.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

constexpr std::string_view page = "docs/differences.md";
constexpr std::string_view entries = "schedulers/entries/differences.cpp";

bool imitates(const SourceFile& file) {
  return is_cpp(file) && (is_in(file, "schedulers") || is_in(file, "applications"));
}

struct Place {
  std::string path;
  std::size_t line = 0;
};

// By name.
std::map<std::string, Place, std::less<>> stated_in(std::span<const SourceFile> files,
                                                    Findings& findings) {
  std::map<std::string, Place, std::less<>> stated;
  for (const SourceFile& file : files) {
    if (!imitates(file)) continue;
    bool is_in_list = false;
    for_each_line(file.text, [&](std::size_t number, std::string_view line) {
      const bool begins = line.starts_with("// Deviation") || line.starts_with("// One deviation");
      if (begins || !line.starts_with("// ")) is_in_list = begins;
      if (begins && !line.starts_with("// Deviations, each on purpose")) {
        findings.push_back({file.path, number,
                            "begin the list with \"// Deviations, each on "
                            "purpose\", each with a \"- [name]\""});
      }
      if (!is_in_list || !line.starts_with("// - ")) return;
      const std::size_t close = line.find(']');
      if (!line.starts_with("// - [") || close == std::string_view::npos) {
        findings.push_back({file.path, number, "a deviation needs a name: \"// - [name] Text\""});
        return;
      }
      stated.try_emplace(std::string(line.substr(6, close - 6)), Place{file.path, number});
    });
  }
  return stated;
}

// The names in the first cells of the page's rows.
std::set<std::string, std::less<>> listed_in(const SourceFile& file) {
  std::set<std::string, std::less<>> listed;
  for_each_line(file.text, [&](std::size_t, std::string_view line) {
    if (!line.starts_with("| `")) return;
    std::string_view cell = line.substr(2, line.find(" |", 2) - 2);
    for (std::size_t open = cell.find('`'); open != std::string_view::npos; open = cell.find('`')) {
      const std::size_t close = cell.find('`', open + 1);
      if (close == std::string_view::npos) break;
      listed.emplace(cell.substr(open + 1, close - open - 1));
      cell.remove_prefix(close + 1);
    }
  });
  return listed;
}

// The names that begin braced lists in the entries' source.
std::set<std::string, std::less<>> of_entries(std::string_view text) {
  constexpr std::string_view begin = "{\"";
  std::set<std::string, std::less<>> names;
  for (std::size_t at = text.find(begin); at != std::string_view::npos; at = text.find(begin)) {
    text.remove_prefix(at + begin.size());
    names.emplace(text.substr(0, text.find('"')));
  }
  return names;
}

}  // namespace

void check_deviations(std::span<const SourceFile> files, Findings& findings) {
  const auto stated = stated_in(files, findings);
  std::set<std::string, std::less<>> listed;
  std::set<std::string, std::less<>> touched;
  for (const SourceFile& file : files) {
    if (file.path == page) listed = listed_in(file);
    if (file.path == entries) touched = of_entries(file.text);
  }
  for (const auto& [name, place] : stated) {
    if (place.path.starts_with("schedulers/") && !touched.contains(name)) {
      findings.push_back(
          {place.path, place.line, std::string(entries) + " does not say what touches " + name});
    }
    if (!listed.contains(name)) {
      findings.push_back(
          {place.path, place.line, std::string(page) + " does not list the deviation " + name});
    }
  }
  for (const std::string& name : listed) {
    if (!stated.contains(name)) {
      findings.push_back({std::string(page), 0, "no header states the deviation " + name});
    }
  }
  for (const std::string& name : touched) {
    if (!stated.contains(name)) {
      findings.push_back({std::string(entries), 0, "no header states the deviation " + name});
    }
  }
}

}  // namespace tracebed::lint
