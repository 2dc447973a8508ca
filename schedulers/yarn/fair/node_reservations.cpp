#include "schedulers/yarn/fair/node_reservations.h"

#include <algorithm>

#include "core/check.h"

namespace tracebed {

const NodeReservations::Reservation* NodeReservations::find(NodeId node) const {
  const auto found = reservations_.find(node);
  return found == reservations_.end() ? nullptr : &found->second;
}

void NodeReservations::add(NodeId node, LiveApplication& application, const LiveAsk& ask) {
  const bool is_new =
      reservations_.try_emplace(node, Reservation{application.id, ask.id, ask.demand}).second;
  TRACEBED_CHECK(is_new, "a node is reserved for one application at a time");
  nodes_.set(node, true);
  std::vector<NodeId>& reserved = application.reserved;
  reserved.insert(std::lower_bound(reserved.begin(), reserved.end(), node), node);
}

void NodeReservations::remove(NodeId node, LiveApplication& application) {
  reservations_.erase(node);
  nodes_.set(node, false);
  std::erase(application.reserved, node);
}

void NodeReservations::remove_all(LiveApplication& application) {
  while (!application.reserved.empty()) remove(application.reserved.back(), application);
}

}  // namespace tracebed
