// `trace merge`: several traces, of any formats, as one: Tracebed's own binary file, whose jobs are
// in the order of their submit times.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/open_trace.h"

namespace tracebed {

struct MergeInput {
  std::string path;
  std::string format;
  std::uint64_t jobs = 0;
  std::uint64_t bad_rows = 0;  // skipped, if the options say so
  std::uint64_t preceded = 0;  // jobs that are submitted after others, in the output at own times
};

struct MergeResult {
  std::vector<MergeInput> inputs;
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  std::uint64_t bytes_written = 0;
  std::string digest;  // of the workload (traces/workload_digest.h)
};

// Each trace's jobs keep the times that reading it alone gives them: the first one's is 0, or the
// file's own if rule trace.origin is set so. Users and queues of equal names are the same; among
// jobs of one time, those of an earlier input come first. Machines come from the inputs that have
// some. Throws InputError; also if two inputs have machines, and if `output` is one of them.
MergeResult merge_traces(const std::vector<std::string>& inputs, const std::string& output,
                         const TraceOptions& options);

}  // namespace tracebed
