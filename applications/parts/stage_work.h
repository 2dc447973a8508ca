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
  explicit StageWork(std::vector<TaskRun> runs) : runs_(std::move(runs)) {
    if (runs_.size() > 1) ends_.reserve(runs_.size());
    for (const TaskRun& run : runs_) {
      tasks_ += run.count;
      if (runs_.size() > 1) ends_.push_back(tasks_);
    }
  }

  std::uint32_t tasks() const { return tasks_; }

  const Work& work(std::uint32_t task) const {
    TRACEBED_CHECK(task < tasks_, "a stage has the task asked for");
    if (runs_.size() == 1) return runs_.front().work;
    return runs_[run_of(task)].work;
  }

  // Of the tasks [first, first + count) in one container: they run side by side, so amounts add up
  // and the longest sets the time.
  Work combined(std::uint32_t first, std::uint32_t count) const {
    TRACEBED_CHECK(count <= tasks_ && first <= tasks_ - count, "a stage has the tasks asked for");
    Work sum;
    std::size_t run = runs_.size() == 1 ? 0 : run_of(first);
    while (count > 0) {
      const std::uint32_t end = runs_.size() == 1 ? tasks_ : ends_[run];
      const std::uint32_t here = std::min(count, end - first);
      const Work& work = runs_[run].work;
      sum.duration = std::max(sum.duration, work.duration);
      sum.cpu_time += work.cpu_time * here;
      sum.memory_mib += work.memory_mib * here;
      sum.input_bytes += work.input_bytes * here;
      sum.shuffle_bytes += work.shuffle_bytes * here;
      sum.output_bytes += work.output_bytes * here;
      first += here;
      count -= here;
      ++run;
    }
    return sum;
  }

 private:
  std::size_t run_of(std::uint32_t task) const {
    return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), task) -
                                    ends_.begin());
  }

  std::vector<TaskRun> runs_;
  std::vector<std::uint32_t> ends_;  // by run: one above its last task; empty if there is one run
  std::uint32_t tasks_ = 0;
};

}  // namespace tracebed
