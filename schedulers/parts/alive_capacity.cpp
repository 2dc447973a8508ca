#include "schedulers/parts/alive_capacity.h"

#include <algorithm>
#include <limits>

#include "core/visit.h"

namespace tracebed {

bool AliveCapacity::see(const ClusterModel& cluster, const SchedulerEvent& event) {
  NodeId node;
  visit_all(
      event, [&](const OneOf<NodeAdded, NodeRemoved> auto& change) { node = change.node; },
      Ignore<NodeUpdated, ApplicationAdded, ApplicationRemoved, AskChanged, AskRemoved,
             ContainerFinished, ContainerRecovered, PreemptionSettled, PreemptionDue, Tick,
             DecisionMade, Refused>{});
  if (!node.is_valid()) return false;
  limits_ = cluster.limits;
  if (counted_.size() < cluster.nodes.size()) counted_.resize(cluster.nodes.size());
  const Node& state = cluster.node(node);
  count(counted_[node.index()], -1);
  counted_[node.index()] = state.alive ? state.capacity : Resources();
  count(counted_[node.index()], 1);
  return true;
}

void AliveCapacity::count(const Resources& capacity, std::int64_t change) {
  if (capacity.is_zero()) return;
  const auto kind = std::find_if(kinds_.begin(), kinds_.end(),
                                 [&](const Kind& k) { return k.capacity == capacity; });
  if (kind == kinds_.end()) {
    kinds_.push_back({capacity, change});
  } else if ((kind->nodes += change) == 0) {
    kinds_.erase(kind);
  }
}

std::int64_t AliveCapacity::units(const Resources& demand) const {
  constexpr std::int64_t unlimited = std::numeric_limits<std::uint32_t>::max();
  std::int64_t units = 0;
  for (const Kind& kind : kinds_) {
    units += std::min(unlimited, limits_.units_in_empty(demand, kind.capacity)) * kind.nodes;
  }
  return units;
}

}  // namespace tracebed
