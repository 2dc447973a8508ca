#include "coordinator/engine/asks.h"

#include <algorithm>

namespace tracebed {

void Asks::set(ApplicationId id, AskList& slots, const SetAsk& action, const Resources& demand) {
  if (action.slot >= slots.size()) slots.resize(action.slot + 1);
  AskId& ask = slots[action.slot];
  if (ask.is_valid()) {
    ledger_.change_ask(ask, action, demand);
  } else {
    ask = ledger_.open_ask(id, action, demand);
  }
  avoid(ask, action.avoided);
  context_.events.push_back(AskChanged{ask});
}

void Asks::adjust_places(const AskList& slots, const AdjustPlaces& action) {
  ledger_.lower_preferences(slots.at(action.slot), action.fewer_nodes, action.fewer_racks);
}

void Asks::close(AskList& slots, AskSlot slot) {
  close(slots.at(slot));
  slots[slot] = AskId();
}

void Asks::close_all(AskList& slots) {
  for (const AskId ask : slots) close(ask);
  slots.clear();
}

void Asks::close(AskId id) {
  if (!id.is_valid()) return;
  const ApplicationId application = ledger_.model().asks[id].application;
  ledger_.close_ask(id);
  avoiding_.erase(id);
  context_.events.push_back(AskRemoved{id, application});
}

void Asks::avoid(AskId id, NodeId node) {
  const Ask& ask = ledger_.model().asks[id];
  if (node.is_valid() && could_run_elsewhere(ask, node)) {
    ledger_.avoid(id, node);
    avoiding_.insert(id);
  } else if (ask.avoided.is_valid()) {
    ledger_.avoid(id, NodeId());
    avoiding_.erase(id);
  }
}

bool Asks::could_run_elsewhere(const Ask& ask, NodeId avoided) const {
  std::int64_t units = 0;
  const std::int64_t wanted = ask.is_gang() ? ask.pending : 1;
  for (const Node& node : ledger_.model().nodes) {
    if (node.id == avoided || !node.alive || !takes_place(ask, node)) continue;
    units += std::min(wanted, ledger_.model().limits.units_in_empty(ask.demand, node.capacity));
    if (units >= wanted) return true;
  }
  return false;
}

void Asks::review_avoided() {
  std::erase_if(avoiding_, [&](AskId id) {
    const Ask& ask = ledger_.model().asks[id];
    if (could_run_elsewhere(ask, ask.avoided)) return false;
    ledger_.avoid(id, NodeId());
    context_.events.push_back(AskChanged{id});
    return true;
  });
}

}  // namespace tracebed
