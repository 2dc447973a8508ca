#include "schedulers/multi_resource/asks_by_node.h"

#include <algorithm>

#include "core/check.h"

namespace tracebed {

void AsksByNode::set(AskId ask, std::span<const PlaceCount<NodeId>> nodes) {
  const auto found = named_.find(ask);
  if (found == named_.end() && nodes.empty()) return;
  std::vector<NodeId> now;
  now.reserve(nodes.size());
  for (const PlaceCount<NodeId>& named : nodes) {
    if (named.count > 0) now.push_back(named.place);
  }
  const std::vector<NodeId> before =
      found == named_.end() ? std::vector<NodeId>() : std::move(found->second);
  auto old = before.begin();
  for (const NodeId node : now) {
    for (; old != before.end() && *old < node; ++old) leave(ask, *old);
    if (old != before.end() && *old == node) {
      ++old;
    } else {
      enter(ask, node);
    }
  }
  for (; old != before.end(); ++old) leave(ask, *old);
  if (!now.empty()) {
    named_[ask] = std::move(now);
  } else if (found != named_.end()) {
    named_.erase(found);
  }
}

void AsksByNode::enter(AskId ask, NodeId node) {
  if (node.index() >= at_.size()) at_.resize(node.index() + 1);
  at_[node.index()].push_back(ask);
}

void AsksByNode::leave(AskId ask, NodeId node) {
  std::vector<AskId>& asks = at_[node.index()];
  const auto found = std::find(asks.begin(), asks.end(), ask);
  TRACEBED_CHECK(found != asks.end(), "an ask leaves only nodes that it named");
  *found = asks.back();
  asks.pop_back();
}

}  // namespace tracebed
