// What each task of a stage reads, in a run with storage.
#pragma once

#include <cstdint>

#include "core/task_work.h"
#include "core/workload.h"

namespace tracebed {

// What the task takes in is there already.
inline void reads_nothing(TaskWork& work) {
  work.input_bytes = work.input_length = 0;
}

// Its own executor has it in memory.
inline void takes_what_was_kept(TaskWork& work) {
  work.input_kept_length = work.input_length;
  reads_nothing(work);
}

class StageInput {
 public:
  StageInput() = default;
  // `tasks` are those of the stage.
  StageInput(const InputFile& file, std::uint32_t tasks) : file_(file), tasks_(tasks) {}

  // States it in the work of task `task`; nothing if the stage reads no file.
  void add_split(std::uint32_t task, TaskWork& work) const {
    if (file_.id == 0) return;
    const InputSplit split = split_of(file_, tasks_, task);
    work.input_file = static_cast<std::int64_t>(file_.id);
    work.input_offset = split.offset;
    work.input_length = split.length;
  }

 private:
  InputFile file_;
  std::uint32_t tasks_ = 0;
};

}  // namespace tracebed
