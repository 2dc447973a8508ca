#include "applications/dag/dag_master.h"

#include <algorithm>
#include <string>
#include <utility>

#include "applications/parts/failure.h"
#include "core/check.h"

namespace tracebed {

DagMaster::DagMaster(const DagOptions& options, Job& job, std::vector<StagePlaces> places)
    : options_(options),
      stages_left_(static_cast<std::uint32_t>(job.stages.size())),
      moved_(static_cast<AskSlot>(job.stages.size())) {
  TRACEBED_CHECK(places.size() == job.stages.size(), "every stage has its places");
  stages_.reserve(job.stages.size());
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    Stage& stage = job.stages[i];
    const Duration delay = stage.delay;
    std::vector<std::uint16_t> needs = std::move(stage.needs);
    std::int32_t priority = 1;
    for (const std::uint16_t needed : needs) {
      TRACEBED_CHECK(needed < i, "a stage stands behind those it needs");
      stages_[needed].dependents.push_back(static_cast<std::uint16_t>(i));
      priority = std::max(priority, stages_[needed].priority + 1);
    }
    const auto needs_left = static_cast<std::uint32_t>(needs.size());
    TaskPool pool(static_cast<std::uint16_t>(i), std::move(stage), std::move(places[i]));
    stages_.push_back(
        DagStage{std::move(pool), std::move(needs), {}, needs_left, priority, delay, never, {}});
  }
  if (!options_.are_outputs_on_nodes) return;
  for (DagStage& stage : stages_) {
    if (!stage.dependents.empty()) stage.output_node.resize(stage.pool.tasks());
  }
}

void DagMaster::start(TraceTime now, MasterActions& actions) {
  for (const DagStage& stage : stages_) {
    if (stage.pool.has_places()) continue;
    return actions.push_back(FinishApplication{
        JobOutcome::failed, "no machine has a label that the tasks of a stage ask for"});
  }
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (stages_[i].needs.empty()) became_ready(now, static_cast<std::uint16_t>(i));
  }
  follow_ended(now);
  for (const std::uint16_t stage : std::exchange(to_ask_, {})) ask(stage, actions);
  finish_if_done(actions);
  if (stages_left_ > 0) want_heartbeat(now, actions);
}

void DagMaster::became_ready(TraceTime now, std::uint16_t index) {
  DagStage& stage = stages_[index];
  if (stage.first_asked == never && stage.delay > Duration::zero()) {
    delayed_.emplace(now + stage.delay, index);
    return;
  }
  begin(now, index);
}

void DagMaster::begin(TraceTime now, std::uint16_t index) {
  DagStage& stage = stages_[index];
  if (stage.first_asked == never) stage.first_asked = now;
  if (stage.pool.tasks() > 0) {
    to_ask_.insert(index);
  } else {
    ended_.push_back(index);
  }
}

// A list instead of recursion: stages without tasks end as soon as they begin, and there may be
// thousands in a row.
void DagMaster::follow_ended(TraceTime now) {
  while (!ended_.empty()) {
    const std::uint16_t index = ended_.back();
    ended_.pop_back();
    --stages_left_;
    for (const std::uint16_t dependent : stages_[index].dependents) {
      DagStage& stage = stages_[dependent];
      const bool is_over = stage.pool.is_done() && stage.first_asked != never;
      if (--stage.needs_left == 0 && !is_over) became_ready(now, dependent);
    }
  }
}

void DagMaster::stage_reopened(std::uint16_t index) {
  ++stages_left_;
  for (const std::uint16_t dependent : stages_[index].dependents) {
    DagStage& stage = stages_[dependent];
    ++stage.needs_left;
    const auto waits = std::find_if(delayed_.begin(), delayed_.end(),
                                    [&](const auto& entry) { return entry.second == dependent; });
    if (waits != delayed_.end()) delayed_.erase(waits);
    if (stage.first_asked != never && !stage.pool.is_done()) to_ask_.insert(dependent);
  }
}

void DagMaster::ask(std::uint16_t index, MasterActions& actions) {
  DagStage& stage = stages_[index];
  actions.push_back(stage.pool.ask(stage.priority, may_run(stage)));
}

void DagMaster::granted(TraceTime now, const Grant& grant, MasterActions& actions) {
  if (moved_.is_own(grant.slot)) return launch_moved(now, grant, actions);
  const auto index = static_cast<std::uint16_t>(grant.slot);
  DagStage& stage = stages_[index];
  if (!may_run(stage) || stage.pool.asked() == 0) {
    return actions.push_back(ReleaseContainer{grant.container});
  }
  const std::uint32_t task =
      stage.pool.launch(grant, stage.first_asked, actions,
                        [&](std::uint32_t which) { return stage.pool.work(which); });
  running_.emplace(grant.container, Attempt{index, task});
}

