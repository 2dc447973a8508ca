// Nodes that are reserved for an application whose container does not fit there yet, at most one
// application per node (FSSchedulerNode.reserveResource, FSAppAttempt.reserve).
#pragma once

#include <map>

#include "core/cluster_model.h"
#include "core/resources.h"
#include "schedulers/parts/node_set.h"
#include "schedulers/yarn/fair/live_application.h"

namespace tracebed {

class NodeReservations {
 public:
  struct Reservation {
    ApplicationId application;
    AskId ask;
    Resources resources;
  };

  // Null if the node is not reserved.
  const Reservation* find(NodeId node) const;
  bool empty() const { return reservations_.empty(); }
  const std::map<NodeId, Reservation>& all() const { return reservations_; }
  // The nodes that are reserved; its size is that of the last grow().
  const NodeSet& nodes() const { return nodes_; }
  void grow(std::size_t nodes) { nodes_.grow(nodes); }

  void add(NodeId node, LiveApplication& application, const LiveAsk& ask);
  void remove(NodeId node, LiveApplication& application);
  void remove_all(LiveApplication& application);

 private:
  std::map<NodeId, Reservation> reservations_;
  NodeSet nodes_;
};

}  // namespace tracebed
