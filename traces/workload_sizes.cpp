#include "traces/workload_sizes.h"

#include <algorithm>
#include <cmath>

#include "traces/workload_totals.h"

namespace tracebed {
namespace {

enum JobSize : std::size_t { tasks, longest, work, input, shuffle, output };
enum TaskSize : std::size_t { duration, first_demand };
constexpr std::int64_t milliseconds_each = 1000;

std::int64_t rounded(double value) {
  constexpr double largest = 9e18;
  return static_cast<std::int64_t>(std::min(std::round(value), largest));
}

std::vector<WorkloadSizes::Sizes*> known_of(std::vector<WorkloadSizes::Sizes>& sizes) {
  std::vector<WorkloadSizes::Sizes*> known;
  for (WorkloadSizes::Sizes& each : sizes) {
    if (each.unit != "B" || each.values.maximum() > 0) known.push_back(&each);
  }
  return known;
}

}  // namespace

WorkloadSizes::WorkloadSizes(const ResourceDimensions& dimensions, std::size_t exact_max) {
  const auto name_in = [&](std::vector<Sizes>& sizes, std::string name, std::string unit,
                           std::int64_t per_unit) {
    sizes.push_back({std::move(name), std::move(unit), per_unit, Quantiles(exact_max)});
  };
  name_in(jobs_, "tasks", "", 1);
  name_in(jobs_, "longest task", "s", 1'000'000);
  name_in(jobs_, "work", "vcore-s", milliseconds_each);
  for (const char* const name : {"input", "shuffle", "output"}) name_in(jobs_, name, "B", 1);
  name_in(tasks_, "duration", "s", 1'000'000);
  name_in(tasks_, "vcores", "", 1000);
  name_in(tasks_, "memory", "MiB", 1);
  for (std::size_t i = Resources::memory_dimension + 1; i < dimensions.size(); ++i) {
    name_in(tasks_, dimensions.name(i), "", 1);
  }
}

void WorkloadSizes::add(const Job& job) {
  double read = 0;
  double fetched = 0;
  double written = 0;
  for (const Stage& stage : job.stages) {
    std::uint64_t count = 0;
    for (const TaskRun& run : stage.runs) {
      tasks_[duration].values.add(run.work.duration.count(), run.count);
      read += run.count * static_cast<double>(run.work.input_bytes);
      fetched += run.count * static_cast<double>(run.work.shuffle_bytes);
      written += run.count * static_cast<double>(run.work.output_bytes);
      count += run.count;
    }
    for (std::size_t i = first_demand; i < tasks_.size(); ++i) {
      tasks_[i].values.add(stage.demand[i - first_demand], count);
    }
  }
  jobs_[tasks].values.add(static_cast<std::int64_t>(task_count(job)));
  jobs_[longest].values.add(longest_task(job).count());
  jobs_[work].values.add(rounded(vcore_seconds(job) * milliseconds_each));
  jobs_[input].values.add(rounded(read));
  jobs_[shuffle].values.add(rounded(fetched));
  jobs_[output].values.add(rounded(written));
}

std::vector<WorkloadSizes::Sizes*> WorkloadSizes::of_jobs() {
  return known_of(jobs_);
}

std::vector<WorkloadSizes::Sizes*> WorkloadSizes::of_tasks() {
  return known_of(tasks_);
}

}  // namespace tracebed
