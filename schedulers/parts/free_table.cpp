#include "schedulers/parts/free_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/check.h"
#include "core/visit.h"

namespace tracebed {

namespace {

// What is not free of the shares. All is, except of a container that began between two calls, where
// a view is asked for then.
DeviceShares not_free_yet(const FreeDevices& devices, const DeviceShares& shares) {
  DeviceShares result;
  devices.visit(
      [&](std::size_t dimension, std::uint16_t number, std::int64_t free, std::int64_t size) {
        for (DeviceShare share : shares) {
          if (share.dimension != dimension || share.number != number) continue;
          share.amount = std::min(share.amount, size - free);
          if (share.amount > 0) result.push_back(share);
        }
      });
  return result;
}

}  // namespace

std::span<const NodeId> FreeTable::follow(const SchedulerInput& input,
                                          std::span<const NodeId> others) {
  limits_ = input.cluster.limits;
  changed_.assign(others.begin(), others.end());
  was_refused_ = false;
  for (const SchedulerEvent& event : input.events) {
    visit_all(
        event,
        [&](const OneOf<ContainerFinished, ContainerRecovered, NodeAdded, NodeRemoved> auto&
                change) { changed_.push_back(change.node); },
        [&](const Refused&) { was_refused_ = true; },
        Ignore<NodeUpdated, ApplicationAdded, ApplicationRemoved, AskChanged, AskRemoved,
               PreemptionSettled, PreemptionDue, Tick, DecisionMade>{});
  }
  if (was_refused_) changed_.insert(changed_.end(), proposed_.begin(), proposed_.end());
  proposed_.clear();
  device_proposals_.clear();
  grow(input.cluster.nodes.size());
  for (NodeId node : changed_) count(input.cluster.node(node));
  total_ = input.cluster.free;
  return changed_;
}

void FreeTable::grow(std::size_t nodes) {
  if (nodes <= free_.size()) return;
  free_.resize(nodes);
  alive_.grow(nodes);
  closed_.grow(nodes);
  for (NodeSet& set : has_some_) set.grow(nodes);
  if (!limits_.devices().empty()) devices_.resize(nodes);
}

void FreeTable::set_closed(NodeId node, bool is_closed) {
  closed_.grow(node.index() + 1);
  closed_.set(node, is_closed);
}

void FreeTable::count(const Node& node) {
  const bool is_open = node.alive && !closed_.contains(node.id);
  if (alive_.contains(node.id) != is_open) alive_.set(node.id, is_open);
  static constexpr Resources nothing;
  const Resources& after = is_open ? node.free : nothing;
  Resources& free = free_[node.id.index()];
  const std::size_t dimensions = std::max(free.dimensions_used(), after.dimensions_used());
  free = after;
  mark(node.id, free, dimensions);
  if (!devices_.empty()) devices_[node.id.index()] = node.devices;
}

void FreeTable::take_from(NodeId node, const Resources& demand, std::int64_t units) {
  Resources& free = free_[node.index()];
  TRACEBED_CHECK(has_room(node, demand, units), "a scheduler proposes only what it counts as free");
  free.add_times(demand, -units);
  mark(node, free, demand.dimensions_used());
  take_devices(node, demand, units);
  proposed_.push_back(node);
}

void FreeTable::take_devices(NodeId node, const Resources& demand, std::int64_t units) {
  if (devices_.empty()) return;
  FreeDevices& devices = devices_[node.index()];
  device_proposals_.try_emplace(node, Proposals{devices, {}})
      .first->second.taken.push_back({demand, units});
  (void)devices.take(demand, units);
}

// Which devices the others have depends on what was taken before them.
void FreeTable::give_devices_back(NodeId node, const Resources& demand, std::int64_t units) {
  if (devices_.empty()) return;
  Proposals& proposals = device_proposals_.at(node);
  while (units > 0) {
    const auto last = std::find_if(proposals.taken.rbegin(), proposals.taken.rend(),
                                   [&](const auto& taken) { return taken.demand == demand; });
    TRACEBED_CHECK(last != proposals.taken.rend(), "only what was proposed is taken back");
    const std::int64_t less = std::min(units, last->units);
    units -= less;
    last->units -= less;
    if (last->units == 0) proposals.taken.erase(std::next(last).base());
  }
  FreeDevices& devices = devices_[node.index()] = proposals.before;
  for (const auto& taken : proposals.taken) (void)devices.take(taken.demand, taken.units);
}

bool FreeTable::devices_have_room(const ClusterModel& cluster, NodeId node, const Resources& demand,
                                  std::span<const ContainerId> victims) const {
  if (devices_.empty()) return true;
  FreeDevices devices = devices_[node.index()];
  for (const ContainerId id : victims) {
    const DeviceShares* const shares = cluster.devices_of(id);
    if (shares != nullptr) devices.give_back(not_free_yet(devices, *shares));
  }
  return devices.units(demand) > 0;
}

void FreeTable::take(NodeId node, const Resources& demand, std::int64_t units) {
  take_from(node, demand, units);
  total_.add_times(demand, -units);
}

void FreeTable::take(const Resources& demand, std::span<const GangPiece> pieces) {
  std::int64_t units = 0;
  for (const GangPiece& piece : pieces) {
    take_from(piece.node, demand, piece.units);
    units += piece.units;
  }
  total_.add_times(demand, -units);
}

bool FreeTable::take_gang(const Resources& demand, std::uint32_t units,
                          std::vector<GangPiece>& pieces, NodeId avoided) {
  pieces.clear();
  if (!total_has_room(demand, units)) return false;
  const auto change = [&](NodeId node, std::int64_t times) {
    Resources& free = free_[node.index()];
    free.add_times(demand, times);
    mark(node, free, demand.dimensions_used());
  };
  std::uint32_t missing = units;
  visit_with_room(demand, [&](NodeId node) {
    if (node == avoided) return false;
    // The division is left for nodes that can't take all of the rest.
    const std::uint32_t taken = has_room(node, demand, missing)
                                    ? missing
                                    : static_cast<std::uint32_t>(units_on(node, demand));
    change(node, -std::int64_t{taken});
    pieces.push_back({node, taken});
    missing -= taken;
    return missing == 0;
  });
  if (missing > 0) {
    for (const GangPiece& piece : pieces) change(piece.node, piece.units);
    return false;
  }
  for (const GangPiece& piece : pieces) {
    take_devices(piece.node, demand, piece.units);
    proposed_.push_back(piece.node);
  }
  total_.add_times(demand, -std::int64_t{units});
  return true;
}

void FreeTable::give_back(NodeId node, const Resources& demand, std::int64_t units) {
  Resources& free = free_[node.index()];
  free.add_times(demand, units);
  total_.add_times(demand, units);
  mark(node, free, demand.dimensions_used());
  give_devices_back(node, demand, units);
}

bool FreeTable::agrees_with(const ClusterModel& cluster) const {
  Resources total;
  for (const Node& node : cluster.nodes) {
    const Resources expected = node.alive ? node.free : Resources();
    if (node.id.index() >= free_.size() || !(free(node.id) == expected)) return false;
    if (is_alive(node.id) != node.alive) return false;
    if (node.alive && !devices_.empty() && !(devices_[node.id.index()] == node.devices)) {
      return false;
    }
    total += expected;
  }
  return total == total_;
}

}  // namespace tracebed
