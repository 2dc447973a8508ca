// A sorted run of a few pairs, as a task writes it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/check.h"
#include "kernels/memory_streams.h"
#include "kernels/run_format.h"

namespace tracebed::kernels::test {

using Pairs = std::vector<std::pair<std::string, std::string>>;  // keys and values

// In the order in which they are given.
inline Buffer written_run(const Pairs& pairs) {
  MemorySink sink;
  RunWriter writer(sink);
  for (const auto& [key, value] : pairs) {
    TRACEBED_CHECK(writer.add(bytes_of(key), bytes_of(value)).has_value(), "a sink takes all");
  }
  writer.end_run();
  TRACEBED_CHECK(writer.flush().has_value(), "a sink takes all");
  return sink.written;
}

}  // namespace tracebed::kernels::test
