// Asks that keep away from a node (core/cluster_model.h): a task that was moved is not placed again
// where it came from. Rather there than nowhere, though: where no other machine could hold what is
// asked for, the node is not avoided any more.
#include "coordinator/engine/engine.h"
#include "coordinator/engine/engine_state.h"

namespace tracebed {

bool Engine::could_run_elsewhere(const Ask& ask, NodeId avoided) const {
  std::int64_t units = 0;
  const std::int64_t wanted = ask.gang ? ask.pending : 1;
  for (const Node& node : ledger_.model().nodes) {
    if (node.id == avoided || !node.alive || !takes_place(ask, node)) continue;
    units += std::min(wanted, ask.demand.count_in(node.capacity));
    if (units >= wanted) return true;
  }
  return false;
}

void Engine::keep_away(AskId id, NodeId avoided) {
  Ask& ask = ledger_.model().asks[id];
  const bool is_avoided = avoided.is_valid() && could_run_elsewhere(ask, avoided);
  ask.avoided = is_avoided ? avoided : NodeId();
  if (is_avoided) {
    avoiding_.insert(id);
  } else {
    avoiding_.erase(id);
  }
}

void Engine::review_avoided() {
  std::erase_if(avoiding_, [&](AskId id) {
    Ask* ask = ledger_.model().asks.find(id);
    if (ask == nullptr) return true;  // it went with its application
    if (could_run_elsewhere(*ask, ask->avoided)) return false;
    ask->avoided = NodeId();
    events_.push_back(AskChanged{id});
    return true;
  });
}

}  // namespace tracebed
