// `trace generate --like`: a trace that resembles another, of any length.
#pragma once

#include <string>

#include "traces/open_trace.h"
#include "traces/similar/workload_pattern.h"
#include "traces/similar/workload_sample.h"

namespace tracebed {

struct LikeOptions {
  SimilarOptions similar;
  // "swim" or "swf"; "auto": the one that holds jobs of the original's kind.
  std::string format = "auto";
};

struct LikeResult {
  std::string format;
  std::string not_carried;  // what the jobs had and the format does not carry; empty if nothing
  Duration period{};        // of the pattern that was kept
  // Both files, read with the same rules.
  WorkloadSample original;
  WorkloadSample generated;
};

// Reads `input` by `trace_options` and writes `output`, compressed if its name ends in ".gz". The
// same options and bytes give the same bytes. Throws InputError, or EnvironmentError if `output`
// cannot be written; it is then not there.
LikeResult generate_like(const std::string& input, const std::string& output,
                         const TraceOptions& trace_options, const LikeOptions& options);

}  // namespace tracebed
