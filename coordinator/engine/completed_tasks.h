// Counts a job's completed tasks, so that each ends exactly once (invariant 2).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/check.h"
#include "core/workload.h"

namespace tracebed {

class CompletedTasks {
 public:
  explicit CompletedTasks(const Job& job);

  std::uint32_t tasks() const { return tasks_; }
  std::uint32_t succeeded() const { return succeeded_; }

  // `units` tasks from `first` on were started in one container, or that container ended.
  void started(TaskRef first, std::uint32_t units) {
    TRACEBED_CHECK(position(first) + units <= tasks_,
                   "a master launches only tasks that its job has");
    running_ += units;
  }
  void ended(TaskRef first, std::uint32_t units, bool succeeded) {
    TRACEBED_CHECK(running_ >= units, "only a task that was started ends");
    running_ -= units;
    // A finished map may run again when the node that held its output is lost, so a task may
    // succeed more than once; it counts once.
    if (succeeded) succeeded_ += mark_succeeded(position(first), units);
  }

  bool has_succeeded(TaskRef task) const {
    const std::size_t at = position(task);
    if (at < word_bits) return (first_succeeded_ >> at & 1) != 0;
    return more_succeeded_[at - word_bits];
  }

  // True if every task has succeeded and none runs. Attempts that were superseded do not count.
  bool is_complete() const { return succeeded_ == tasks_ && running_ == 0; }

 private:
  static constexpr std::size_t word_bits = 64;

  std::size_t position(TaskRef task) const {
    return (stage_begin_.empty() ? 0 : stage_begin_.at(task.stage)) + task.index;
  }
  // Returns how many were not marked before.
  std::uint32_t mark_succeeded(std::size_t position, std::uint32_t units) {
    if (position + units > word_bits || units == 0) return mark_one_by_one(position, units);
    const std::uint64_t marks = (~std::uint64_t{0} >> (word_bits - units)) << position;
    const std::uint64_t known = first_succeeded_ & marks;
    first_succeeded_ |= marks;
    return known == 0 ? units : units - static_cast<std::uint32_t>(std::popcount(known));
  }
  std::uint32_t mark_one_by_one(std::size_t position, std::uint32_t units);

  // Most jobs are small: up to 64 tasks are marked in a word, and one stage needs no list of
  // positions, so that a small rigid job allocates nothing here.
  std::vector<std::uint32_t> stage_begin_;  // position of each stage's first task
  std::uint64_t first_succeeded_ = 0;       // the first 64 positions
  std::vector<bool> more_succeeded_;        // the others
  std::uint32_t tasks_ = 0;
  std::uint32_t succeeded_ = 0;
  std::uint32_t running_ = 0;
};

}  // namespace tracebed
