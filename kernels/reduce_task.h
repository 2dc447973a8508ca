// The reduce side of a job: the runs of one partition in, one from each map output; a part of the
// job's output out. The part does not depend on the order of the runs, nor on the budget.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/result.h"
#include "kernels/kernel.h"
#include "kernels/merge.h"
#include "kernels/task_budget.h"

namespace tracebed::kernels {

struct ReduceTaskOptions {
  // From budget_bytes_min to budget_bytes_max, for merging. Besides, a task has the kernel's state
  // and buffers of 64 KiB.
  std::size_t budget_bytes = std::size_t{16} << 20;
};

struct ReduceTaskCounters {
  std::uint64_t pairs = 0;  // that the reduce function got
  std::uint64_t output_bytes = 0;
  SpillCounters spilled;
};

// Runs are not trusted: fails where one is malformed, with the name of its source and the byte.
Result<ReduceTaskCounters> run_reduce_task(const Kernel& kernel, Merge::Sources inputs,
                                           const ReduceTaskOptions& options, SpillStore& store,
                                           ByteSink& output);

}  // namespace tracebed::kernels
