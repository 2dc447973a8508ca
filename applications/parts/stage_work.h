// The tasks of one stage, and what each of them does, found by index without walking the runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/check.h"
#include "core/workload.h"

namespace tracebed {

class StageWork {
 public:
  StageWork() = default;
  // Takes over the memory of `runs` only if there are several.
  explicit StageWork(std::vector<TaskRun>&& runs) {
    if (runs.size() == 1) {
      only_ = runs.front().work;
      tasks_ = runs.front().count;
      return;
    }
    runs_ = std::move(runs);
    ends_.reserve(runs_.size());
    for (const TaskRun& run : runs_) {
      tasks_ += run.count;
      ends_.push_back(tasks_);
    }
  }

  std::uint32_t tasks() const { return tasks_; }

  const Work& work(std::uint32_t task) const {
    TRACEBED_CHECK(task < tasks_, "a stage has the task asked for");
    return runs_.empty() ? only_ : runs_[run_of(task)].work;
  }

  // True if all tasks do the same.
  bool is_uniform() const { return runs_.empty(); }

  // Of the tasks [first, first + count) in one container.
  // The sum is written in place: a copy right after would stall on halves still being written.
  void combine(std::uint32_t first, std::uint32_t count, Work& sum) const {
    TRACEBED_CHECK(count <= tasks_ && first <= tasks_ - count, "a stage has the tasks asked for");
    sum = Work();
    if (runs_.empty()) {
      if (count > 0) sum.add_side_by_side(only_, count);
      return;
    }
    for (std::size_t run = run_of(first); count > 0; ++run) {
      const std::uint32_t here = std::min(count, ends_[run] - first);
      sum.add_side_by_side(runs_[run].work, here);
      first += here;
      count -= here;
    }
  }

 private:
  std::size_t run_of(std::uint32_t task) const {
    return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), task) -
                                    ends_.begin());
  }

  Work only_;                        // of a stage of one run, the usual case
  std::vector<TaskRun> runs_;        // of others
  std::vector<std::uint32_t> ends_;  // by run: one above its last task
  std::uint32_t tasks_ = 0;
};

}  // namespace tracebed
