// The deadline of a job for which its trace states none (rule trace.deadline_factor).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/workload.h"
#include "traces/parts/rules.h"

namespace tracebed {

// To be called when the job is complete. A deadline that it has stays.
inline void obey_deadline_rule(const CommonRules& rules, Job& job) {
  if (rules.deadline_factor <= 0 || job.deadline > Duration::zero()) return;
  const double deadline =
      std::round(static_cast<double>(ideal_duration(job).count()) * rules.deadline_factor);
  job.deadline = deadline < static_cast<double>(deadline_max.count())
                     ? std::max(Duration(1), Duration(static_cast<std::int64_t>(deadline)))
                     : deadline_max;
}

}  // namespace tracebed
