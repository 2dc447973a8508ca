// Jobs whose time of submission is known, in the order in which they are due; of equal times by id.
#pragma once

#include <map>
#include <utility>

#include "core/time.h"
#include "core/workload.h"

namespace tracebed {

class DueJobs {
 public:
  // `never` if there are none.
  TraceTime next_due() const { return jobs_.empty() ? never : jobs_.begin()->first.first; }
  // Its `submit` becomes `due`.
  void add(Job job, TraceTime due);
  // Swaps the first into `job`, whose memory may be reused. Only while there is one.
  void take(Job& job);

 private:
  std::map<std::pair<TraceTime, JobId>, Job> jobs_;
};

}  // namespace tracebed
