// What becomes of every field of every format: whether a replay does what it says. `trace formats`
// prints this table and docs/traces.md is made of it; readers of tables take from it which columns
// to count as ignored, and a test changes every field and compares the workload with what stands
// here (tests/traces/format_fields_test.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tracebed {

enum class FieldUse : std::uint8_t {
  obeyed,        // what it says is what is replayed
  approximated,  // a rule or a model decides what is made of it
  compared,      // not replayed, but compared with the replay or shown beside it by `trace info`
  ignored,       // nothing is; counted by `trace info` where it has a value
};
std::string_view name(FieldUse use);

struct TraceField {
  std::string_view name;  // as in messages: of a column, or a key of a document
  FieldUse use = FieldUse::ignored;
  std::string_view meaning;  // what becomes of it: the rule's name if a rule decides
};

// Of the format of this name, its columns in their order. Empty of a format without fields of its
// own (the binary file holds the workload itself).
std::span<const TraceField> fields_of(std::string_view format);

}  // namespace tracebed
