// The containers that a round of preemption may choose, by application.
#pragma once

#include <map>
#include <vector>

#include "schedulers/yarn/capacity/preemption_round.h"

namespace tracebed {

struct LiveContainer {
  ContainerId id;
  const Container* container = nullptr;
  PartitionIndex partition = default_partition;  // of its node
  std::int32_t priority = 0;                     // of its ask, once it is in order
  bool is_master = false;
  bool is_chosen = false;
};

// Valid as long as the model and the scheduler's state do not change.
class LiveContainers {
 public:
  struct OfApplication {
    const RunningApplication* application = nullptr;
    std::vector<LiveContainer> live;
    bool is_in_order = false;
    // By partition; absent: nothing.
    std::vector<Resources> masters;  // live masters
    std::vector<Resources> leaving;  // containers that are being killed
    std::vector<Resources> chosen;   // of live ones
  };

  LiveContainers(const CapacityState& state, const ClusterModel& cluster,
                 const ClosedPriorities& closed);

  OfApplication& of(ApplicationId application) {
    return applications_[slots_[application.index() - first_.index()]];
  }
  // The same with its live containers in the order in which they are chosen: those of the least
  // important ask first, of one ask the newest first.
  OfApplication& in_order_of(ApplicationId application);
  std::vector<OfApplication>& all() { return applications_; }
  std::map<NodeId, std::vector<LiveContainer*>> by_node();
  // On the node; being killed.
  const Resources& leaving_on(NodeId node) const;

 private:
  void add(ContainerId id, const Container& container);
  std::int32_t priority_of(const Container& container) const;

  const CapacityState& state_;
  const ClusterModel& cluster_;
  const ClosedPriorities& closed_;
  ApplicationId first_;
  std::vector<std::uint32_t> slots_;  // by application, from the first one on
  std::vector<OfApplication> applications_;
  std::map<NodeId, Resources> leaving_on_;
};

// What `sums` has for the partition.
inline const Resources& sum_in(const std::vector<Resources>& sums, PartitionIndex partition) {
  static const Resources nothing;
  return partition < sums.size() ? sums[partition] : nothing;
}
inline void add_to(std::vector<Resources>& sums, PartitionIndex partition,
                   const Resources& amount) {
  if (sums.size() <= partition) sums.resize(partition + 1);
  sums[partition] += amount;
}

}  // namespace tracebed
