// What an application's tasks had done when they were told to keep their progress, so that their
// next attempts go on from there. Tasks of a gang do all the same and go on together or not at all:
// what they keep is what the least of them had done, if all pieces of the attempt kept theirs.
#pragma once

#include <cstdint>
#include <map>

#include "coordinator/engine/container_state.h"
#include "core/outcomes.h"
#include "core/preemption.h"
#include "core/workload.h"

namespace tracebed {

class KeptProgress {
 public:
  // True if nothing is kept, and no piece of a gang has ended before its time.
  bool empty() const { return tasks_.empty() && gang_ == GangAttempt(); }

  // A container of the application, with a task, ended. `progress` is of the attempt's own work.
  void container_ended(const ContainerState& container, bool is_gang, ContainerEnd end,
                       std::uint32_t progress);

  // Takes off the work of a task, or of tasks of a gang that begin with it, what was done before.
  // Returns how much that is of the whole, in millionths.
  std::uint32_t resume(TaskRef task, Work& work);

  // The next attempts begin with nothing.
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
