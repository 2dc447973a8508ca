#include "lint/facts.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tracebed::lint {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// "TEST(Group, Name) {" → "Group.Name"; nothing for another line.
std::optional<std::string> test_name(std::string_view line) {
  const std::size_t open = line.find('(');
  const std::size_t comma = line.find(',');
  const std::size_t close = line.find(')');
  const bool is_test =
      line.starts_with("TEST(") || line.starts_with("TEST_F(") || line.starts_with("TEST_P(");
  if (!is_test || comma == std::string_view::npos || close == std::string_view::npos) return {};
  return std::string(trimmed(line.substr(open + 1, comma - open - 1))) + "." +
         std::string(trimmed(line.substr(comma + 1, close - comma - 1)));
}

std::vector<std::string> ids_of(std::string_view list) {
  std::vector<std::string> ids;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    ids.emplace_back(trimmed(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return ids;
}

void read_tests(const SourceFile& file, Proofs& proofs, Findings& findings) {
  constexpr std::string_view mark = "// Proves: ";
  std::vector<std::string> pending;
  std::size_t marked_at = 0;
  for_each_line(file.text, [&](std::size_t number, std::string_view line) {
    if (line.starts_with(mark)) {
      for (std::string& id : ids_of(line.substr(mark.size()))) pending.push_back(std::move(id));
      marked_at = number;
    } else if (line.starts_with("//") && line.find("Proves: ") != std::string_view::npos) {
      findings.push_back({file.path, number, "what a test proves stands in a line of its own"});
    } else if (!pending.empty() && !line.starts_with("//")) {
      const std::optional<std::string> name = test_name(line);
      if (!name) {
        findings.push_back({file.path, marked_at, "proves something, but no test follows"});
      }
      for (const std::string& id : pending) {
        if (name) proofs[id].push_back(*name);
      }
      pending.clear();
    }
  });
}

void read_story(const SourceFile& file, Proofs& proofs) {
  constexpr std::string_view mark = "# Proves: ";
  for_each_line(file.text, [&](std::size_t, std::string_view line) {
    if (!line.starts_with(mark)) return;
    for (const std::string& id : ids_of(line.substr(mark.size()))) {
      proofs[id].push_back(file.path.substr(file.path.rfind('/') + 1));
    }
  });
}

}  // namespace

FactList read_facts(const SourceFile& file, Findings& findings) {
  constexpr std::string_view sections = "Sections: ";
  constexpr std::string_view waits = "Waits for: ";
  FactList list;
  for_each_line(file.text, [&](std::size_t number, std::string_view line) {
    if (trimmed(line).empty() || line.starts_with('#')) return;
    const std::size_t end = line.find(']');
    if (line.starts_with(sections)) {
      for (std::string& id : ids_of(line.substr(sections.size()))) {
        list.sections.push_back(std::move(id));
      }
    } else if (line.starts_with('[') && end != std::string_view::npos) {
      Fact& fact = list.facts.emplace_back();
      fact.id = line.substr(1, end - 1);
      fact.source = trimmed(line.substr(end + 1));
      fact.line = number;
    } else if (line.starts_with("    ") && !list.facts.empty()) {
      Fact& fact = list.facts.back();
      const std::string_view text = trimmed(line);
      if (text.starts_with(waits)) {
        fact.waits_for = text.substr(waits.size());
      } else {
        fact.text += (fact.text.empty() ? "" : " ") + std::string(text);
      }
    } else {
      findings.push_back({file.path, number, "expected \"[ID] SOURCE\" or an indented text"});
    }
  });
  return list;
}

Proofs read_proofs(std::span<const SourceFile> files, Findings& findings) {
  Proofs proofs;
  for (const SourceFile& file : files) {
    if (!is_in(file, "tests")) continue;
    if (is_cpp(file) && !is_header(file)) read_tests(file, proofs, findings);
    if (file.path.ends_with(".toml")) read_story(file, proofs);
  }
  return proofs;
}

void check_facts(const SourceFile& file, const FactList& list, const Proofs& proofs,
                 Findings& findings) {
  std::set<std::string> ids;
  std::set<std::string> empty(list.sections.begin(), list.sections.end());
  const auto find = [&](const Fact& fact, const std::string& what) {
    findings.push_back({file.path, fact.line, what});
  };
  for (const Fact& fact : list.facts) {
    const std::string name = "fact " + fact.id;
    if (!ids.insert(fact.id).second) find(fact, name + " stands here twice");
    const std::string section = fact.id.substr(0, fact.id.rfind('.'));
    empty.erase(section);
    if (std::find(list.sections.begin(), list.sections.end(), section) == list.sections.end()) {
      find(fact, name + " is of no section that is listed");
    }
    const bool is_proved = proofs.contains(fact.id);
    if (!is_proved && fact.waits_for.empty()) find(fact, "no test proves " + name);
    if (is_proved && !fact.waits_for.empty()) {
      find(fact, name + " is said to wait, but " + proofs.at(fact.id).front() + " proves it");
    }
    if (fact.source.empty() || fact.text.empty()) find(fact, name + " lacks its source or text");
  }
  for (const std::string& section : empty) {
    findings.push_back({file.path, 0, "section " + section + " has no fact"});
  }
  for (const auto& [id, tests] : proofs) {
    if (ids.contains(id)) continue;
    findings.push_back({file.path, 0, tests.front() + " proves " + id + ", which is no fact"});
  }
}

std::string facts_page(const SourceFile& source, const FactList& list, const Proofs& proofs) {
  std::string proved;
  std::string waiting;
  std::size_t proved_count = 0;
  for (const Fact& fact : list.facts) {
    const std::string row = "| " + fact.id + " | " + fact.text + " | `" + fact.source + "` | ";
    if (!fact.waits_for.empty()) {
      waiting += row + fact.waits_for + " |\n";
      continue;
    }
    ++proved_count;
    std::string tests;
    const auto found = proofs.find(fact.id);
    if (found != proofs.end()) {
      for (const std::string& test : found->second) {
        tests += (tests.empty() ? "`" : ", `") + test + "`";
      }
    }
    proved += row + (tests.empty() ? "**none**" : tests) + " |\n";
  }
  std::string page = "# Facts and the tests that prove them\n\nMade from `" + source.path +
                     "` and the tests; not written by hand. " + std::to_string(proved_count) +
                     " facts with tests, " + std::to_string(list.facts.size() - proved_count) +
                     " that wait for something.\n\n";
  page += "| fact | what it is | in Hadoop | proved by |\n|---|---|---|---|\n" + proved;
  if (waiting.empty()) return page;
  return page +
         "\n## Not yet\n\nWhat no test can prove before something is built.\n\n"
         "| fact | what it is | in Hadoop | waits for |\n|---|---|---|---|\n" +
         waiting;
}

}  // namespace tracebed::lint
