#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

// Words that once had a meaning of their own here, and what the field says instead. ARCHITECTURE's
// vocabulary is the list of those that are used.
struct RetiredWord {
  std::string_view word;  // as a word of a text, or a part of a name
  std::string_view instead;
};
constexpr std::array<RetiredWord, 15> retired_words = {{
    {"Debt", "preemption request"},
    {"courtesy", "best effort"},
    {"Taker", "allocation target"},
    {"told_end", "reported end"},
    {"OrderWish", "administrator's command"},
    {"Teller", "reporter"},
    {"RunWatch", "run sampler"},
    {"ShareWatch", "starvation monitor"},
    {"hear_masters", "due heartbeats"},
    {"is_there", "alive, exists"},
    {"HttpDoor", "server options"},
    {"HttpAnswer", "response"},
    {"Yielding", "preemptible"},
    {"hungry", "with demand"},
    {"patience", "timeout"},
}};

struct OldWordKept {
  std::string_view path;  // a file, or a folder
  std::string_view word;
  std::string_view reason;
};
constexpr std::array<OldWordKept, 4> old_words_kept = {{
    {"coordinator/config/world_tables.cpp", "patience", "the name that a key once had"},
    {"tests/coordinator/config/bad_experiment_test.cpp", "patience", "likewise"},
    {"agents/datanode/", "Debt", "of a token bucket"},
    {"tests/agents/datanode/", "Debt", "of a token bucket"},
}};

bool may_say(const SourceFile& file, std::string_view word) {
  if (file.path == "CHANGELOG.md" || file.path.starts_with("tests/lint/vocabulary_rules")) {
    return true;
  }
  for (const OldWordKept& kept : old_words_kept) {
    if (file.path.starts_with(kept.path) && kept.word == word) return true;
  }
  return false;
}

bool is_lower(std::string_view text, std::size_t at) {
  return at < text.size() && std::islower(static_cast<unsigned char>(text[at])) != 0;
}

// In a name in capitals and small letters a part begins with a capital; elsewhere with whatever is
// no letter.
bool begins_a_word(std::string_view text, std::size_t at) {
  return at == 0 || !is_lower(text, at) ||
         std::isalpha(static_cast<unsigned char>(text[at - 1])) == 0;
}

// With or without the s of a plural. A word of several parts is the whole name of a variable,
// behind which that of a member has one '_'.
bool ends_a_word(std::string_view text, std::size_t end, std::string_view word) {
  if (word.find('_') != std::string_view::npos) {
    if (text.substr(end, 1) == "_") ++end;
    return end >= text.size() || !is_identifier_char(text[end]);
  }
  if (text.substr(end, 1) == "s") ++end;
  return !is_lower(text, end);
}

}  // namespace

void check_vocabulary(const SourceFile& file, Findings& findings) {
  for (const RetiredWord& retired : retired_words) {
    if (may_say(file, retired.word)) continue;
    for (std::size_t at = file.text.find(retired.word); at != std::string::npos;
         at = file.text.find(retired.word, at + 1)) {
      if (!begins_a_word(file.text, at)) continue;
      if (!ends_a_word(file.text, at + retired.word.size(), retired.word)) continue;
      findings.push_back({file.path, line_at(file, at),
                          std::string(retired.word) + ": say " + std::string(retired.instead)});
    }
  }
}

}  // namespace tracebed::lint
