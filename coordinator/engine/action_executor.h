// Carries out the actions of application masters (core/application_master.h), and ends
// applications.
#pragma once

#include "coordinator/engine/application_state.h"
#include "coordinator/engine/asks.h"
#include "coordinator/engine/containers.h"
#include "coordinator/engine/job_outputs.h"
#include "coordinator/engine/ledger.h"
#include "coordinator/engine/master_timeouts.h"
#include "coordinator/engine/run_records.h"
#include "coordinator/engine/step_context.h"
#include "core/application_master.h"
#include "core/event_heap.h"
#include "core/result.h"
#include "core/scheduler.h"

namespace tracebed {

class ActionExecutor {
 public:
  // All outlive this.
  ActionExecutor(Ledger& ledger, const Scheduler& scheduler, ApplicationStates& applications,
                 Asks& asks, Containers& containers, MasterTimeouts& timeouts, RunRecords& records,
                 JobOutputs& outputs, MapOutputs& map_outputs, StepContext& context)
      : ledger_(ledger),
        scheduler_(scheduler),
        applications_(applications),
        asks_(asks),
        containers_(containers),
        timeouts_(timeouts),
        records_(records),
        outputs_(outputs),
        map_outputs_(map_outputs),
        context_(context) {}

  // Performs the actions of an open application's master, in order, and clears the list. An action
  // may end the application; then the rest of the list is ignored.
  void perform(ApplicationId id, MasterActions& actions);
  // Ends an open application: its asks are closed, its containers killed, and it leaves the model.
  void finish(ApplicationId id, JobOutcome outcome, const std::string& diagnostics);
  // The same for one that the scheduler was not notified of.
  void refuse(ApplicationId id, JobOutcome outcome, const std::string& diagnostics);

  // When the next heartbeat of a master in the engine is due; `never` without one.
  TraceTime next_heartbeat() const { return heartbeats_.next_time(); }
  // Takes an application whose master's heartbeat is due; invalid if there is none.
  ApplicationId take_due_heartbeat();

 private:
  // False if the application has ended by the action.
  // May move out of the action.
  bool perform(ApplicationId id, ApplicationState& application, MasterAction& action);
  // The demand of the ask that the action opens or changes, as the scheduler normalises it.
  Result<Resources> demand_of(ApplicationId id, const SetAsk& action);
  bool set_ask(ApplicationId id, ApplicationState& application, const SetAsk& action);
  void schedule_heartbeat(ApplicationId id, ApplicationState& application, TraceTime at);
  void kill_containers(ApplicationId id, const ManagedMaster* master);

  Ledger& ledger_;
  const Scheduler& scheduler_;
  ApplicationStates& applications_;
  Asks& asks_;
  Containers& containers_;
  MasterTimeouts& timeouts_;
  RunRecords& records_;
  JobOutputs& outputs_;
  MapOutputs& map_outputs_;
  StepContext& context_;
  // One that was replaced by another is kept until its time and then ignored.
  EventHeap<ApplicationId> heartbeats_;
};

}  // namespace tracebed
