// What the operator of the cluster orders: to move a container, to take a node out of service and
// to bring it back. What an order wants back is marked for preemption on the operator's terms,
// which go before the scheduler's.
#include "coordinator/engine/engine.h"
#include "coordinator/engine/engine_state.h"

namespace tracebed {

void Engine::execute_administrator_command(const AdministratorCommand& order) {
  switch (order.kind) {
    case AdministratorCommandKind::move:
      return move_container(order);
    case AdministratorCommandKind::drain:
      return drain(order.node, now_ + order.grace);
    case AdministratorCommandKind::undrain:
      return undrain(order.node);
  }
}

void Engine::move_container(const AdministratorCommand& order) {
  const Container* container = ledger_.model().containers.find(order.container);
  if (container == nullptr) return;  // it ended before the order came
  request_preemption(order.container, *container,
                     {.kind = PreemptionKind::strict,
                      .purpose = PreemptionPurpose::move,
                      .deadline = now_ + order.grace,
                      .may_be_substituted = false,
                      .destination = order.node,
                      .reason = "moved by the operator"},
                     true);
}

void Engine::drain(NodeId node, TraceTime deadline) {
  if (node.index() >= ledger_.model().nodes.size()) return;
  const bool was_alive = ledger_.model().node(node).alive;
  ledger_.withhold_node(node);
  if (was_alive) {
    events_.push_back(NodeRemoved{node});
    cluster_changed_ = true;
    review_avoided();
  }
  ledger_.model().containers.for_each([&](ContainerId id, const Container& container) {
    if (container.node != node) return;
    request_preemption(id, container,
                       {.kind = PreemptionKind::negotiable,
                        .purpose = PreemptionPurpose::drain,
                        .deadline = deadline,
                        .may_be_substituted = false,
                        .reason = "its node is taken out of service"},
                       true);
  });
  note_drained(node);
}

// Once a node that is withheld has lost its last container, what its finished tasks left there is
// out of reach, as on one that left.
void Engine::note_drained(NodeId id) {
  const Node& node = ledger_.model().node(id);
  if (node.is_present && node.is_withheld && node.containers == 0) tell_of_loss(id);
}

void Engine::undrain(NodeId node) {
  if (node.index() >= ledger_.model().nodes.size()) return;
  if (!ledger_.model().node(node).is_withheld) return;
  ledger_.model().containers.for_each([&](ContainerId id, const Container& container) {
    const PreemptionRequest* request = container.node == node ? requests_.find(id) : nullptr;
    const bool is_drained = request != nullptr && request->is_operators && !request->is_forced &&
                            request->terms.purpose == PreemptionPurpose::drain;
    if (is_drained) settle(requests_.take(id), PreemptionEnd::cancelled);
  });
  if (ledger_.restore_node(node)) {
    events_.push_back(NodeAdded{node});
    cluster_changed_ = true;
  }
}

}  // namespace tracebed
