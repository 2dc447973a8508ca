// `trace convert`: a trace of any format as Tracebed's own binary file, as SLS JSON or as SWF. Jobs
// are written as they are read, so memory does not grow with the trace.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/trace_codec.h"
#include "traces/open_trace.h"
#include "traces/parts/statistics.h"

namespace tracebed {

// "binary", "sls", "swf"
std::span<const std::string_view> conversion_targets();

struct ConvertResult {
  std::string format;  // of the input
  std::uint64_t jobs_read = 0;
  std::uint64_t jobs_written = 0;
  std::uint64_t machines = 0;
  std::uint64_t bytes_written = 0;   // before compression
  std::uint64_t bad_rows = 0;        // skipped, if the options say so
  std::vector<TraceCount> lost;      // by field: what the output's format does not hold
  std::vector<TraceCount> left_out;  // by rule: rows that did not become jobs
  std::string digest;                // of the workload that was read (traces/workload_digest.h)
};

// `to` is one of conversion_targets(). Throws InputError for what cannot be read, and if no job can
// be written, or the output is a file that is read; an existing output is then unchanged.
// Machines of a binary input, or those of the file `machines` if it is not empty, go into a binary
// output, on the clock of the jobs.
ConvertResult convert_trace(const std::string& input, const std::string& output,
                            std::string_view to, const TraceOptions& options,
                            const std::string& machines = {});

// A binary file's statement of its origin. One made from another binary file keeps that file's
// origin.
TraceOrigin conversion_origin(const std::string& path, const TraceReader& reader,
                              const TraceOptions& options);

// Options with which everything that a file has is in the demands of its tasks: in the dimensions
// that a binary trace names, or in those that readers support beyond vcores and memory.
TraceOptions with_own_dimensions(const std::string& path, TraceOptions options);

}  // namespace tracebed
