// What tasks keep on their machines for tasks of later stages, in a run with a shuffle
// (core/shuffle.h). A stage of reduces fetches from all maps of its job, a stage of a DAG from all
// tasks of the stages that it needs, if the trace has it fetch anything. What executors keep of
// their input is at the same servers, under the job's name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "coordinator/engine/step_context.h"
#include "core/ids.h"
#include "core/outcomes.h"
#include "core/shuffle.h"
#include "core/task_work.h"
#include "core/workload.h"

namespace tracebed {

class MapOutputs {
 public:
  // Without options tasks fetch nothing.
  MapOutputs(std::optional<ShuffleOptions> options, StepContext& context)
      : options_(options), context_(context) {}

  // Before its stages are moved out of the job.
  void job_opened(const Job& job);
  // States in the work of a whole task what it keeps and what it fetches, whatever a master says,
  // and what it spills besides what a master says.
  void add_to(TaskWork& work, JobId job, TaskRef task);
  // The output of one that succeeded can be fetched.
  void ended(JobId job, TaskRef task, ContainerId container, NodeId node, ContainerEnd end);
  void job_ended(JobId job);

 private:
  // Tasks [first, end) of a stage that fetch the same number of bytes, from `offset` on.
  struct FetchRun {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    std::int64_t offset = 0;
    std::int64_t bytes = 0;  // of one task
  };
  // A stage that fetches.
  struct Exchange {
    std::uint16_t stage = 0;
    std::map<std::uint16_t, std::uint32_t> first_source;  // by stage that it fetches from
    std::uint32_t sources = 0;
    std::vector<FetchRun> runs;
    std::int64_t bytes = 0;
  };

  // Calls visit(exchange, source) for each stage that fetches from the task.
  template <class Visitor>
  static void visit_fetching(const std::vector<Exchange>& exchanges, TaskRef task, Visitor&& visit);

  std::optional<ShuffleOptions> options_;
  StepContext& context_;
  std::map<JobId, std::vector<Exchange>> exchanges_;  // of open jobs that have any
  std::set<JobId> spilling_;                          // those of MapReduce
  std::set<JobId> keeping_;  // open jobs that have other bytes at the shuffle servers
};

}  // namespace tracebed
