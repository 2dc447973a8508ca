// The progress of an application's tasks when they were ordered to keep it, so that their next
// attempts continue from there. Tasks of a gang all do the same and continue together or not at
// all: they keep the least progress of any of them, if all pieces of the attempt kept theirs.
#pragma once

#include <cstdint>
#include <map>

#include "coordinator/engine/container_state.h"
#include "core/outcomes.h"
#include "core/preemption.h"
#include "core/task_work.h"
#include "core/workload.h"

namespace tracebed {

class KeptProgress {
 public:
  // True if nothing is kept, and no piece of a gang has ended before its time.
  bool empty() const { return tasks_.empty() && gang_ == GangAttempt(); }

  // A container of the application, with a task, ended. `progress` is of the attempt's own work.
  void container_ended(const ContainerState& container, bool is_gang, ContainerEnd end,
                       std::uint32_t progress);

  // Subtracts from the work of a task, or of tasks of a gang that begin with it, what was done
  // before. Returns how much that is of the whole, in millionths.
  std::uint32_t resume(TaskRef task, TaskWork& work);

  // The next attempts begin without progress.
  void forget() { *this = KeptProgress(); }

 private:
  struct GangAttempt {
    std::uint32_t before = 0;          // of the whole work, at the attempt's begin
    std::uint32_t least = whole_work;  // of the whole work, over the pieces that kept theirs
    bool is_void = false;              // a piece kept nothing
    bool is_over = false;              // a piece ended before its time
    bool operator==(const GangAttempt&) const = default;
  };
  std::map<TaskRef, std::uint32_t> tasks_;
  GangAttempt gang_;
};

}  // namespace tracebed
