// The machines that containers have asked more of than they have, each with what its containers
// share (coordinator/virtual/core_shares.h). Most runs have none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "coordinator/virtual/core_shares.h"
#include "coordinator/virtual/flow_ends.h"
#include "core/check.h"
#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

class SharedMachines {
 public:
  // `swap_cost` as of CoreShares.
  explicit SharedMachines(double swap_cost) : swap_cost_(swap_cost) {}

  // Whether containers on a machine of this capacity that demand as much have to share it.
  bool is_too_much(const Resources& demand, const Resources& capacity) const {
    const auto exceeds = [](std::int64_t wanted, std::int64_t there) {
      return there > 0 && wanted > there;
    };
    return exceeds(demand.milli_vcores(), capacity.milli_vcores()) ||
           (swap_cost_ > 0 && exceeds(demand.memory_mib(), capacity.memory_mib()));
  }

  bool has(NodeId node) const {
    return node.index() < machines_.size() && machines_[node.index()].has_value();
  }
  // One that it does not have.
  void add(NodeId node, const Resources& capacity) {
    TRACEBED_CHECK(!has(node), "a machine is shared once");
    if (node.index() >= machines_.size()) machines_.resize(node.index() + 1);
    machines_[node.index()].emplace(capacity, swap_cost_);
    next_.insert(node.value(), never);
  }
  // It is empty from now on, and whole.
  void remove(NodeId node) {
    if (!has(node)) return;
    machines_[node.index()].reset();
    next_.erase(node.value());
  }

  // One that it has.
  const CoreShares& operator[](NodeId node) const { return *machines_[node.index()]; }
  // Calls change(shares) for one that it has.
  template <class Change>
  void change(NodeId node, Change&& change) {
    CoreShares& shares = *machines_[node.index()];
    change(shares);
    next_.change(node.value(), shares.next_done());
  }

  // When the next of all containers has done its work: `never` if none works.
  TraceTime next_time() const { return next_.next_time(); }
  // Appends those that have done their work by then.
  void take_done(TraceTime now, std::vector<ContainerId>& done) {
    while (next_.next_time() <= now && next_.next_time() != never) {
      change(NodeId(next_.next_flow()), [&](CoreShares& shares) { shares.take_done(now, done); });
    }
  }

 private:
  double swap_cost_;
  std::vector<std::optional<CoreShares>> machines_;  // by node; none: has enough for all so far
  FlowEnds next_;                                    // of the machines, by node
};

}  // namespace tracebed
