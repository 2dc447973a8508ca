// A scheduler's own count of what is free on each node: the model's figure less what this call has
// proposed so far. The model stands still during a call, so a scheduler that places several units
// in one call has to count for itself.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/scheduler.h"
#include "schedulers/parts/node_set.h"

namespace tracebed {

class FreeTable {
 public:
  // To be called first in every decide(): takes over what happened since the last one, refused
  // proposals included. Returns the nodes whose count may have changed, possibly repeated.
  //
  // Every change of a node's free resources other than a commit of our own proposals comes with an
  // event that names the node, except a gang's refusal, which names one piece of several; so after
  // any refusal, all nodes that were proposed in the call before are counted anew.
  std::span<const NodeId> follow(const SchedulerInput& input);

  // True if a decision was refused among the events of the last follow().
  bool was_refused() const { return was_refused_; }

  // Counts a proposal, or takes one back within the same call.
  void take(NodeId node, const Resources& amount);
  void give_back(NodeId node, const Resources& amount);

  std::size_t nodes() const { return free_.size(); }
  // Nothing is free on a node that is not alive.
  const Resources& free(NodeId node) const { return free_[node.index()]; }
  bool is_alive(NodeId node) const { return alive_.contains(node); }
  // Sum over alive nodes.
  const Resources& total() const { return total_; }

  // The first node at or after `from`, in id order, that has room for `demand`; none if none has.
  NodeId next_with_room(NodeId from, const Resources& demand) const;

  // True if it counts what the model counts, as it must after follow().
  bool agrees_with(const ClusterModel& cluster) const;

 private:
  void count(const ClusterModel& cluster, NodeId node);
  void mark(NodeId node, const Resources& before);

  std::vector<Resources> free_;  // by node
  NodeSet alive_;
  // By dimension: the nodes with something free in it. Dimensions that no node has ever had stay
  // out of use.
  std::array<NodeSet, Resources::dimensions_max> has_some_;
  Resources total_;
  std::vector<NodeId> proposed_;  // in this call, or before follow() in the last one
  std::vector<NodeId> changed_;
  bool was_refused_ = false;
};

}  // namespace tracebed
