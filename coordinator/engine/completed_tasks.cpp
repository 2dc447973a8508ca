#include "coordinator/engine/completed_tasks.h"

namespace tracebed {

CompletedTasks::CompletedTasks(const Job& job) {
  if (job.stages.size() > 1) stage_begin_.reserve(job.stages.size());
  for (const Stage& stage : job.stages) {
    if (job.stages.size() > 1) stage_begin_.push_back(tasks_);
    tasks_ += task_count(stage);
  }
  if (tasks_ > word_bits) more_succeeded_.resize(tasks_ - word_bits);
}

std::uint32_t CompletedTasks::mark_one_by_one(std::size_t position, std::uint32_t units) {
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

}  // namespace tracebed
