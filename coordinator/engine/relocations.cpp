#include "coordinator/engine/relocations.h"

#include <vector>

namespace tracebed {

Relocations::Relocations(const std::optional<RelocationOptions>& options,
                         const ClusterModel& cluster, const ContainerStates& states,
                         const ApplicationStates& applications, const Containers& containers,
                         Preemptions& preemptions, StepContext& context)
    : cluster_(cluster),
      states_(states),
      applications_(applications),
      containers_(containers),
      preemptions_(preemptions),
      context_(context) {
  if (options) policy_.emplace(*options);
}

void Relocations::allocated() {
  if (policy_ && next_look_ == never) next_look_ = context_.now() + policy_->options().interval;
}

void Relocations::look() {
  const RelocationOptions& options = policy_->options();
  next_look_ = containers_.only_masters() ? never : context_.now() + options.interval;
  const std::uint32_t under_way = cancel_obsolete();
  if (under_way >= options.at_once) return;
  const auto input_nodes = [&](ApplicationId id, TaskRef task, std::vector<NodeId>& nodes) {
    if (const ApplicationState* state = applications_.find(id)) {
      state->master->input_nodes(task, nodes);
    }
  };
  const auto is_marked = [&](ContainerId id) { return preemptions_.find(id) != nullptr; };
  for (const Relocation& relocation :
       policy_->choose(context_.now(), cluster_, states_, input_nodes, is_marked,
                       options.at_once - under_way)) {
    context_.digest.relocated(relocation.container, relocation.destination);
    preemptions_.request(relocation.container,
                         {.kind = PreemptionKind::strict,
                          .purpose = PreemptionPurpose::relocate,
                          .deadline = context_.now() + options.grace,
                          .may_be_substituted = false,
                          .destination = relocation.destination,
                          .reason = relocation.reason},
                         PreemptionSource::administrator);
  }
}

std::uint32_t Relocations::cancel_obsolete() {
  std::uint32_t under_way = 0;
  std::vector<ContainerId> obsolete;
  preemptions_.ledger().for_each([&](const PreemptionRequest& request) {
    if (!request.is_best_effort()) return;
    if (is_of_use(request)) {
      ++under_way;
    } else {
      obsolete.push_back(request.container);
    }
  });
  for (const ContainerId id : obsolete) preemptions_.cancel(id);
  return under_way;
}

bool Relocations::is_to_be_forced(const PreemptionRequest& request) const {
  return !request.is_best_effort() || (policy_->options().is_forced && is_of_use(request));
}

bool Relocations::is_of_use(const PreemptionRequest& request) const {
  const Container& container = cluster_.containers[request.container];
  if (container.is_being_killed || states_[request.container].is_checkpointing) return true;
  return RelocationPolicy::has_room(cluster_, request.terms.destination, request.resources);
}

}  // namespace tracebed
