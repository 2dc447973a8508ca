// The asks of applications, and which of them avoid a node (core/cluster_model.h): a task that was
// moved is not placed on its former node again. Placing it there is better than nowhere, though: if
// no other machine could hold the demand, the node is not avoided any more.
#pragma once

#include <set>

#include "coordinator/engine/ledger.h"
#include "coordinator/engine/step_context.h"
#include "core/application_master.h"
#include "core/ids.h"

namespace tracebed {

class Asks {
 public:
  // Both outlive this.
  Asks(Ledger& ledger, StepContext& context) : ledger_(ledger), context_(context) {}

  // Opens the application's ask, or replaces its figures. `slots` are its asks by the master's
  // slot; `demand` is of one unit, as the scheduler normalised it.
  void set(ApplicationId id, AskList& slots, const SetAsk& action, const Resources& demand);
  void adjust_places(const AskList& slots, const AdjustPlaces& action);
  void close(AskList& slots, AskSlot slot);
  void close_all(AskList& slots);
  // To be called when a node stops taking containers.
  void review_avoided();

 private:
  void close(AskId id);
  void avoid(AskId id, NodeId node);
  bool could_run_elsewhere(const Ask& ask, NodeId avoided) const;

  Ledger& ledger_;
  StepContext& context_;
  std::set<AskId> avoiding_;  // asks that avoid a node
};

}  // namespace tracebed
