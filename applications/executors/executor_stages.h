// The stages of a job on executors: which tasks may run, how they are launched, and what is lost
// with a node.
//
// A stage's tasks may run when all stages that it needs have ended and its delay has passed; a
// stage of reduces needs all before it. Outputs of finished tasks stay on the nodes that made them:
// those of a lost node are lost, and made again, as long as a stage that needs them has not ended.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "applications/executors/cached_inputs.h"
#include "applications/executors/executor_allocation.h"
#include "applications/executors/task_set.h"
#include "applications/parts/retries.h"
#include "applications/parts/stage_input.h"
#include "applications/parts/stage_places.h"
#include "applications/parts/stage_work.h"
#include "core/application_master.h"
#include "core/workload.h"

namespace tracebed {

class ExecutorStages {
 public:
  // The contents of the stages of `job` are moved out; `places` has one entry per stage.
  ExecutorStages(Job& job, std::vector<StagePlaces> places, const LocalityWaits& waits);

  std::uint16_t size() const { return static_cast<std::uint16_t>(stages_.size()); }
  StageKind kind(std::uint16_t stage) const { return stages_[stage].kind; }
  TaskSet& tasks(std::uint16_t stage) { return stages_[stage].tasks; }
  const TaskSet& tasks(std::uint16_t stage) const { return stages_[stage].tasks; }

  bool have_ended() const;
  // What it needs has ended; its delay may not have passed.
  bool has_needs(std::uint16_t stage) const { return stages_[stage].ready_at != never; }
  // Tasks wait that may run now.
  bool has_offers(std::uint16_t stage, TraceTime now) const {
    return stages_[stage].ready_at <= now && stages_[stage].tasks.pending() > 0;
  }
  // When the next delay has passed; `never` if there is none.
  TraceTime next_ready(TraceTime now) const;

  // Of a stage, however many of its tasks are left (ExecutorAllocationListener.onStageSubmitted).
  const LocalTasks& local_tasks(std::uint16_t stage);

  // The time has come for stages with a delay. Called by what changes stages, too.
  void update(TraceTime now);

  // The stage's tasks are about to be offered for the first time: they are near the executors that
  // have their input in memory.
  void place_on_executors(std::uint16_t stage, const CachedInputs& cached);
  // Of a task that a TaskSet gave.
  LaunchTask launch(TaskRef task, ContainerId container, Locality locality);
  // Returns whether its stage has ended.
  bool succeeded(TraceTime now, TaskRef task, NodeId node);
  // The attempt did not succeed; returns how often the task has failed. It is not pending until it
  // is reopened in its TaskSet.
  std::uint32_t came_to_nothing(TraceTime now, TaskRef task, bool has_failed);
  void lose_outputs(TraceTime now, NodeId node);

 private:
  struct RunStage {
    StageKind kind = StageKind::map;
    StageWork work;
    StageInput input;
    TaskSet tasks;
    Retries retries;
    std::vector<std::uint16_t> needs;
    Duration delay{};            // zero once it has passed
    TraceTime ready_at = never;  // `never`: it needs stages that have not ended
    std::uint32_t done = 0;
    bool has_ended = false;
    std::vector<NodeId> output_nodes;  // by task, of finished ones
    std::optional<LocalTasks> local;   // once it was asked for
  };

  bool is_needed(std::uint16_t stage) const;

  std::vector<RunStage> stages_;
};

}  // namespace tracebed
