#include "coordinator/engine/task_account.h"

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

bool TaskAccount::mark_succeeded(std::size_t position) {
  if (position >= word_bits) {
    std::vector<bool>::reference mark = more_succeeded_[position - word_bits];
    const bool is_new = !mark;
    mark = true;
    return is_new;
  }
  const std::uint64_t mark = std::uint64_t{1} << position;
  const bool is_new = (first_succeeded_ & mark) == 0;
  first_succeeded_ |= mark;
  return is_new;
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
  for (std::size_t i = position(first); i < position(first) + units; ++i) {
    if (mark_succeeded(i)) ++succeeded_;
  }
}

}  // namespace tracebed
