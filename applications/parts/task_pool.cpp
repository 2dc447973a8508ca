#include "applications/parts/task_pool.h"

#include <utility>

namespace tracebed {

TaskPool::TaskPool(std::uint16_t slot, Stage&& stage, StagePlaces&& places)
    : slot_(slot),
      demand_(stage.demand),
      input_(stage.input, task_count(stage)),
      work_(std::move(stage.runs)),
      is_confined_(places.is_confined),
      allowed_(std::move(places.allowed)),
      waiting_(work_.tasks(), is_confined_ ? std::vector<Replica>() : std::move(places.replicas),
               is_confined_ ? 0 : places.replication) {}

SetAsk TaskPool::ask(std::int32_t priority, bool may_run) {
  for (const std::uint32_t task : again_) waiting_.reopen(task);
  again_.clear();
  SetAsk ask;
  ask.slot = slot_;
  ask.priority = priority;
  ask.demand = demand_;
  ask.pending = may_run ? asked() : 0;
  if (is_confined_) {
    name_allowed(ask);
  } else {
    ask.nodes = waiting_.node_counts();
    ask.racks = waiting_.rack_counts();
  }
  return ask;
}

void TaskPool::name_allowed(SetAsk& ask) const {
  ask.relax_locality = false;
  ask.nodes.reserve(allowed_.size());
  // Not taken back by grants: the nodes stay allowed.
  for (const NodeId node : allowed_) ask.nodes.push_back({node, tasks()});
}

SetAsk TaskPool::ask_for_one(std::uint32_t task, std::int32_t priority) const {
  SetAsk ask;
  ask.priority = priority;
  ask.demand = demand_;
  if (is_confined_) {
    name_allowed(ask);
    return ask;
  }
  waiting_.name_places(task, ask);
  return ask;
}

LaunchTask TaskPool::take(const Grant& grant, TraceTime first_asked, MasterActions& actions) {
  const PendingMaps::Choice choice = waiting_.take(grant.node, grant.rack);
  if (waiting_.names_places()) {
    AdjustPlaces fewer{.slot = slot_, .fewer_nodes = {}, .fewer_racks = {}};
    for (const Replica& replica : waiting_.replicas(choice.map)) {
      fewer.fewer_nodes.push_back(replica.node);
    }
    append_racks(waiting_.replicas(choice.map), fewer.fewer_racks);
    actions.push_back(std::move(fewer));
  }
  return start(grant, choice.map, choice.locality, first_asked);
}

LaunchTask TaskPool::start(const Grant& grant, std::uint32_t task, Locality locality,
                           TraceTime first_asked) {
  LaunchTask launched;
  launched.container = grant.container;
  launched.task = {slot_, task};
  launched.attempt = retries_.next_attempt(task);
  launched.locality = locality;
  launched.waiting_since = retries_.waiting_since(task, first_asked);
  retries_.launched(task);
  ++running_;
  return launched;
}

void TaskPool::launch_one(const Grant& grant, std::uint32_t task, TraceTime first_asked,
                          const Work& work, MasterActions& actions) {
  LaunchTask launched =
      start(grant, task, waiting_.locality(task, grant.node, grant.rack), first_asked);
  launched.work = {work};
  input_.add_split(task, launched.work);
  actions.push_back(launched);
}

std::uint32_t TaskPool::came_to_nothing(std::uint32_t task, bool has_failed, TraceTime now) {
  --running_;
  retries_.waits_again(task, retries_.next_attempt(task), has_failed, now);
  return retries_.failures(task);
}

void TaskPool::undone(std::uint32_t task, TraceTime now) {
  --done_;
  retries_.waits_again(task, retries_.next_attempt(task), false, now);
  rejoin(task);
}

}  // namespace tracebed
