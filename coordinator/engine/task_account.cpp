#include "coordinator/engine/task_account.h"

#include <bit>

#include "core/check.h"

namespace tracebed {
namespace {
constexpr std::size_t word_bits = 64;
}

TaskAccount::TaskAccount(const Job& job) {
  if (job.stages.size() > 1) stage_begin_.reserve(job.stages.size());
  for (const Stage& stage : job.stages) {
    if (job.stages.size() > 1) stage_begin_.push_back(tasks_);
    tasks_ += task_count(stage);
  }
  if (tasks_ > word_bits) more_succeeded_.resize(tasks_ - word_bits);
}

std::size_t TaskAccount::position(TaskRef task) const {
  const std::size_t begin = stage_begin_.empty() ? 0 : stage_begin_.at(task.stage);
  return begin + task.index;
}

std::uint32_t TaskAccount::mark_succeeded(std::size_t position, std::uint32_t units) {
  if (position + units <= word_bits && units > 0) {
    const std::uint64_t marks = (~std::uint64_t{0} >> (word_bits - units)) << position;
    const auto count = static_cast<std::uint32_t>(std::popcount(marks & ~first_succeeded_));
    first_succeeded_ |= marks;
    return count;
  }
  std::uint32_t count = 0;
  for (std::size_t i = position; i < position + units; ++i) {
    if (i < word_bits) {
      count += mark_succeeded(i, 1);
      continue;
    }
    std::vector<bool>::reference mark = more_succeeded_[i - word_bits];
    if (!mark) ++count;
    mark = true;
  }
  return count;
}

void TaskAccount::started(TaskRef first, std::uint32_t units) {
  TRACEBED_CHECK(position(first) + units <= tasks_,
                 "a master launches only tasks that its job has");
  running_ += units;
}

void TaskAccount::ended(TaskRef first, std::uint32_t units, bool succeeded) {
  TRACEBED_CHECK(running_ >= units, "only a task that was started ends");
  running_ -= units;
  if (!succeeded) return;
  // A finished map may run again when the node that held its output is lost, so a task may succeed
  // more than once; it counts once.
  succeeded_ += mark_succeeded(position(first), units);
}

}  // namespace tracebed
