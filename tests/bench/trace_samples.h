// Texts of every trace format, shaped as the production traces are (lengths of rows and names,
// digits of numbers, fields of documents), for benchmarks: what is in them was drawn.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tracebed::test {

struct TraceSample {
  const char* format;
  bool is_json;
  // At least so many bytes; the same ones every time.
  std::string (*make)(std::size_t bytes);
};

std::span<const TraceSample> trace_samples();

}  // namespace tracebed::test
