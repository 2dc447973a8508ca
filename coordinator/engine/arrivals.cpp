// How the engine takes in what arrives.
#include <algorithm>

#include "coordinator/engine/engine.h"
#include "coordinator/engine/engine_state.h"
#include "core/check.h"
#include "core/unknown_constant.h"

namespace tracebed {
namespace {

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

const char* diagnostics_of(CancelReason reason) {
  switch (reason) {
    case CancelReason::user:
      return "the run was cancelled";
    case CancelReason::stalled:
      return "the job could never go on";
    case CancelReason::livelocked:
      return "livelock: preemption takes containers from the same tasks over and over";
  }
  unknown_constant();
}

}  // namespace

void Engine::arrive(Round& round, const Arrival& arrival) {
  std::visit(
      Overloaded{
          [&](const JobSubmitted& submitted) { submit(round.jobs()[submitted.job]); },
          [&](const NodeJoined& joined) {
            node_joined(joined.node, round.machines[joined.machine]);
          },
          [&](const NodeLost& lost) { node_lost(lost.node); },
          [&](const ContainerEnded& ended) {
            if (const Container* container = ledger_.model().containers.find(ended.container)) {
              container_ended(ended.container, *container, ended.end, ended.account, false);
            } else {
              ++counters_.late_reports;
            }
          },
          [&](const GangEnded& ended) { gang_ended(ended); },
          [&](const NodeHeartbeat& heartbeat) {
            ++counters_.heartbeats;
            ledger_.model().nodes[heartbeat.node.index()].io_pressure = heartbeat.io_pressure;
            // A node that was lost and not yet heard to rejoin may still have one on its
            // way.
            if (ledger_.model().node(heartbeat.node).alive) {
              events_.push_back(NodeUpdated{heartbeat.node});
            }
          },
          [&](const RunCancelled& cancelled) { cancel(cancelled.reason); },
          [&](const SchedulerRefreshed&) {},  // taken before all others
          [&](const MasterCalled& called) { hear_call(round.master_calls[called.call]); },
          [&](const AdministratorCommand& order) { execute_administrator_command(order); },
      },
      arrival);
}

void Engine::submit(Job& job) {
  PagedTable<ApplicationId, Application>& applications = ledger_.model().applications;
  const ApplicationId id = applications.next_id();
  Application& application = applications.emplace_at(id);
  application.job = job.id;
  application.user = job.user;
  application.queue = job.queue;
  application.priority = job.priority;
  application.submitted = now_;
  application.requested_time = job.requested_time;
  ApplicationState& state = applications_.emplace_at(id, job);
  for (const Stage& stage : job.stages) {
    state.longest_delay = std::max(state.longest_delay, stage.delay);
  }
  JobRecord& record = state.record;
  record.application = id;
  record.job = job.id;
  record.name = job.name;
  record.user = job.user;
  record.queue = job.queue;
  record.kind = job.kind;
  record.priority = job.priority;
  record.tasks = state.tasks.tasks();
  record.due = job.submit;
  record.submitted = now_;
  record.ideal = ideal_duration(job);
  if (master_containers_) {
    auto managed = std::make_unique<ManagedMaster>(*master_containers_, job);
    state.managed = managed.get();
    state.master = std::move(managed);
    application.master_demand = master_size(id, master_containers_->demand);
  } else {
    if (master_demand_) application.master_demand = master_size(id, master_demand_(job));
    state.master = make_master_(id, job, ledger_.model());
  }
  ++counters_.jobs_submitted;
  livelock_.moved_on();
  ++jobs_waiting_;
  cluster_changed_ = true;
  if (cancellation_) {
    finish(id, JobOutcome::killed, "the run was cancelled before");
  } else {
    events_.push_back(ApplicationAdded{id});
  }
}

// One that is refused is refused when the master asks.
Resources Engine::master_size(ApplicationId id, const Resources& demand) const {
  if (demand.is_zero()) return demand;
  const Result<Resources> size = scheduler_->container_size(id, demand);
  return size ? *size : demand;
}

void Engine::node_joined(NodeId node, const Machine& machine) {
  if (ledger_.add_node(node, machine)) {
    events_.push_back(NodeAdded{node});
    cluster_changed_ = true;
  }
}

void Engine::node_lost(NodeId node) {
  if (!ledger_.model().node(node).is_present) return;
  ++counters_.nodes_lost;
  const bool was_alive = ledger_.model().node(node).alive;
  std::vector<ContainerId> held;
  ledger_.model().containers.for_each([&](ContainerId id, const Container& container) {
    if (container.node == node) held.push_back(id);
  });
  const ContainerAccount account{.started = now_, .ended = now_};
  for (ContainerId id : held) {
    // The end of a master before it may have given this one back.
    const Container* container = ledger_.model().containers.find(id);
    if (container != nullptr)
      container_ended(id, *container, ContainerEnd::node_lost, account, true);
  }
  ledger_.remove_node(node);
  if (was_alive) events_.push_back(NodeRemoved{node});
  cluster_changed_ = true;
  review_avoided();
  tell_of_loss(node);
}

void Engine::tell_of_loss(NodeId node) {
  std::vector<ApplicationId> open;
  applications_.for_each([&](ApplicationId id, const ApplicationState& state) {
    if (state.answer == Answer::accepted) open.push_back(id);
  });
  for (ApplicationId id : open) {
    applications_[id].master->node_lost(now_, node, actions_);
    perform_actions(id);
  }
}

void Engine::cancel(CancelReason reason) {
  cancellation_ = reason;
  std::vector<ApplicationId> open;
  applications_.for_each([&](ApplicationId id, const ApplicationState&) { open.push_back(id); });
  for (ApplicationId id : open) {
    finish(id, JobOutcome::killed, diagnostics_of(reason));
  }
}

ContainerEnd Engine::reported_end(ContainerId id, const Container& container,
                                  ContainerEnd end) const {
  const bool was_wanted = container.is_preempted || requests_.find(id) != nullptr;
  return end == ContainerEnd::killed && was_wanted ? ContainerEnd::preempted : end;
}

void Engine::container_ended(ContainerId id, const Container& container, ContainerEnd how,
                             const ContainerAccount& account, bool node_left) {
  const ContainerEnd end = reported_end(id, container, how);
  if (!requests_.empty()) {
    count_losses(id, container, end);
    settle_requests(id, container, end);
  }
  // One that is asked for a part of what it holds may give up all of it by itself.
  if (end == ContainerEnd::preempted || end == ContainerEnd::killed) {
    livelock_.lost(container.application, container.is_master, container.task);
  } else if (end == ContainerEnd::succeeded || end == ContainerEnd::checkpointed) {
    livelock_.moved_on();
  }
  record_attempt(id, container, end, account);
  push_finished(id, container, end);
  cluster_changed_ = true;
  const ApplicationId application_id = container.application;
  const NodeId node = container.node;
  const AttemptEnd attempt{id, node, end, node_left, container.units, account.progress};
  ApplicationState* application =
      container.is_launched ? applications_.find(application_id) : nullptr;
  if (application != nullptr) {
    application->whole_gang.reset();
    const bool is_task = !container.is_master && !container.is_orphan;
    if (is_task) {
      application->tasks.ended(container.task, container.units, end == ContainerEnd::succeeded);
      keep_progress(*application, container, end, account.progress);
    }
  }
  if (container.is_master) --masters_alive_;
  if (container.is_held) held_.erase(id);
  const bool was_launched = container.is_launched;
  ledger_.release(id, 1);
  if (!was_launched && master_containers_) ended_unlaunched(application_id, attempt);
  if (application != nullptr) {
    application->master->attempt_ended(now_, attempt, actions_);
    perform_actions(application_id);
  }
  if (!node_left && ledger_.model().node(node).is_withheld) note_drained(node);
}

void Engine::keep_progress(ApplicationState& application, const Container& container,
                           ContainerEnd end, std::uint32_t progress) {
  // The master of a service counts what its instances have served itself.
  if (application.record.kind == JobKind::service) return;
  const bool is_gang = application.record.kind == JobKind::rigid;
  if (end == ContainerEnd::checkpointed || is_gang || !application.kept.empty()) {
    application.kept.container_ended(container, is_gang, end, progress);
  }
}

void Engine::push_finished(ContainerId id, const Container& container, ContainerEnd end) {
  // Made in place, as it is large and a run makes one for every container.
  auto& finished =
      std::get<ContainerFinished>(events_.emplace_back(std::in_place_type<ContainerFinished>));
  finished.container = id;
  finished.application = container.application;
  finished.ask = container.ask;
  finished.node = container.node;
  finished.resources = container.resources;
  finished.end = end;
}

void Engine::gang_ended(const GangEnded& ended) {
  PagedTable<ContainerId, Container>& containers = ledger_.model().containers;
  const Container* const head = containers.find(ended.first);
  ApplicationState* const application =
      head == nullptr ? nullptr : applications_.find(head->application);
  const WholeGang whole{ended.first, ended.containers};
  if (application == nullptr || application->whole_gang != whole) {
    // What was lost with its node meanwhile was counted; the others end one by one.
    for (std::uint32_t i = 0; i < ended.containers; ++i) {
      const ContainerId id = ended.first + i;
      if (const Container* container = containers.find(id)) {
        container_ended(id, *container, ContainerEnd::succeeded,
                        ended.account.times(container->units), false);
      } else {
        ++counters_.late_reports;
      }
    }
    return;
  }
  const ApplicationId application_id = head->application;
  const TaskRef task = head->task;
  std::uint32_t units = 0;
  ContainerId id = ended.first;
  std::vector<NodeId> withheld;  // what runs on such a node is marked for preemption
  if (!requests_.empty()) {
    for (std::uint32_t i = 0; i < ended.containers; ++i) {
      const Container& container = containers[ended.first + i];
      if (ledger_.model().node(container.node).is_withheld) withheld.push_back(container.node);
      settle_requests(ended.first + i, container, ContainerEnd::succeeded);
    }
  }
  containers.visit_range(ended.first, ended.containers, [&](const Container& container) {
    record_attempt(id, container, ContainerEnd::succeeded, ended.account.times(container.units));
    push_finished(id, container, ContainerEnd::succeeded);
    units += container.units;
    id = id + 1;
  });
  cluster_changed_ = true;
  livelock_.moved_on();
  ledger_.release(ended.first, ended.containers);
  application->whole_gang.reset();
  application->tasks.ended(task, units, true);
  application->master->gang_ended(now_, GangEnd{ended.first, ended.containers}, actions_);
  perform_actions(application_id);
  for (const NodeId node : withheld) note_drained(node);
}

bool Engine::process_due_heartbeats() {
  bool was_heard = false;
  while (heartbeats_.next_time() <= now_) {
    const TraceTime at = heartbeats_.next_time();
    const ApplicationId id = heartbeats_.pop();
    ApplicationState* state = applications_.find(id);
    if (state == nullptr || state->heartbeat_at != at) continue;
    state->heartbeat_at = never;
    state->master->heartbeat(now_, scheduler_->headroom(ledger_.model(), id), actions_);
    perform_actions(id);
    TRACEBED_CHECK(!applications_.contains(id) || applications_[id].heartbeat_at > now_,
                   "a master that was heard names a later heartbeat, or none");
    was_heard = true;
  }
  return was_heard;
}

void Engine::record_attempt(ContainerId id, const Container& container, ContainerEnd end,
                            const ContainerAccount& account) {
  const AttemptRecord record{
      .application = container.application,
      .job = container.job,
      .user = container.user,
      .queue = container.queue,
      .leaf = container.leaf,
      .application_attempt = container.application_attempt,
      .stage = container.task.stage,
      .task = container.task.index,
      .attempt = container.attempt,
      .units = container.units,
      .is_master = container.is_master,
      .launched = container.is_launched,
      .container = id,
      .node = container.node,
      .locality = container.locality,
      .resources = container.resources,
      .asked = container.is_launched ? container.waiting_since : container.allocated,
      .allocated = container.allocated,
      .work_begun = container.work_begun,
      .reported = now_,
      .nominal = container.nominal,
      .progress_begun = container.progress,
      .progress_kept =
          account.progress == 0 ? 0 : progress_after(container.progress, account.progress),
      .end = end,
      .account = account,
  };
  records_.attempt_ended(record);
}

}  // namespace tracebed
