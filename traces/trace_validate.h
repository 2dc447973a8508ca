// `trace validate`: whether every row or document of a trace can be used; if not, how many cannot,
// by reason, and where each is, up to a bound.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/open_trace.h"
#include "traces/trace_info.h"

namespace tracebed {

struct ValidateResult {
  std::string format;
  std::string format_reason;
  std::uint64_t rows = 0;  // well-formed ones
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  std::uint64_t problems = 0;
  std::vector<BadRowSummary> by_reason;
  std::vector<std::string> messages;  // of the first of all, with place and reason
  std::vector<TraceCount> left_out;   // rows that a rule leaves out, by rule
  std::vector<TraceCount> notes;      // what was tolerated
  std::optional<SpanSummary> spans;   // none: span_text says why
  std::string span_text;              // from what to what a recorded span reaches
  // Jobs whose id an earlier one has, in formats that have ids; memory does not grow with them.
  std::uint64_t repeated_ids = 0;
  std::string repeated_id;  // one of them: the least as text
};

// Reads the whole trace. Throws InputError for what cannot be read as a trace at all, such as a
// damaged binary file.
ValidateResult validate_trace(const std::string& path, TraceOptions options);

}  // namespace tracebed
