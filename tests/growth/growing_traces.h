// Traces, each with rows, tasks, edges or faults that grow in number.
#pragma once

#include <span>
#include <string>

namespace tracebed::test {

struct GrowingTrace {
  const char* name;
  std::string (*text)(int count);
  // Jobs that are read of it, for each of `count` or in all.
  enum class Jobs { each, one } jobs = Jobs::each;
  // From which number on pairs count, of which the reader has a bound; 0: there are no pairs.
  int count_max = 0;
};

std::span<const GrowingTrace> growing_traces();

}  // namespace tracebed::test
