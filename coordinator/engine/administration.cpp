#include "coordinator/engine/administration.h"

#include <vector>

namespace tracebed {

void Administration::execute(const AdministratorCommand& command) {
  const TraceTime deadline = context_.now() + command.grace;
  switch (command.kind) {
    case AdministratorCommandKind::move:
      return move(command.container, command.node, deadline);
    case AdministratorCommandKind::drain:
      return drain(command.node, deadline);
    case AdministratorCommandKind::undrain:
      return undrain(command.node);
  }
}

void Administration::move(ContainerId id, NodeId destination, TraceTime deadline) {
  if (!ledger_.model().containers.contains(id)) return;  // it ended before the command came
  preemptions_.request(id,
                       {.kind = PreemptionKind::strict,
                        .purpose = PreemptionPurpose::move,
                        .deadline = deadline,
                        .may_be_substituted = false,
                        .destination = destination,
                        .reason = "moved by an administrator"},
                       PreemptionSource::administrator);
}

void Administration::drain(NodeId node, TraceTime deadline) {
  if (node.index() >= ledger_.model().nodes.size()) return;
  const bool was_alive = ledger_.model().node(node).alive;
  ledger_.withhold_node(node);
  if (was_alive) {
    context_.events.push_back(NodeRemoved{node});
    context_.cluster_changed = true;
    asks_.review_avoided();
  }
  ledger_.model().containers.for_each([&](ContainerId id, const Container& container) {
    if (container.node != node) return;
    preemptions_.request(id,
                         {.kind = PreemptionKind::negotiable,
                          .purpose = PreemptionPurpose::drain,
                          .deadline = deadline,
                          .may_be_substituted = false,
                          .reason = "its node is being drained"},
                         PreemptionSource::administrator);
  });
  containers_.note_if_drained(node);
}

void Administration::undrain(NodeId node) {
  if (node.index() >= ledger_.model().nodes.size()) return;
  if (!ledger_.model().node(node).is_withheld) return;
  std::vector<ContainerId> marked;
  preemptions_.ledger().for_each([&](const PreemptionRequest& request) {
    const bool is_drained = request.node == node && request.is_administrators &&
                            !request.is_forced && request.terms.purpose == PreemptionPurpose::drain;
    if (is_drained) marked.push_back(request.container);
  });
  for (const ContainerId id : marked) preemptions_.cancel(id);
  if (ledger_.restore_node(node)) {
    context_.events.push_back(NodeAdded{node});
    context_.cluster_changed = true;
  }
}

}  // namespace tracebed
