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
  std::string
      waits_for;  // what is to be built before a test can prove it; empty: it must be proved
};

struct FactList {
  std::vector<std::string> sections;  // of the source: each fact's id is "SECTION.name"
  std::vector<Fact> facts;
};

// Lines "Sections: SECTION, SECTION"; entries "[ID] SOURCE" with indented lines of text below, of
// which one may be "Waits for: REASON"; lines that begin with '#' are skipped.
FactList read_facts(const SourceFile& file, Findings& findings);

// Tests by the id of the fact that they prove, in the order of the files. A test says so in a line
// of the comment above it: "// Proves: ID, ID"; a story, anywhere: "# Proves: ID, ID".
using Proofs = std::map<std::string, std::vector<std::string>>;
Proofs read_proofs(std::span<const SourceFile> files, Findings& findings);

// Facts stated twice or of no section, sections without a fact, facts that are neither proved nor
// said to wait for something, or both, and proofs of what is no fact.
void check_facts(const SourceFile& file, const FactList& list, const Proofs& proofs,
                 Findings& findings);

// `source` is the file of the facts, for its name.
std::string facts_page(const SourceFile& source, const FactList& list, const Proofs& proofs);

}  // namespace tracebed::lint
