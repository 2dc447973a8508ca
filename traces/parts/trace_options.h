// How a trace is to be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/resources.h"
#include "traces/parts/rules.h"

namespace tracebed {

class InputWitness;

struct TraceOptions {
  std::string format = "auto";
  TraceRules rules;
  bool skip_bad = false;  // false: the first bad row stops the load with InputError
  // Jobs that one document may stand for.
  std::int64_t document_jobs_max = 1'000'000;
  // Memory for rows that must be sorted; the rest goes to a temporary file.
  std::size_t sort_bytes_max = std::size_t{64} << 20;
  std::size_t line_bytes_max() const {
    return static_cast<std::size_t>(rules.common.line_bytes_max);
  }
  std::size_t document_bytes_max() const {
    return static_cast<std::size_t>(rules.common.document_bytes_max);
  }
  // Of the run. GPUs are in the demand of tasks if a dimension is called `gpu_milli`, which counts
  // thousandths of one.
  ResourceDimensions dimensions;
  // Verifies that each reading of a file finds what the first one found; it outlives what is
  // opened. Null where nothing is read twice.
  InputWitness* witness = nullptr;

  TraceOptions witnessed_by(InputWitness& other) const {
    TraceOptions options = *this;
    options.witness = &other;
    return options;
  }
};

}  // namespace tracebed
