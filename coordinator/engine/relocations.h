// Carries out what the relocate policy chooses (coordinator/engine/relocation.h): the tasks'
// containers are marked for preemption, strictly, and their tasks are to go on at a node of choice.
// That is best effort: what its master has not answered in time is cancelled, unless the policy
// says to use force, and so is what has lost its purpose since the node filled up.
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

  // When the policy looks next; `never` while no task runs.
  TraceTime next_look() const { return next_look_; }
  void look();
  // Containers were allocated in this step.
  void allocated();
  // True if a request whose deadline has come is to be forced; else it is to be cancelled.
  bool is_to_be_forced(const PreemptionRequest& request) const;

 private:
  // True of one that was answered, whose task is about to end, or whose destination still has room.
  bool is_of_use(const PreemptionRequest& request) const;
  // Cancels those that are not; returns how many are left.
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
