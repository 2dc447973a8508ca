// What a task of a kernel keeps in its memory: the kernel's state, and its output, if other tasks
// fetch that. All of it together has to fit in the task's memory less 8 MiB for the program, beside
// what is sorted: a quarter of the memory, at most 100 MiB (mapreduce.task.io.sort.mb).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/result.h"
#include "core/task_work.h"
#include "kernels/bytes.h"
#include "kernels/map_output_index.h"
#include "kernels/streams.h"

namespace tracebed {

class KeptMemory {
 public:
  explicit KeptMemory(const TaskWork& work);

  // The budget of the task's map or reduce.
  std::size_t sorting_bytes() const { return sorting_bytes_; }
  // Of the room; fails if there is less, naming what does not fit.
  Status take(std::int64_t bytes, std::string_view what);
  void give_back(std::int64_t bytes) { room_ += bytes; }
  // Takes as many bytes as it appends.
  Status append(kernels::Buffer& to, kernels::Bytes bytes);

 private:
  std::int64_t memory_mib_;
  std::size_t sorting_bytes_;
  std::int64_t room_;
};

// What follows the index of an output.
class KeptOutput final : public kernels::ByteSink {
 public:
  // The memory outlives it.
  KeptOutput(KeptMemory& memory, std::int64_t partitions);

  Status write(kernels::Bytes bytes) override { return memory_.append(bytes_, bytes); }
  // The whole output. The index has that many partitions (checked).
  kernels::Bytes with(const kernels::MapOutputIndex& index);

 private:
  KeptMemory& memory_;
  std::size_t index_bytes_;
  kernels::Buffer bytes_;
};

}  // namespace tracebed
