#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include "lint/rules.h"
#include "support/markdown_blocks.h"

namespace tracebed::lint {
namespace {

// ---- commands ----

bool is_command(std::string_view line) {
  static const std::regex command{R"(^\s*(\w+=\S+ )*(\./run|(\S*/)?tracebed(-\w+)?) .*)"};
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

// ---- keys of experiments ----

using Keys = std::set<std::string>;
using KeysOfSections = std::map<std::string, Keys>;

struct KeyTable {
  std::string_view file;
  std::string_view array;
  std::string_view section;  // of docs/experiments.md
};
constexpr std::array<KeyTable, 20> key_tables = {{
    {"load_experiment", "root_keys", "Top level"},
    {"load_experiment", "trace_keys", "`[trace]`"},
    {"load_experiment", "scale_keys", "`[scale]`"},
    {"cluster_table", "group_keys", "`[cluster]`"},
    {"cluster_table", "group_keys", "`[[cluster.group]]`"},
    {"cluster_table", "common_keys", "`[cluster]`"},
    {"cluster_table", "grouped_keys", "`[cluster]`"},
    {"cluster_table", "file_keys", "`[cluster]`"},
    {"cluster_table", "change_keys", "`[[cluster.change]]`"},
    {"compare_table", "compare_keys", "`[compare]`"},
    {"disturbance_tables", "fault_keys", "`[faults]`"},
    {"disturbance_tables", "drain_keys", "`[[drain]]`"},
    {"disturbance_tables", "crash_keys", "`[[crash]]`"},
    {"master_table", "keys", "`[master_container]`"},
    {"variation_table", "vary_keys", "`[vary]`"},
    {"world_tables", "virtual_keys", "`[virtual]`"},
    {"world_tables", "local_keys", "`[local]`"},
    {"world_tables", "agents_keys", "`[agents]`"},
    {"world_tables", "log_keys", "`[log]`"},
    {"world_tables", "replay_keys", "`[replay]`"},
}};
// Their keys are settings, which the program lists; a test of it compares them.
constexpr std::array<std::string_view, 3> settings_sections = {"`[masters]`", "`[node_manager]`",
                                                               "`[relocation]`"};

Keys names_in(const std::string& text, const std::regex& name) {
  Keys keys;
  for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) {
    keys.insert((*at)[1]);
  }
  return keys;
}

std::string text_between(const std::string& text, std::string_view from, std::string_view to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find(to, begin + from.size()) - begin);
}

// The keys of every array of TomlKey in a source of the parser, by the sections of the page.
void add_parsed(const SourceFile& file, KeysOfSections& parsed, Findings& findings) {
  static const std::regex key{R"re(TomlKey<\w+>\{\s*"(\w+)")re"};
  static const std::regex compared{R"re(key\.str\(\) == "(\w+)")re"};
  constexpr std::string_view opening = "constexpr std::array ";
  const std::string& text = file.text;
  const std::string stem = file.path.substr(file.path.rfind('/') + 1);
  for (std::size_t at = text.find(opening); at != std::string::npos;
       at = text.find(opening, at + 1)) {
    const std::size_t brace = text.find('{', at);
    const std::string array = text.substr(at + opening.size(), brace - at - opening.size());
    const Keys keys = names_in(text.substr(at, text.find("};", at) - at), key);
    bool is_known = keys.empty();
    for (const KeyTable& table : key_tables) {
      if (stem != std::string(table.file) + ".cpp" || table.array != array) continue;
      parsed[std::string(table.section)].insert(keys.begin(), keys.end());
      is_known = true;
    }
    if (!is_known) {
      findings.push_back({file.path, line_at(file, at),
                          array + " has no section of docs/experiments.md in this rule"});
    }
  }
  if (stem != "load_experiment.cpp") return;
  parsed["`[[scheduler]]`"] =
      names_in(text_between(text, "void read_scheduler_tables", "\n}\n"), compared);
  parsed["`[[refresh]]`"] = names_in(text_between(text, "void read_refreshes", "\n}\n"), compared);
}

// The first cells of the tables of keys: "| `from`, `until` | …".
KeysOfSections described_in(const SourceFile& page) {
  static const std::regex name{"`([a-z_]+)`"};
  KeysOfSections described;
  std::string section;
  bool is_keys = false;
  for_each_line(page.text, [&](std::size_t, std::string_view line) {
    if (line.starts_with("#")) {
      section = line.starts_with("### ") ? line.substr(4) : "";
    } else if (!line.starts_with("|")) {
      is_keys = false;
    } else if (line.starts_with("| key |")) {
      is_keys = true;
    } else if (is_keys && !section.empty()) {
      const std::string cell(line.substr(0, line.find(" | ")));
      described[section].merge(names_in(cell, name));
    }
  });
  return described;
}

void compare_keys(const std::string& page, const KeysOfSections& parsed,
                  const KeysOfSections& described, Findings& findings) {
  const auto report = [&](const Keys& these, const Keys& those, const std::string& section,
                          const std::string& what) {
    for (const std::string& key : these) {
      if (!those.contains(key)) findings.push_back({page, 0, section + ": " + key + what});
    }
  };
  for (const auto& [section, keys] : parsed) {
    const auto found = described.find(section);
    report(keys, found == described.end() ? Keys() : found->second, section, " is not described");
  }
  for (const auto& [section, keys] : described) {
    if (std::find(settings_sections.begin(), settings_sections.end(), section) !=
        settings_sections.end()) {
      continue;
    }
    const auto found = parsed.find(section);
    report(keys, found == parsed.end() ? Keys() : found->second, section, " is no key");
  }
}

}  // namespace

void check_commands(std::span<const SourceFile> files, Findings& findings) {
  std::string beds;
  for (const SourceFile& file : files) {
    if (is_in(file, "tests/beds") && file.path.ends_with(".sh")) beds += file.text;
  }
  for (const SourceFile& file : files) {
    const bool is_page = file.path.ends_with(".md") &&
                         (is_in(file, "docs") || file.path.find('/') == std::string::npos);
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

void check_experiment_keys(std::span<const SourceFile> files, Findings& findings) {
  constexpr std::string_view page = "docs/experiments.md";
  KeysOfSections parsed;
  KeysOfSections described;
  std::string reference;
  for (const SourceFile& file : files) {
    if (is_in(file, "coordinator/config") && file.path.ends_with(".cpp")) {
      add_parsed(file, parsed, findings);
    }
    if (file.path == page) described = described_in(file);
    if (file.path == "experiments/reference.toml") reference = file.text;
  }
  compare_keys(std::string(page), parsed, described, findings);
  for (const auto& [section, keys] : parsed) {
    for (const std::string& key : keys) {
      const std::regex use("[^a-z_.]" + key + R"( = |[\[.])" + key + R"(\])");
      if (std::regex_search(reference, use)) continue;
      findings.push_back({"experiments/reference.toml", 0, section + ": " + key + " is missing"});
    }
  }
}

}  // namespace tracebed::lint
