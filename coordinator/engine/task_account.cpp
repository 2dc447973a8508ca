#include "coordinator/engine/task_account.h"

#include "core/check.h"

namespace tracebed {

TaskAccount::TaskAccount(const Job& job) {
  // A job of one stage, as every rigid one is, needs no list of where its stages begin.
  if (job.stages.size() > 1) stage_begin_.reserve(job.stages.size());
  for (const Stage& stage : job.stages) {
    if (job.stages.size() > 1) stage_begin_.push_back(tasks_);
    tasks_ += task_count(stage);
  }
  has_succeeded_.resize(tasks_);
}

std::size_t TaskAccount::position(TaskRef task) const {
  const std::size_t begin = stage_begin_.empty() ? 0 : stage_begin_.at(task.stage);
  return begin + task.index;
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
    if (!has_succeeded_[i]) ++succeeded_;
    has_succeeded_[i] = true;
  }
}

}  // namespace tracebed
