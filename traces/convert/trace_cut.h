// `trace cut`: part of a trace. Of SWF and SWIM it is a trace of the same format in the order of
// submit times, whose rows are copied byte for byte, except that a SWIM row with a new row above it
// states the gap to that one. Of every other format it is Tracebed's own binary file, in which the
// first kept job is submitted at 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/time.h"
#include "traces/open_trace.h"

namespace tracebed {

// What is kept. The parts are applied in this order.
struct CutOptions {
  // Submissions in [from, to), counted from the trace's first row.
  std::optional<Duration> from;
  std::optional<Duration> to;
  // Each row with this probability, by a hash of the seed and the row's position in the order of
  // submit times: the same seed
  // and file choose the same rows.
  double sample = 1;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> first;  // at most this many rows
};

struct CutResult {
  std::string format;           // of the output
  std::uint64_t rows_read = 0;  // or jobs, if the output is binary
  std::uint64_t rows_written = 0;
  std::uint64_t bytes_written = 0;  // before compression
  std::uint64_t bad_rows = 0;       // skipped, if the options say so
};

// Reads `input` by `trace_options` and writes `output`, compressed if its name ends in ".gz".
// Header lines before the first row are kept, and if the format has comments, one more states what
// was cut. Throws InputError, also if `output` is the file of `input`, or EnvironmentError if it
// cannot be written; an existing output is then unchanged.
CutResult cut_trace(const std::string& input, const std::string& output,
                    const TraceOptions& trace_options, const CutOptions& options);

}  // namespace tracebed
