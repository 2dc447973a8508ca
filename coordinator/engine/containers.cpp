#include "coordinator/engine/containers.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "core/kernel_work.h"
#include "core/transfer_weight.h"

namespace tracebed {

ContainerId Containers::allocate(AskId ask, std::span<const GangPiece> pieces,
                                 ApplicationState& application) {
  context_.counters.allocations += pieces.size();
  context_.cluster_changed = true;
  records_.allocated(application.record);
  const ApplicationId owner = application.record.application;
  context_.digest.allocated(context_.now(), owner, ask, pieces);
  const ContainerId first = ledger_.allocate(ask, pieces, context_.now());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const DeviceShares* const devices = ledger_.model().devices_of(first + i);
    if (devices != nullptr) context_.digest.devices_taken(first + i, *devices);
  }
  const Application& model = ledger_.model().applications[owner];
  const ManagedMaster* const master = application.master.managed();
  const std::uint32_t attempt = master == nullptr ? 1 : master->attempt();
  states_.emplace_range(first, pieces.size(), [&](ContainerState& state) {
    state.job = model.job;
    state.user = model.user;
    state.queue = model.queue;
    state.leaf = model.leaf;
    state.application_attempt = attempt;
  });
  return first;
}

void Containers::launch(ApplicationId id, ApplicationState& application, const LaunchTask& action) {
  const Container& container = ledger_.model().containers[action.container];
  TRACEBED_CHECK(container.application == id, "a master launches in a container of its own");
  ledger_.launch_task(action.container, action.locality);
  ContainerState& state = states_[action.container];
  state.is_held = action.is_held;
  if (action.is_held) held_.insert(action.container);
  state.task = action.task;
  state.attempt = action.attempt;
  state.waiting_since = action.waiting_since;
  if (action.beside.is_valid()) run_beside(action.container, action.beside, application);
  if (!state.is_superseded) application.tasks.started(action.task, container.units);
  ++application.record.attempts;
  auto& command = context_.command<LaunchContainer>();
  command.container = action.container;
  command.node = container.node;
  command.application = id;
  command.task = action.task;
  command.attempt = action.attempt;
  command.limits = container.resources;
  command.work = action.work;
  command.is_held = action.is_held;
  if (const DeviceShares* const devices = ledger_.model().devices_of(action.container)) {
    command.devices = *devices;
  }
  outputs_.add_to(command.work, application.record.kind, state.job, action.task);
  map_outputs_.add_to(command.work, state.job, action.task);
  set_kernel(command.work, application.kernel, action.task);
  command.work.io_weight = transfer_weight_of(container);
  if (!application.kept.empty()) {
    state.progress = application.kept.resume(action.task, command.work);
  }
  outputs_.launched(action.container, command.work);
  state.nominal = command.work.duration;
  context_.digest.launched(action.container, action.task);
}

std::uint32_t Containers::transfer_weight_of(const Container& container) const {
  if (!transfer_weights_) return 0;
  const Node& node = ledger_.model().nodes[container.node.index()];
  return transfer_weight(container.resources[*transfer_weights_],
                         node.capacity[*transfer_weights_]);
}

void Containers::run_beside(ContainerId id, ContainerId other,
                            const ApplicationState& application) {
  ContainerState& state = states_[id];
  ++context_.counters.attempts_duplicated;
  ContainerState* const running = states_.find(other);
  if (running == nullptr || running->is_orphan) {
    // Also of a task that runs once more since its output was lost: then this attempt is repeated.
    state.is_superseded = application.tasks.has_succeeded(state.task);
    return;
  }
  TRACEBED_CHECK(other != id && running->task == state.task && !running->twin.is_valid(),
                 "an attempt runs beside one other at the same task");
  state.is_superseded = running->is_superseded;
  if (state.is_superseded) return;
  state.twin = other;
  running->twin = id;
}

void Containers::launch(ApplicationId id, ApplicationState& application, LaunchGang&& action) {
  const Container& head = ledger_.model().containers[action.first];
  TRACEBED_CHECK(head.application == id, "a master launches in containers of its own");
  ledger_.launch_gang(action.first, action.pieces.size());
  auto& command = context_.command<LaunchGangContainers>();
  command.first = action.first;
  command.application = id;
  command.task = action.task;
  command.attempt = action.attempt;
  command.limits = ledger_.model().asks[head.ask].demand;
  command.work = action.work;
  command.pieces = std::move(action.pieces);
  for (std::size_t i = 0; i < command.pieces.size(); ++i) {
    const DeviceShares* const devices = ledger_.model().devices_of(action.first + i);
    if (devices == nullptr) continue;
    command.devices.resize(command.pieces.size());
    command.devices[i] = *devices;
  }
  std::uint32_t progress = 0;
  if (!application.kept.empty()) {
    progress = application.kept.resume(action.task, command.work);
  }
  TaskRef task = action.task;
  std::size_t piece = 0;
  states_.visit_range(action.first, command.pieces.size(), [&](ContainerState& state) {
    state.task = task;
    state.attempt = action.attempt;
    state.waiting_since = action.waiting_since;
    state.progress = progress;
    state.nominal = command.work.duration;
    task.index += command.pieces[piece++].units;
  });
  application.tasks.started(action.task, task.index - action.task.index);
  const auto count = static_cast<std::uint32_t>(command.pieces.size());
  context_.digest.gang_launched(action.first, count, action.task);
  application.record.attempts += count;
  application.whole_gang = {action.first, count};
}

