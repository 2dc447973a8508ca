// A task that runs a kernel on real data (core/kernel_work.h), instead of the work of a profile: as
// fast as its container and its datanodes let it, and until it is done, whatever the profile says.
//
// A map reads its split from HDFS, the end of the split's last record from behind it, and verifies
// every byte, or takes it from the memory of an executor; what it emits is put to the shuffle
// server of its machine, sorted, with an index before it. A reduce merges its partition of all
// maps' outputs, and writes what the kernel makes of it to HDFS. If another iteration follows, it
// puts that to the shuffle server instead, and the maps of the next iteration begin by fetching
// what all reduces have made. What a task cannot sort at once it spills
// (agents/task/spilled_runs.h).
//
// It fails if its memory is too little for all that (agents/task/kept_memory.h).
//
// On the stop order it ends without progress.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "agents/task/fetched_runs.h"
#include "agents/task/kept_memory.h"
#include "agents/task/spilled_runs.h"
#include "agents/task/stop_order.h"
#include "agents/task/task_input.h"
#include "agents/task/task_map_output.h"
#include "agents/task/task_output.h"
#include "agents/task/work_spec.h"
#include "core/kernel_work.h"
#include "core/result.h"
#include "core/task_account.h"
#include "kernels/dataset.h"
#include "kernels/input_split.h"
#include "kernels/kernel.h"
#include "kernels/map_task.h"
#include "protocol/shuffle/shuffle_token.h"

namespace tracebed {

class KernelRun {
 public:
  // For a task that has a kernel (kernel_of()). All outlive it.
  KernelRun(const WorkSpec& spec, const shuffle::JobToken& token, StopOrder& stop);

  // Does the work, and returns when it is done or the task is ordered to stop: is_done() tells.
  Status run();

  bool is_done() const { return is_done_; }
  TaskAccount account() const {
    return {.input = input_ ? input_->read() : ReadBytes(),
            .output = output_ ? output_->position() : 0,
            .shuffled = runs_ ? runs_->fetched() : ReadBytes(),
            .spilled = spills_ ? spills_->bytes() : 0};
  }
  // Of a task that has failed.
  int exit_code() const;

 private:
  // All tasks begin with it; only maps of later iterations fetch what it is made of.
  Result<std::unique_ptr<kernels::Kernel>> make_kernel(KeptMemory& memory);
  Result<std::unique_ptr<kernels::Kernel>> fetch_kernel(KeptMemory& memory);
  Status run_map(const kernels::Kernel& kernel, KeptMemory& memory);
  Status read_split(kernels::MapTask& task);
  Status run_reduce(const kernels::Kernel& kernel, KeptMemory& memory);
  // How many bytes it has written.
  Result<std::uint64_t> reduce_to(const kernels::Kernel& kernel, KeptMemory& memory,
                                  kernels::ByteSink& output);
  Status put(kernels::Bytes bytes);

  const WorkSpec& spec_;
  const shuffle::JobToken& token_;
  StopOrder& stop_;
  const KernelJob job_;
  const kernels::InputSplit split_;          // of a map
  std::unique_ptr<kernels::Dataset> data_;   // of a map: the input, from the file's begin on
  std::optional<TaskInput> input_;           // of a map whose split has bytes
  std::optional<TaskMapOutput> map_output_;  // of a task that others fetch from
  std::optional<FetchedRuns> runs_;          // of a task that fetches
  std::optional<TaskOutput> output_;         // of a reduce of the last iteration
  std::optional<SpilledRuns> spills_;
  bool is_done_ = false;
};

}  // namespace tracebed
