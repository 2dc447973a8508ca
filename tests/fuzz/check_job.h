// The promises that every job from outside is checked against.
#pragma once

#include "core/check.h"
#include "core/workload.h"

namespace tracebed::fuzz {

// What every reader promises about every job (core/workload.h).
inline void check_job(const Job& job, TraceTime submitted_before) {
  TRACEBED_CHECK(job.submit >= submitted_before, "jobs come in the order of their submit times");
  TRACEBED_CHECK(!job.stages.empty(), "a job has a stage");
  TRACEBED_CHECK(job.stages.size() <= stages_max, "a task names its stage in 16 bits");
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    const Stage& stage = job.stages[i];
    for (const std::uint16_t needed : stage.needs) {
      TRACEBED_CHECK(needed < i && job.kind == JobKind::dag,
                     "a stage of a DAG stands behind those it needs");
    }
    TRACEBED_CHECK(stage.delay >= Duration{}, "a delay is not negative");
    TRACEBED_CHECK(stage.places.is_empty() || stage.places.ends.size() == task_count(stage),
                   "every task has its places, where there are any");
    TRACEBED_CHECK(!stage.demand.has_negative(), "a demand is not negative");
    for (const TaskRun& run : stage.runs) {
      TRACEBED_CHECK(run.count > 0, "a run of tasks is not empty");
      TRACEBED_CHECK(run.work.duration >= Duration{} && run.work.cpu_time >= Duration{} &&
                         run.work.input_bytes >= 0 && run.work.output_bytes >= 0,
                     "work is not negative");
    }
  }
}

}  // namespace tracebed::fuzz
