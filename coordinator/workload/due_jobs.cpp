#include "coordinator/workload/due_jobs.h"

#include "core/check.h"

namespace tracebed {

void DueJobs::add(Job job, TraceTime due) {
  job.submit = due;
  const JobId id = job.id;
  jobs_.emplace(std::pair(due, id), std::move(job));
}

void DueJobs::take(Job& job) {
  TRACEBED_CHECK(!jobs_.empty(), "a job is taken only while one is due");
  std::swap(job, jobs_.begin()->second);
  jobs_.erase(jobs_.begin());
}

}  // namespace tracebed
