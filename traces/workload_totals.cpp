#include "traces/workload_totals.h"

#include <algorithm>

namespace tracebed {
namespace {

Resources component_maximum(Resources a, const Resources& b) {
  for (std::size_t i = 0; i < Resources::dimensions_max; ++i) a[i] = std::max(a[i], b[i]);
  return a;
}

}  // namespace

double vcore_seconds(const Job& job) {
  double sum = 0;
  for (const Stage& stage : job.stages) {
    const double vcores = static_cast<double>(stage.demand.milli_vcores()) / 1000;
    for (const TaskRun& run : stage.runs) {
      sum += vcores * run.count * to_seconds(run.work.duration);
    }
  }
  return sum;
}

std::uint64_t task_count(const Job& job) {
  std::uint64_t tasks = 0;
  for (const Stage& stage : job.stages) {
    for (const TaskRun& run : stage.runs) tasks += run.count;
  }
  return tasks;
}

Duration longest_task(const Job& job) {
  Duration longest{};
  for (const Stage& stage : job.stages) {
    for (const TaskRun& run : stage.runs) longest = std::max(longest, run.work.duration);
  }
  return longest;
}

void WorkloadTotals::add(const Job& job) {
  if (jobs_ == 0) first_submit_ = job.submit;
  last_submit_ = job.submit;
  ++jobs_;
  if (job.kind == JobKind::rigid) ++gang_jobs_;
  for (const Stage& stage : job.stages) {
    largest_task_ = component_maximum(largest_task_, stage.demand);
    for (const TaskRun& run : stage.runs) {
      const Work& work = run.work;
      const double seconds_each = to_seconds(work.duration);
      tasks_ += run.count;
      task_seconds_ += run.count * seconds_each;
      mib_seconds_ += static_cast<double>(stage.demand.memory_mib()) * run.count * seconds_each;
      cpu_seconds_ += run.count * to_seconds(work.cpu_time);
      input_bytes_ += run.count * static_cast<double>(work.input_bytes);
      shuffle_bytes_ += run.count * static_cast<double>(work.shuffle_bytes);
      output_bytes_ += run.count * static_cast<double>(work.output_bytes);
    }
  }
  vcore_seconds_ += tracebed::vcore_seconds(job);
}

double WorkloadTotals::offered_vcores() const {
  const double seconds = to_seconds(span());
  return seconds > 0 ? vcore_seconds_ / seconds : 0;
}

double WorkloadTotals::offered_mib() const {
  const double seconds = to_seconds(span());
  return seconds > 0 ? mib_seconds_ / seconds : 0;
}

double WorkloadTotals::mean_task_seconds() const {
  return tasks_ > 0 ? task_seconds_ / static_cast<double>(tasks_) : 0;
}

}  // namespace tracebed
