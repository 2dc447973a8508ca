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

std::vector<Fact> read_facts(const SourceFile& file, Findings& findings) {
  std::vector<Fact> facts;
  for_each_line(file.text, [&](std::size_t number, std::string_view line) {
    if (trimmed(line).empty() || line.starts_with('#')) return;
    const std::size_t end = line.find(']');
    if (line.starts_with('[') && end != std::string_view::npos) {
      facts.push_back({std::string(line.substr(1, end - 1)),
                       std::string(trimmed(line.substr(end + 1))), "", number});
    } else if (line.starts_with("    ") && !facts.empty()) {
      facts.back().text += (facts.back().text.empty() ? "" : " ") + std::string(trimmed(line));
    } else {
      findings.push_back({file.path, number, "expected \"[ID] SOURCE\" or an indented text"});
    }
  });
  return facts;
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

void check_facts(const SourceFile& file, std::span<const Fact> facts, const Proofs& proofs,
                 Findings& findings) {
  std::set<std::string> ids;
  for (const Fact& fact : facts) {
    if (!ids.insert(fact.id).second) {
      findings.push_back({file.path, fact.line, "fact " + fact.id + " stands here twice"});
    }
    if (!proofs.contains(fact.id)) {
      findings.push_back({file.path, fact.line, "no test proves fact " + fact.id});
    }
    if (fact.source.empty() || fact.text.empty()) {
      findings.push_back({file.path, fact.line, "fact " + fact.id + " lacks its source or text"});
    }
  }
  for (const auto& [id, tests] : proofs) {
    if (ids.contains(id)) continue;
    findings.push_back({file.path, 0, tests.front() + " proves " + id + ", which is no fact"});
  }
}

std::string facts_page(const SourceFile& source, std::span<const Fact> facts,
                       const Proofs& proofs) {
  const auto without = std::count_if(facts.begin(), facts.end(),
                                     [&](const Fact& fact) { return !proofs.contains(fact.id); });
  std::string page = "# Facts and the tests that prove them\n\nMade from `" + source.path +
                     "` and the tests; not written by hand. " + std::to_string(facts.size()) +
                     " facts, " + std::to_string(without) + " without a test.\n\n";
  page += "| fact | what it is | in Hadoop | proved by |\n|---|---|---|---|\n";
  for (const Fact& fact : facts) {
    std::string tests;
    const auto found = proofs.find(fact.id);
    if (found != proofs.end()) {
      for (const std::string& test : found->second) {
        tests += (tests.empty() ? "`" : ", `") + test + "`";
      }
    }
    page += "| " + fact.id + " | " + fact.text + " | `" + fact.source + "` | " +
            (tests.empty() ? "**none**" : tests) + " |\n";
  }
  return page;
}

}  // namespace tracebed::lint
