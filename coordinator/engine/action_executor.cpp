#include "coordinator/engine/action_executor.h"

#include <utility>

#include "core/check.h"
#include "core/visit.h"

namespace tracebed {

void ActionExecutor::perform(ApplicationId id, MasterActions& actions) {
  if (actions.empty()) return;
  // No action calls the master, so the list does not grow while it is worked off.
  ApplicationState& application = applications_[id];
  for (MasterAction& action : actions) {
    if (!perform(id, application, action)) break;
  }
  actions.clear();
}

bool ActionExecutor::perform(ApplicationId id, ApplicationState& application,
                             MasterAction& action) {
  return visit_all(
      action, [&](const SetAsk& ask) { return set_ask(id, application, ask); },
      [&](const FinishApplication& end) {
        finish(id, end.outcome, end.diagnostics);
        return false;
      },
      [&](const AdjustPlaces& places) {
        asks_.adjust_places(application.asks, places);
        return true;
      },
      [&](const CloseAsk& closed) {
        asks_.close(application.asks, closed.slot);
        return true;
      },
      [&](const LaunchTask& task) {
        containers_.launch(id, application, task);
        return true;
      },
      [&](LaunchGang& gang) {
        containers_.launch(id, application, std::move(gang));
        return true;
      },
      [&](const LaunchMasterProcess& master) {
        containers_.launch_master(id, application, master);
        if (const ManagedMaster* managed = application.master.managed()) {
          timeouts_.master_launched(id, master.container, managed->expires_at());
        }
        return true;
      },
      [&](const ContinueTask& continued) {
        containers_.let_begin(continued.container);
        return true;
      },
      [&](const ReleaseContainer& released) {
        containers_.release(released.container);
        return true;
      },
      [&](const KillTask& killed) {
        containers_.kill(killed.container);
        return true;
      },
      [&](const CheckpointTask& kept) {
        containers_.checkpoint(kept.container);
        return true;
      },
      [&](const HeartbeatAt& heartbeat) {
        schedule_heartbeat(id, application, heartbeat.at);
        return true;
      });
}

// YARN refuses a request above its maximum allocation, and the application fails
// (SchedulerUtils.validateResourceRequest); waiting for a machine that does not exist would be
// waiting for ever.
Result<Resources> ActionExecutor::demand_of(ApplicationId id, const SetAsk& action) {
  if (action.kind == StageKind::gang) {
    if (ledger_.units_that_ever_fit(action.demand) >= action.pending) return action.demand;
    return Error{"asks for more at once than all machines together have"};
  }
  const Result<Resources> size = scheduler_.container_size(id, action.demand);
  if (action.pending == 0) return size ? *size : action.demand;
  if (!size) return size.error();
  if (!ledger_.ever_fits(*size)) return Error{"asks for a container larger than every machine"};
  if (*size != action.demand) ++context_.counters.asks_rounded_up;
  return *size;
}

bool ActionExecutor::set_ask(ApplicationId id, ApplicationState& application,
                             const SetAsk& action) {
  const Result<Resources> demand = demand_of(id, action);
  if (!demand) {
    finish(id, JobOutcome::rejected, demand.error().message);
    return false;
  }
  asks_.set(id, application.asks, action, *demand);
  return true;
}

void ActionExecutor::schedule_heartbeat(ApplicationId id, ApplicationState& application,
                                        TraceTime at) {
  TRACEBED_CHECK(at >= context_.now(), "a master's heartbeat is not in the past");
  application.heartbeat_at = at;
  heartbeats_.push(at, id);
}

ApplicationId ActionExecutor::take_due_heartbeat() {
  while (heartbeats_.next_time() <= context_.now()) {
    const TraceTime at = heartbeats_.next_time();
    const ApplicationId id = heartbeats_.pop();
    ApplicationState* const application = applications_.find(id);
    if (application == nullptr || application->heartbeat_at != at) continue;
    application->heartbeat_at = never;
    return id;
  }
  return {};
}

void ActionExecutor::finish(ApplicationId id, JobOutcome outcome, const std::string& diagnostics) {
  refuse(id, outcome, diagnostics);
  context_.events.push_back(ApplicationRemoved{id});
}

void ActionExecutor::refuse(ApplicationId id, JobOutcome outcome, const std::string& diagnostics) {
  ApplicationState& state = applications_[id];
  TRACEBED_CHECK(outcome != JobOutcome::succeeded || state.tasks.is_complete(),
                 "a job succeeds when every one of its tasks has");
  asks_.close_all(state.asks);
  if (ledger_.model().applications[id].containers > 0) kill_containers(id, state.master.managed());
  records_.job_ended(state.record, outcome, diagnostics, ledger_.model().applications[id].leaf);
  outputs_.job_ended(state.record.job, outcome);
  map_outputs_.job_ended(state.record.job);
  applications_.erase(id);
  ledger_.close_application(id);
  context_.digest.job_ended(context_.now(), id, outcome);
}

void ActionExecutor::kill_containers(ApplicationId id, const ManagedMaster* master) {
  std::vector<ContainerId> held;
  ledger_.model().containers.for_each([&](ContainerId container_id, const Container& container) {
    if (container.application == id) held.push_back(container_id);
  });
  // A master that has unregistered ends by itself (YARN: AMFinishingMonitor).
  const ContainerId leaving =
      master != nullptr && master->has_unregistered() ? master->container() : ContainerId();
  for (const ContainerId container : held) {
    if (container != leaving) containers_.kill(container);
  }
  if (leaving.is_valid()) timeouts_.master_unregistered(id, leaving);
}

}  // namespace tracebed
