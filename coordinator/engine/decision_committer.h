// Commits the scheduler's decisions: each is checked against the cluster as it is after the
// decisions before it, and takes effect as a whole or is refused; the scheduler is notified of a
// refusal by its next call.
#pragma once

#include <span>
#include <string>

#include "coordinator/engine/action_executor.h"
#include "coordinator/engine/application_state.h"
#include "coordinator/engine/containers.h"
#include "coordinator/engine/leaf_queues.h"
#include "coordinator/engine/master_timeouts.h"
#include "coordinator/engine/preemptions.h"
#include "coordinator/engine/step_context.h"
#include "core/decisions.h"

namespace tracebed {

class DecisionCommitter {
 public:
  // All outlive this.
  DecisionCommitter(const ClusterModel& cluster, ApplicationStates& applications,
                    ActionExecutor& executor, Containers& containers, MasterTimeouts& timeouts,
                    Preemptions& preemptions, LeafQueues& leaves, StepContext& context)
      : cluster_(cluster),
        applications_(applications),
        executor_(executor),
        containers_(containers),
        timeouts_(timeouts),
        preemptions_(preemptions),
        leaves_(leaves),
        context_(context) {}

  // The decisions of one call of the scheduler.
  void commit(const Decisions& decisions);
  // Places units of an open ask without a decision, on a node that has room, and notifies the
  // master.
  ContainerId grant(AskId ask, GangPiece piece);

  // The next wake-up that the scheduler requested; `never` if there is none.
  TraceTime wake_at() const { return wake_at_; }
  void wake() { wake_at_ = never; }

 private:
  void commit(const Decisions& decisions, const Decision& decision);
  void accept(ApplicationId id);
  void reject(ApplicationId id, const std::string& reason);
  void allocate(AskId ask, NodeId node);
  void allocate_gang(AskId ask, std::span<const GangPiece> pieces);
  void preempt(ContainerId id, const PreemptionTerms& terms);
  void withdraw_preemption(ContainerId id);
  void kill(ContainerId id);
  void end_application(ApplicationId id, const std::string& reason);
  void set_wake_up(TraceTime at);

  // The application if its answer is pending; else null, and the decision is refused.
  ApplicationState* to_be_answered(ApplicationId id);
  ContainerId take(AskId ask, std::span<const GangPiece> pieces, ApplicationState& application);
  void refuse(Refused refusal);

  const ClusterModel& cluster_;
  ApplicationStates& applications_;
  ActionExecutor& executor_;
  Containers& containers_;
  MasterTimeouts& timeouts_;
  Preemptions& preemptions_;
  LeafQueues& leaves_;
  StepContext& context_;
  TraceTime wake_at_ = never;
  MasterActions actions_;  // kept for its memory
};

}  // namespace tracebed
