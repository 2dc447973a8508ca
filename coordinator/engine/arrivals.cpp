// How the engine takes in what arrives.
#include <utility>

#include "coordinator/engine/engine.h"
#include "core/kernel_work.h"
#include "core/unknown_constant.h"
#include "core/visit.h"

namespace tracebed {
namespace {

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
  visit_all(
      arrival, [&](const JobSubmitted& submitted) { submit(round.jobs()[submitted.job]); },
      [&](const NodeJoined& joined) { join(joined.node, round.machines[joined.machine]); },
      [&](const NodeLost& lost) { lose(lost.node); },
      [&](const ContainerEnded& ended) {
        if (ledger_.model().containers.contains(ended.container)) {
          end_container(ended.container, {ended.end, ended.account, false});
        } else {
          ++context_.counters.late_reports;
        }
      },
      [&](const GangEnded& ended) { end_gang(ended); },
      [&](const NodeHeartbeat& heartbeat) {
        ++context_.counters.heartbeats;
        ledger_.set_report(heartbeat.node, heartbeat.used, heartbeat.io_pressure, context_.now());
        // A node that was lost and has not rejoined yet may still have one on its way.
        if (ledger_.model().node(heartbeat.node).alive) {
          context_.events.push_back(NodeUpdated{heartbeat.node});
        }
      },
      [&](const RunCancelled& cancelled) { cancel(cancelled.reason); },
      [&](const SchedulerRefreshed&) {},  // taken before all others
      [&](const MasterCalled& called) { masters_.call(round.master_calls[called.call]); },
      [&](const AdministratorCommand& command) { administration_.execute(command); },
      [&](const AttemptProgress& report) { note_progress(report); },
      [&](const DecisionMade& made) { context_.events.push_back(made); },
      [&](const StorageArrived& arrived) { storage_.take(round.storage[arrived.input]); });
}

void Engine::submit(Job& job) {
  Status files = outputs_.check(job);
  InputBlocks input;
  if (files) files = locate(job, input);
  const ApplicationId id = ledger_.open_application(job, context_.now());
  if (input.blocks() > 0) ledger_.set_input(id, std::move(input));
  map_outputs_.job_opened(job);
  ApplicationState& state = applications_.emplace_at(id, job);
  if (storage_.namenode() != nullptr) state.kernel = kernel_job_of(job);
  for (const Stage& stage : job.stages) {
    state.longest_delay = std::max(state.longest_delay, stage.delay);
  }
  records_.job_submitted(id, job, state.tasks.tasks(), state.record);
  std::optional<Resources> demand;
  if (master_containers_) {
    demand = master_containers_->demand;
  } else if (master_demand_) {
    demand = master_demand_(job);
  }
  if (demand) {
    // One that the scheduler refuses is refused when the master asks.
    const Result<Resources> size = scheduler_->container_size(id, *demand);
    ledger_.set_master_demand(id, size ? *size : *demand);
  }
  state.master =
      master_containers_
          ? MasterHandle::in_container(std::make_unique<ManagedMaster>(*master_containers_, job))
          : MasterHandle::in_engine(make_master_(id, job, ledger_.model()));
  if (cancellation_) {
    executor_.refuse(id, JobOutcome::killed, "the run was cancelled before");
  } else if (!files) {
    executor_.refuse(id, JobOutcome::failed, files.error().message);
  } else {
    context_.events.push_back(ApplicationAdded{id});
  }
  // What was looked up for it is not for a later job in the same memory.
  if (storage_.namenode() != nullptr) job.stages.clear();
}

Status Engine::locate(Job& job, InputBlocks& blocks) const {
  const bool are_read = scheduler_->reads_input_blocks();
  if (storage_.namenode() != nullptr)
    return storage_.locate_input(job, are_read ? &blocks : nullptr);
  if (are_read && locate_input_) blocks = locate_input_(job, ledger_.model());
  return success();
}

void Engine::join(NodeId node, const Machine& machine) {
  if (!ledger_.add_node(node, machine)) return;
  ledger_.set_report(node, {}, -1, context_.now());
  context_.events.push_back(NodeAdded{node});
  context_.cluster_changed = true;
}

void Engine::lose(NodeId node) {
  if (!ledger_.model().node(node).is_present) return;
  ++context_.counters.nodes_lost;
  const bool was_alive = ledger_.model().node(node).alive;
  std::vector<ContainerId> held;
  ledger_.model().containers.for_each([&](ContainerId id, const Container& container) {
    if (container.node == node) held.push_back(id);
  });
  const auto account = ContainerAccount::nothing_at(context_.now());
  for (const ContainerId id : held) {
    // The end of a master before it may have given this one back.
    if (!ledger_.model().containers.contains(id)) continue;
    end_container(id, {ContainerEnd::node_lost, account, true});
  }
  ledger_.remove_node(node);
  if (was_alive) context_.events.push_back(NodeRemoved{node});
  context_.cluster_changed = true;
  asks_.review_avoided();
  context_.lost_outputs.push_back(node);
  notify_of_lost_outputs();
}

void Engine::cancel(CancelReason reason) {
  cancellation_ = reason;
  for (const ApplicationId id : open_applications(false)) {
    executor_.finish(id, JobOutcome::killed, diagnostics_of(reason));
  }
}

void Engine::end_container(ContainerId id, const EndOfContainer& end) {
  const ApplicationId notified = containers_.end(id, end, actions_);
  if (notified.is_valid()) executor_.perform(notified, actions_);
  notify_of_lost_outputs();
}

// One of an attempt that has ended meanwhile, or counts no more, is of no use to anybody.
void Engine::note_progress(const AttemptProgress& report) {
  const Container* const container = ledger_.model().containers.find(report.container);
  if (container == nullptr || !container->is_launched || container->is_master) return;
  const ContainerState& state = states_[report.container];
  const ApplicationId id = container->application;
  ApplicationState* const application = applications_.find(id);
  if (application == nullptr || state.is_orphan || state.is_superseded) return;
  application->master->progressed(context_.now(), report, actions_);
  executor_.perform(id, actions_);
}

void Engine::end_gang(const GangEnded& ended) {
  const ApplicationId notified = containers_.end_gang(
      ended, actions_,
      [this](ContainerId id, const EndOfContainer& end) { end_container(id, end); });
  if (notified.is_valid()) executor_.perform(notified, actions_);
  notify_of_lost_outputs();
}

std::vector<ApplicationId> Engine::open_applications(bool accepted_alone) const {
  std::vector<ApplicationId> open;
  applications_.for_each([&](ApplicationId id, const ApplicationState& state) {
    if (state.is_accepted || !accepted_alone) open.push_back(id);
  });
  return open;
}

}  // namespace tracebed