void Containers::launch_master(ApplicationId id, ApplicationState& application,
                               const LaunchMasterProcess& action) {
  const Container& container = ledger_.model().containers[action.container];
  ledger_.launch_master(action.container);
  ContainerState& state = states_[action.container];
  state.attempt = action.attempt;
  state.application_attempt = action.attempt;
  state.waiting_since = action.waiting_since;
  ++masters_alive_;
  const ManagedMaster* const master = application.master.managed();
  if (master == nullptr) return;  // a scenario's, which is no process
  if (action.attempt > 1) {
    ++context_.counters.masters_failed;
    application.tasks = CompletedTasks(master->job());
    application.kept.forget();
    orphan_others(id, action.container);
  }
  auto& command = context_.command<LaunchMaster>();
  command.container = action.container;
  command.node = container.node;
  command.application = id;
  command.attempt = action.attempt;
  command.limits = container.resources;
  command.job = master->shared_job();
  command.nodes = known_nodes();
  context_.digest.master_launched(action.container);
}

// Masters are launched more often than machines join, so they share what they are sent.
const Immutable<std::vector<Node>>& Containers::known_nodes() {
  const std::vector<Node>& nodes = ledger_.model().nodes;
  const auto same_machine = [](const Node& a, const Node& b) {
    return a.name == b.name && a.rack == b.rack && a.labels == b.labels;
  };
  const bool is_known = std::equal(nodes.begin(), nodes.end(), known_nodes_->begin(),
                                   known_nodes_->end(), same_machine);
  if (!is_known) {
    std::vector<Node> known(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      known[i].id = nodes[i].id;
      known[i].name = nodes[i].name;
      known[i].rack = nodes[i].rack;
      known[i].labels = nodes[i].labels;
    }
    known_nodes_ = Immutable(std::move(known));
  }
  return known_nodes_;
}

void Containers::orphan_others(ApplicationId id, ContainerId own) {
  std::vector<ContainerId> others;
  ledger_.model().containers.for_each([&](ContainerId other, const Container& container) {
    if (container.application == id && other != own) others.push_back(other);
  });
  for (const ContainerId other : others) {
    states_[other].is_orphan = true;
    preemptions_.orphan(other);
  }
}

void Containers::let_begin(ContainerId id) {
  ContainerState& state = states_[id];
  const Container& container = ledger_.model().containers[id];
  TRACEBED_CHECK(container.is_launched && state.is_held && state.work_begun == TraceTime(),
                 "a held task is let begin once");
  state.work_begun = context_.now();
  held_.erase(id);
  context_.command<ContinueContainer>(id, container.node);
}

void Containers::checkpoint(ContainerId id) {
  const Container& container = ledger_.model().containers[id];
  ContainerState& state = states_[id];
  TRACEBED_CHECK(container.is_launched && !container.is_master,
                 "a master has only tasks that it launched keep their progress");
  if (container.is_being_killed || state.is_checkpointing) return;
  state.is_checkpointing = true;
  context_.digest.checkpointed(id);
  context_.command<CheckpointContainer>(id, container.node);
}

void Containers::release(ContainerId id) {
  const Container& container = ledger_.model().containers[id];
  TRACEBED_CHECK(!container.is_launched, "a container is given back before a task runs in it");
  MasterActions none;
  end(id, {ContainerEnd::released, ContainerAccount::nothing_at(context_.now()), false}, none);
  TRACEBED_CHECK(none.empty(), "the end of what was not launched makes no actions");
}

void Containers::kill(ContainerId id) {
  const Container& container = ledger_.model().containers[id];
  if (!container.is_launched) return release(id);
  if (container.is_being_killed) return;
  ledger_.mark_as_being_killed(id);
  context_.command<KillContainer>(id, container.node);
}

void Containers::preempt_by_force(ContainerId id) {
  if (preemptions_.find(id) == nullptr) return;  // it was being killed for another reason
  const Container& container = ledger_.model().containers[id];
  context_.digest.forced(id);
  preemptions_.force(id);
  states_[id].is_preempted = true;
  // A master in the engine that holds it with nothing launched in it would launch something.
  ApplicationState* const application = applications_.find(container.application);
  if (!container.is_launched && application != nullptr &&
      application->master.managed() == nullptr) {
    const AttemptEnd taken_back{id, container.node, ContainerEnd::released, false, container.units};
    MasterActions none;
    application->master->attempt_ended(context_.now(), taken_back, none);
    TRACEBED_CHECK(none.empty(), "the end of what was not launched makes no actions");
  }
  kill(id);
}

}  // namespace tracebed
