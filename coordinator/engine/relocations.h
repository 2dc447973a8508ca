// Carries out the relocate policy's choices (coordinator/engine/relocation.h): the tasks'
// containers are marked for preemption, strictly, and their tasks continue on the chosen node. That
// is best effort: a request that its master has not answered before the deadline is cancelled,
// unless the policy uses force; so is one whose destination has filled up.
#pragma once

#include <optional>

#include "coordinator/engine/application_state.h"
#include "coordinator/engine/containers.h"
#include "coordinator/engine/preemptions.h"
#include "coordinator/engine/relocation.h"
#include "coordinator/engine/step_context.h"

namespace tracebed {

class Relocations {
 public:
  // All but the options outlive this. Without options nothing is ever relocated.
  Relocations(const std::optional<RelocationOptions>& options, const ClusterModel& cluster,
              const ContainerStates& states, const ApplicationStates& applications,
              const Containers& containers, Preemptions& preemptions, StepContext& context);

  // When the policy runs next; `never` while no task runs.
  TraceTime next_look() const { return next_look_; }
  void look();
  // Containers were allocated in this step.
  void allocated();
  // True if a request whose deadline has come is to be enforced; else it is to be cancelled.
  bool is_to_be_forced(const PreemptionRequest& request) const;

 private:
  // True if it was answered, so that its task is about to end, or its destination still has room.
  bool is_of_use(const PreemptionRequest& request) const;
  // Cancels those that are not of use; returns how many are left.
  std::uint32_t cancel_obsolete();

  std::optional<RelocationPolicy> policy_;
  const ClusterModel& cluster_;
  const ContainerStates& states_;
  const ApplicationStates& applications_;
  const Containers& containers_;
  Preemptions& preemptions_;
  StepContext& context_;
  TraceTime next_look_ = never;
};

}  // namespace tracebed
