// Which asks name a node among the places that they would like to have units on.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "core/cluster_model.h"

namespace tracebed {

class AsksByNode {
 public:
  // The places that the ask names now, sorted as in the model. What allocations take off them
  // needs no call: until the next one the ask counts as naming the node still.
  void set(AskId ask, std::span<const PlaceCount<NodeId>> nodes);
  void remove(AskId ask) { set(ask, {}); }

  // In no particular order.
  std::span<const AskId> at(NodeId node) const {
    if (node.index() >= at_.size()) return {};
    return at_[node.index()];
  }

 private:
  void enter(AskId ask, NodeId node);
  void leave(AskId ask, NodeId node);

  std::map<AskId, std::vector<NodeId>> named_;  // ascending
  std::vector<std::vector<AskId>> at_;          // by node
};

}  // namespace tracebed
