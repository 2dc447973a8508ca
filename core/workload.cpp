#include "core/workload.h"

#include "core/check.h"

namespace tracebed {

std::uint32_t task_count(const Stage& stage) {
  std::uint32_t count = 0;
  for (const TaskRun& run : stage.runs) count += run.count;
  return count;
}

const Work& work_of(const Stage& stage, std::uint32_t index) {
  for (const TaskRun& run : stage.runs) {
    if (index < run.count) return run.work;
    index -= run.count;
  }
  invariant_failed("index < task_count(stage)", __FILE__, __LINE__,
                   "a stage has the task asked for");
}

}  // namespace tracebed
