// Machines of a virtual fleet that go and come.
#include <algorithm>

#include "coordinator/virtual/virtual_fleet.h"
#include "coordinator/virtual/virtual_storage.h"

namespace tracebed {

void VirtualFleet::machine_goes(NodeId id, Round& round) {
  NodeModel& node = nodes_[id.index()];
  if (!node.is_up) return;
  node.is_up = false;
  ++node.outages;
  if (storage_) storage_->leave(id, now_, round);
  std::vector<std::uint32_t> hit;
  gangs_.for_each([&](std::uint32_t slot, const RunningGang& gang) {
    const auto is_on_node = [&](const GangPiece& piece) { return piece.node == id; };
    if (std::any_of(gang.pieces.begin(), gang.pieces.end(), is_on_node)) hit.push_back(slot);
  });
  for (const std::uint32_t slot : hit) break_up(slot);
  std::vector<ContainerId> held;
  running_.for_each([&](ContainerId container, const RunningTask& task) {
    if (task.node == id) held.push_back(container);
  });
  progress_reports_.erase(id);
  for (ContainerId container : held) {
    running_.erase(container);
    progress_intervals_.erase(container);
    if (storage_) forget_files(container);
    if (!options_.is_ideal) limits_.erase(container);
  }
  shared_.remove(id);
  node.unreported.clear();
  node.usage = Resources();
  update_mark(id);
  if (options_.is_ideal) {
    report_lost(id, round);
  } else {
    ++expiries_left_;
    events_.push(
        now_ + options_.node_expiry,
        {.kind = EventKind::node_expires, .subject = id.value(), .instance = node.outages});
  }
}

void VirtualFleet::machine_comes(NodeId id, Round& round) {
  NodeModel& node = nodes_[id.index()];
  if (node.is_up) return;
  node.is_up = true;
  // It comes back empty, which shows that what ran on it before is gone.
  if (node.is_known) report_lost(id, round);
  report_joined(id, round);
}

void VirtualFleet::report_lost(NodeId id, Round& round) {
  nodes_[id.index()].is_known = false;
  round.arrivals.push_back(NodeLost{id});
}

void VirtualFleet::report_joined(NodeId id, Round& round) {
  NodeModel& node = nodes_[id.index()];
  node.is_known = true;
  node.free = machines_[id.index()].capacity;
  round.arrivals.push_back(NodeJoined{id, static_cast<std::uint32_t>(round.machines.size())});
  round.machines.push_back(machines_[id.index()]);
  if (storage_) storage_->join(id, round);
  update_mark(id);
}

void VirtualFleet::join_initial(Round& round) {
  has_joined_ = true;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_up) report_joined(NodeId(i), round);
  }
  round.now = now_;
}

}  // namespace tracebed
