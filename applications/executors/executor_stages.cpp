#include "applications/executors/executor_stages.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "core/check.h"

namespace tracebed {

ExecutorStages::ExecutorStages(Job& job, std::vector<StagePlaces> places,
                               const LocalityWaits& waits) {
  TRACEBED_CHECK(places.size() == job.stages.size(), "every stage has its places");
  stages_.reserve(job.stages.size());
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    Stage& stage = job.stages[i];
    const std::uint32_t tasks = task_count(stage);
    std::vector<std::uint16_t> needs = std::move(stage.needs);
    if (stage.kind == StageKind::reduce) {
      needs.resize(i);
      std::iota(needs.begin(), needs.end(), std::uint16_t{0});
    }
    for (const std::uint16_t needed : needs) {
      TRACEBED_CHECK(needed < i, "a stage stands behind those it needs");
    }
    PendingMaps pending(tasks, std::move(places[i].replicas), places[i].replication);
    stages_.push_back({.kind = stage.kind,
                       .work = StageWork(std::move(stage.runs)),
                       .input = StageInput(stage.input, tasks),
                       .tasks = TaskSet(std::move(pending), waits),
                       .retries = {},
                       .needs = std::move(needs),
                       .delay = stage.delay,
                       .output_nodes = std::vector<NodeId>(tasks)});
  }
}

bool ExecutorStages::have_ended() const {
  return std::all_of(stages_.begin(), stages_.end(),
                     [](const RunStage& stage) { return stage.has_ended; });
}

TraceTime ExecutorStages::next_ready(TraceTime now) const {
  TraceTime next = never;
  for (const RunStage& stage : stages_) {
    if (!stage.has_ended && stage.ready_at > now) next = std::min(next, stage.ready_at);
  }
  return next;
}

// In their order, so that stages without tasks end with what they need.
void ExecutorStages::update(TraceTime now) {
  for (RunStage& stage : stages_) {
    const bool has_needs =
        std::all_of(stage.needs.begin(), stage.needs.end(),
                    [this](std::uint16_t needed) { return stages_[needed].has_ended; });
    if (stage.ready_at <= now) stage.delay = Duration::zero();
    if (!has_needs) {
      stage.ready_at = never;
    } else if (stage.ready_at == never) {
      stage.ready_at = now + stage.delay;
    }
    const std::uint32_t tasks = stage.work.tasks();
    stage.has_ended = tasks > 0 ? stage.done == tasks : stage.ready_at <= now;
  }
}

void ExecutorStages::place_on_executors(std::uint16_t stage, const CachedInputs& cached) {
  if (!cached.is_shared(stage)) return;
  std::vector<std::span<const ExecutorPlace>> holders;
  for (std::uint32_t task = 0; task < stages_[stage].work.tasks(); ++task) {
    holders.push_back(cached.holders({stage, task}));
  }
  const auto has_none = [](const auto& of_task) { return of_task.empty(); };
  if (std::all_of(holders.begin(), holders.end(), has_none)) return;
  stages_[stage].tasks.place_on_executors(holders);
}

const LocalTasks& ExecutorStages::local_tasks(std::uint16_t index) {
  RunStage& stage = stages_[index];
  if (stage.local) return *stage.local;
  LocalTasks& local = stage.local.emplace();
  for (std::uint32_t task = 0; task < stage.work.tasks(); ++task) {
    const auto replicas = stage.tasks.tasks().replicas(task);
    if (!replicas.empty()) ++local.tasks;
    for (const Replica& replica : replicas) {
      LocalTasks::OnNode& on_node = local.nodes[replica.node];
      on_node.rack = replica.rack;
      ++on_node.tasks;
    }
  }
  return local;
}

LaunchTask ExecutorStages::launch(TaskRef task, ContainerId container, Locality locality) {
  RunStage& stage = stages_[task.stage];
  LaunchTask launch;
  launch.container = container;
  launch.task = task;
  launch.attempt = stage.retries.next_attempt(task.index);
  launch.locality = locality;
  launch.waiting_since = stage.retries.waiting_since(task.index, stage.ready_at);
  launch.work = {stage.work.work(task.index)};
  stage.input.add_split(task.index, launch.work);
  stage.retries.launched(task.index);
  return launch;
}

bool ExecutorStages::succeeded(TraceTime now, TaskRef task, NodeId node) {
  RunStage& stage = stages_[task.stage];
  ++stage.done;
  stage.output_nodes[task.index] = node;
  if (stage.done < stage.work.tasks()) return false;
  update(now);
  return true;
}

std::uint32_t ExecutorStages::came_to_nothing(TraceTime now, TaskRef task, bool has_failed) {
  Retries& retries = stages_[task.stage].retries;
  retries.waits_again(task.index, retries.next_attempt(task.index), has_failed, now);
  return retries.failures(task.index);
}

bool ExecutorStages::is_needed(std::uint16_t index) const {
  return std::any_of(stages_.begin(), stages_.end(), [index](const RunStage& stage) {
    return !stage.has_ended &&
           std::find(stage.needs.begin(), stage.needs.end(), index) != stage.needs.end();
  });
}

// From the last stage back: one whose outputs are lost needs those of earlier ones again.
void ExecutorStages::lose_outputs(TraceTime now, NodeId node) {
  for (std::uint16_t i = size(); i-- > 0;) {
    RunStage& stage = stages_[i];
    if (!is_needed(i)) continue;
    for (std::uint32_t task = 0; task < stage.output_nodes.size(); ++task) {
      if (stage.output_nodes[task] != node) continue;
      stage.output_nodes[task] = NodeId();
      --stage.done;
      stage.has_ended = false;
      stage.retries.waits_again(task, stage.retries.next_attempt(task), false, now);
      stage.tasks.reopen(task);
    }
  }
  update(now);
}

}  // namespace tracebed
