// `trace generate --like`: a trace that resembles another, of any length.
#pragma once

#include <string>
#include <vector>

#include "traces/open_trace.h"
#include "traces/similar/workload_pattern.h"
#include "traces/similar/workload_sample.h"

namespace tracebed {

struct LikeOptions {
  SimilarOptions similar;
  // "binary", "swim" or "swf". "auto": swim or swf of an original in that format, else binary,
  // which alone holds jobs of every kind, and whole.
  std::string format = "auto";
};

struct LikeResult {
  std::string format;
  std::vector<TraceCount> lost;  // by field: what the jobs had and the format lacks
  Duration period{};             // of the pattern that was kept
  // Both files, read with the same rules.
  WorkloadSample original;
  WorkloadSample generated;
};

// Reads `input` by `trace_options` and writes `output`, compressed if its name ends in ".gz". The
// same options and bytes give the same bytes. Throws InputError, also if `output` is the file of
// `input`, or EnvironmentError if it cannot be written; an existing output is then unchanged. A
// device or pipe gets the trace when it is whole, from a temporary file.
LikeResult generate_like(const std::string& input, const std::string& output,
                         const TraceOptions& trace_options, const LikeOptions& options);

}  // namespace tracebed
