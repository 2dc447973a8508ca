#include "coordinator/workload/window.h"

namespace tracebed {

bool WindowedWorkload::next(Job& job) {
  if (window_.jobs_max != 0 && taken_ >= window_.jobs_max) return false;
  do {
    if (!source_.next(job) || job.submit >= window_.until) return false;
  } while (job.submit < window_.from);
  job.id = JobId(taken_++);
  job.submit -= window_.from.time_since_epoch();
  return true;
}

}  // namespace tracebed