void DagMaster::launch_moved(TraceTime now, const Grant& grant, MasterActions& actions) {
  const std::optional<TaskRef> task = moved_.granted(grant, actions);
  if (!task) return actions.push_back(ReleaseContainer{grant.container});
  DagStage& stage = stages_[task->stage];
  if (!may_run(stage)) {
    // What it needs was lost since it was asked for.
    actions.push_back(ReleaseContainer{grant.container});
    stage.pool.rejoin(task->index);
    to_ask_.insert(task->stage);
    return want_heartbeat(now, actions);
  }
  stage.pool.launch_one(grant, task->index, stage.first_asked, stage.pool.work(task->index),
                        actions);
  running_.emplace(grant.container, Attempt{task->stage, task->index});
}

void DagMaster::wait_again(const Attempt& attempt, const std::optional<MovedTasks::Order>& order,
                           MasterActions& actions) {
  DagStage& stage = stages_[attempt.stage];
  if (order && may_run(stage)) {
    SetAsk ask = stage.pool.ask_for_one(attempt.task, stage.priority);
    if (moved_.wait(*order, {attempt.stage, attempt.task}, std::move(ask), actions)) return;
  }
  stage.pool.rejoin(attempt.task);
  to_ask_.insert(attempt.stage);
}

void DagMaster::attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) {
  const auto place = running_.find(end.container);
  TRACEBED_CHECK(place != running_.end(), "only what was launched ends");
  const Attempt attempt = place->second;
  running_.erase(place);
  const std::optional<MovedTasks::Order> order = moved_.ended(end.container);
  DagStage& stage = stages_[attempt.stage];
  if (end.end == ContainerEnd::succeeded) {
    stage.pool.succeeded();
    if (!stage.output_node.empty()) stage.output_node[attempt.task] = end.node;
    if (stage.pool.is_done()) ended_.push_back(attempt.stage);
    follow_ended(now);
  } else {
    const bool has_failed = is_failure(end.end);
    const std::uint32_t failures = stage.pool.came_to_nothing(attempt.task, has_failed, now);
    if (has_failed && failures >= options_.attempts_max) {
      return actions.push_back(FinishApplication{
          JobOutcome::failed, "task " + std::to_string(attempt.task) + " of stage " +
                                  std::to_string(attempt.stage) + " failed " +
                                  std::to_string(failures) + " times, at last as " +
                                  std::string(name(end.end))});
    }
    wait_again(attempt, order, actions);
  }
  finish_if_done(actions);
  if (stages_left_ > 0) want_heartbeat(now, actions);
}

bool DagMaster::is_output_wanted(const DagStage& stage) const {
  return std::any_of(stage.dependents.begin(), stage.dependents.end(),
                     [&](std::uint16_t dependent) { return !stages_[dependent].pool.is_done(); });
}

// From the last stage back, since a stage whose outputs are lost needs those of earlier ones again.
void DagMaster::node_lost(TraceTime now, NodeId node, MasterActions& actions) {
  moved_.node_lost(node, actions);
  for (std::size_t i = stages_.size(); i-- > 0;) {
    DagStage& stage = stages_[i];
    if (stage.output_node.empty() || stage.pool.done() == 0 || !is_output_wanted(stage)) continue;
    const bool had_ended = stage.pool.is_done();
    for (std::uint32_t task = 0; task < stage.output_node.size(); ++task) {
      if (stage.output_node[task] != node) continue;
      stage.output_node[task] = NodeId();
      stage.pool.undone(task, now);
    }
    if (!stage.pool.must_ask_again()) continue;
    to_ask_.insert(static_cast<std::uint16_t>(i));
    if (!had_ended || stage.pool.is_done()) continue;
    stage_reopened(static_cast<std::uint16_t>(i));
    if (options_.are_lost_outputs_awaited) kill_dependents(static_cast<std::uint16_t>(i), actions);
  }
  want_heartbeat(now, actions);
}

void DagMaster::kill_dependents(std::uint16_t stage, MasterActions& actions) {
  const std::vector<std::uint16_t>& dependents = stages_[stage].dependents;
  for (const auto& [container, attempt] : running_) {
    const bool depends =
        std::find(dependents.begin(), dependents.end(), attempt.stage) != dependents.end();
    if (depends) actions.push_back(KillTask{container});
  }
}

void DagMaster::want_heartbeat(TraceTime now, MasterActions& actions) {
  TraceTime at = never;
  if (!to_ask_.empty()) {
    at = now;
  } else if (!delayed_.empty()) {
    at = delayed_.begin()->first;
  }
  if (at == never || at == heartbeat_at_) return;
  heartbeat_at_ = at;
  actions.push_back(HeartbeatAt{at});
}

void DagMaster::heartbeat(TraceTime now, const Resources& /*headroom*/, MasterActions& actions) {
  heartbeat_at_ = never;
  while (!delayed_.empty() && delayed_.begin()->first <= now) {
    const std::uint16_t index = delayed_.begin()->second;
    delayed_.erase(delayed_.begin());
    begin(now, index);
    follow_ended(now);
  }
  for (const std::uint16_t stage : std::exchange(to_ask_, {})) ask(stage, actions);
  finish_if_done(actions);
  if (stages_left_ > 0) want_heartbeat(now, actions);
}

void DagMaster::finish_if_done(MasterActions& actions) {
  if (stages_left_ == 0) actions.push_back(FinishApplication{});
}

}  // namespace tracebed
