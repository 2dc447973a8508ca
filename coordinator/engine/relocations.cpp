// How the engine carries out what the relocate policy chooses: the tasks' containers are wanted
// back, strictly, and their tasks are to go on at a node of choice. That is a courtesy. What its
// master has not answered in time is dropped, unless the policy says to use force, and so is what
// has lost its purpose since the node filled up.
#include <algorithm>

#include "coordinator/engine/digest_marks.h"
#include "coordinator/engine/engine.h"
#include "coordinator/engine/engine_state.h"

namespace tracebed {

void Engine::look_at_relocations() {
  RelocationPolicy& policy = *relocation_;
  const ClusterModel& model = ledger_.model();
  relocate_at_ =
      model.containers.size() > masters_alive_ ? now_ + policy.options().interval : never;
  std::uint32_t under_way = 0;
  std::vector<ContainerId> obsolete;
  requests_.for_each([&](const PreemptionRequest& request) {
    if (!request.is_best_effort()) return;
    if (is_relocation_of_use(request)) {
      ++under_way;
    } else {
      obsolete.push_back(request.container);
    }
  });
  for (const ContainerId id : obsolete) settle(requests_.take(id), PreemptionEnd::cancelled);
  if (under_way >= policy.options().at_once) return;
  const auto input_nodes = [&](ApplicationId id, TaskRef task, std::vector<NodeId>& nodes) {
    if (const ApplicationState* state = applications_.find(id)) {
      state->master->input_nodes(task, nodes);
    }
  };
  const auto is_wanted = [&](ContainerId id) { return requests_.find(id) != nullptr; };
  for (const Relocation& relocation :
       policy.choose(now_, model, input_nodes, is_wanted, policy.options().at_once - under_way)) {
    digest_.add(static_cast<std::uint64_t>(DigestMark::relocate));
    digest_.add((static_cast<std::uint64_t>(relocation.destination.value()) << 32) |
                relocation.container.value());
    request_preemption(relocation.container, model.containers[relocation.container],
                       {.kind = PreemptionKind::strict,
                        .purpose = PreemptionPurpose::relocate,
                        .deadline = now_ + policy.options().grace,
                        .may_be_substituted = false,
                        .destination = relocation.destination,
                        .reason = relocation.reason},
                       true);
  }
}

// True of one that was answered, whose task is about to end, or whose destination still has room.
bool Engine::is_relocation_of_use(const PreemptionRequest& request) const {
  const Container& container = ledger_.model().containers[request.container];
  if (container.is_being_killed || container.is_checkpointing) return true;
  return RelocationPolicy::has_room(ledger_.model(), request.terms.destination, request.resources);
}

}  // namespace tracebed
