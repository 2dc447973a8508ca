// The heartbeats of VirtualFleet's machines.
#include <algorithm>

#include "coordinator/virtual/virtual_fleet.h"

namespace tracebed {

void VirtualFleet::beat(NodeId id, Round& round) {
  NodeModel& node = nodes_[id.index()];
  for (const ContainerEnded& ended : node.unreported) round.arrivals.push_back(ended);
  node.unreported.clear();
  NodeHeartbeat heartbeat{.node = id, .used = measured_use(id)};
  if (storage_) heartbeat.io_pressure = storage_->datanodes().io_pressure(id, now_);
  round.arrivals.push_back(heartbeat);
  update_mark(id);
}

bool VirtualFleet::sweep(Round& round) {
  sweep_due_ = false;
  has_changed_ = false;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (matters(nodes_[i])) beat(NodeId(i), round);
  }
  round.now = now_;
  return !round.arrivals.empty();
}

bool VirtualFleet::matters(const NodeModel& node) const {
  if (!node.is_up) return false;
  if (!node.unreported.empty() || options_.deliver_every_heartbeat) return true;
  if (!interest_.any) return false;
  return options_.is_ideal || interest_.limits.fits(interest_.minimum, node.free);
}

void VirtualFleet::update_mark(NodeId id) {
  // The ideal model has sweeps instead of the wheel.
  if (!options_.is_ideal) wheel_.mark(id, matters(nodes_[id.index()]));
}

Resources VirtualFleet::measured_use(NodeId id) const {
  Resources use = nodes_[id.index()].usage;
  if (!shared_.has(id)) return use;
  const Resources& capacity = machines_[id.index()].capacity;
  const auto milli_vcores = static_cast<std::int64_t>(shared_[id].rate_of_all());
  const std::int64_t resident = capacity.memory_mib() > 0
                                    ? std::min(use.memory_mib(), capacity.memory_mib())
                                    : use.memory_mib();
  return Resources(milli_vcores, resident);
}

}  // namespace tracebed
