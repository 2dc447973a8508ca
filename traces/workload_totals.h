// Sums over a workload in the model's own terms, whatever format it came from: what the scale model
// is measured by. Cheap enough to be kept in every run.
#pragma once

#include <cstdint>

#include "core/resources.h"
#include "core/time.h"
#include "core/workload.h"

namespace tracebed {

class WorkloadTotals {
 public:
  void add(const Job& job);

  std::uint64_t jobs() const { return jobs_; }
  std::uint64_t tasks() const { return tasks_; }
  std::uint64_t gang_jobs() const { return gang_jobs_; }
  TraceTime first_submit() const { return first_submit_; }
  TraceTime last_submit() const { return last_submit_; }
  // From the first submission to the last.
  Duration span() const { return last_submit_ - first_submit_; }

  // Σ over tasks of demand × duration.
  double vcore_seconds() const { return vcore_seconds_; }
  double mib_seconds() const { return mib_seconds_; }
  double cpu_seconds() const { return cpu_seconds_; }
  double input_bytes() const { return input_bytes_; }
  double shuffle_bytes() const { return shuffle_bytes_; }
  double output_bytes() const { return output_bytes_; }
  // The mean of vcores (MiB) that the workload would keep busy over its span. Zero without a span.
  double offered_vcores() const;
  double offered_mib() const;
  // The most that one task asks for, in each dimension.
  const Resources& largest_task() const { return largest_task_; }
  double mean_task_seconds() const;

 private:
  std::uint64_t jobs_ = 0;
  std::uint64_t tasks_ = 0;
  std::uint64_t gang_jobs_ = 0;
  TraceTime first_submit_{};
  TraceTime last_submit_{};
  double vcore_seconds_ = 0;
  double mib_seconds_ = 0;
  double cpu_seconds_ = 0;
  double task_seconds_ = 0;
  double input_bytes_ = 0;
  double shuffle_bytes_ = 0;
  double output_bytes_ = 0;
  Resources largest_task_;
};

// Σ over the job's tasks of vcores × duration.
double vcore_seconds(const Job& job);
std::uint64_t task_count(const Job& job);
// Of the job's longest task.
Duration longest_task(const Job& job);

}  // namespace tracebed
