// What a task uses, if its trace has only its run time and what it asked for.
#pragma once

#include "core/resources.h"
#include "core/workload.h"
#include "traces/parts/rounding.h"
#include "traces/parts/rules.h"

namespace tracebed {

inline Resources default_demand(const TaskRules& rules) {
  return Resources(rules.millicores, rules.memory_mib);
}

// `run_time` is positive.
inline Work work_of_run(Duration run_time, const Resources& demand, const TaskRules& rules) {
  Work work;
  work.duration = run_time;
  const double vcores = static_cast<double>(demand.milli_vcores()) / 1000;
  work.cpu_time =
      microseconds(nearest_whole(static_cast<double>(run_time.count()) * vcores * rules.cpu_share));
  work.memory_mib = floored(static_cast<double>(demand.memory_mib()) * rules.memory_share);
  return work;
}

}  // namespace tracebed
