// The index of facts: what the tests are to prove, which tests say that they prove it, and the page
// that shows both.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "lint/rules.h"

namespace tracebed::lint {

struct Fact {
  std::string id;
  std::string source;  // where the original does it
  std::string text;
  std::size_t line = 0;
};

// Entries "[ID] SOURCE" with indented lines of text below; lines that begin with '#' are skipped.
std::vector<Fact> read_facts(const SourceFile& file, Findings& findings);

// Tests by the id of the fact that they prove, in the order of the files. A test says so in a line
// of the comment above it: "// Proves: ID, ID"; a story, anywhere: "# Proves: ID, ID".
using Proofs = std::map<std::string, std::vector<std::string>>;
Proofs read_proofs(std::span<const SourceFile> files, Findings& findings);

// Facts stated twice, facts without a test, and proofs of what is no fact.
void check_facts(const SourceFile& file, std::span<const Fact> facts, const Proofs& proofs,
                 Findings& findings);

// `source` is the file of the facts, for its name.
std::string facts_page(const SourceFile& source, std::span<const Fact> facts, const Proofs& proofs);

}  // namespace tracebed::lint
