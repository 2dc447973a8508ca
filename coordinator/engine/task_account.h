// Counts a job's tasks off, so that each ends exactly once (invariant 2).
#pragma once

#include <cstdint>
#include <vector>

#include "core/workload.h"

namespace tracebed {

class TaskAccount {
 public:
  explicit TaskAccount(const Job& job);

  std::uint32_t tasks() const { return tasks_; }

  // `units` tasks from `first` on were started in one container, or that container ended.
  void started(TaskRef first, std::uint32_t units);
  void ended(TaskRef first, std::uint32_t units, bool succeeded);

  // True if every task has succeeded and none runs.
  bool is_complete() const { return succeeded_ == tasks_ && running_ == 0; }

 private:
  std::size_t position(TaskRef task) const;
  // Returns how many were not marked before.
  std::uint32_t mark_succeeded(std::size_t position, std::uint32_t units);

  // Most jobs are small: up to 64 tasks are marked in a word, and one stage needs no list of where
  // each begins, so that a small rigid job allocates nothing here.
  std::vector<std::uint32_t> stage_begin_;  // position of each stage's first task
  std::uint64_t first_succeeded_ = 0;       // the first 64 positions
  std::vector<bool> more_succeeded_;        // the others
  std::uint32_t tasks_ = 0;
  std::uint32_t succeeded_ = 0;
  std::uint32_t running_ = 0;
};

}  // namespace tracebed
