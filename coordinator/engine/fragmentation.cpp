#include "coordinator/engine/fragmentation.h"

#include <algorithm>

namespace tracebed {
namespace {

// In thousandths of a device, so that devices of several resources can be added.
std::int64_t thousandths(std::int64_t amount, std::int64_t size) {
  return amount * 1'000 / size;
}

// Makes the entry of the node `now`, and the sum likewise.
void replace(std::vector<std::int64_t>& by_node, std::int64_t& sum, NodeId node, std::int64_t now) {
  if (by_node.size() <= node.index()) by_node.resize(node.index() + 1);
  sum += now - by_node[node.index()];
  by_node[node.index()] = now;
}

}  // namespace

bool Fragmentation::demands_devices(const Resources& demand) const {
  for (std::size_t d = 0; d < demand.dimensions_used(); ++d) {
    if (cluster_.limits.devices()[d] > 0 && demand[d] > 0) return true;
  }
  return false;
}

std::uint64_t Fragmentation::job_submitted(const Job& job) {
  std::uint64_t left_out = 0;
  if (cluster_.limits.devices().empty()) return left_out;
  for (const Stage& stage : job.stages) {
    if (!demands_devices(stage.demand)) continue;
    const std::uint64_t tasks = task_count(stage);
    const auto known = std::find_if(demands_.begin(), demands_.end(), [&](const Demand& demand) {
      return demand.amount == stage.demand;
    });
    if (known != demands_.end()) {
      known->tasks += tasks;
    } else if (demands_.size() < demands_max) {
      demands_.push_back({.amount = stage.demand, .tasks = tasks});
      for (const Node& node : cluster_.nodes) count(demands_.back(), node);
    } else {
      left_out += tasks;
    }
  }
  return left_out;
}

std::int64_t Fragmentation::fragments(const Node& node, const Resources& demand) const {
  if (!node.alive) return 0;
  const bool has_room = cluster_.has_room(node, demand);
  std::int64_t sum = 0;
  node.devices.visit(
      [&](std::size_t dimension, std::uint16_t, std::int64_t free, std::int64_t size) {
        if (demand[dimension] <= 0) return;
        if (!has_room || free < std::min(demand[dimension], size)) sum += thousandths(free, size);
      });
  return sum;
}

void Fragmentation::count(Demand& demand, const Node& node) {
  replace(demand.by_node, demand.fragments, node.id, fragments(node, demand.amount));
}

void Fragmentation::count_free(const Node& node) {
  std::int64_t sum = 0;
  if (node.alive) {
    node.devices.visit([&](std::size_t, std::uint16_t, std::int64_t free, std::int64_t size) {
      sum += thousandths(free, size);
    });
  }
  replace(free_by_node_, free_, node.id, sum);
}

DeviceSample Fragmentation::sample() {
  std::vector<NodeId> changed = ledger_.take_changed_nodes();
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  for (const NodeId id : changed) {
    count_free(cluster_.node(id));
    for (Demand& demand : demands_) count(demand, cluster_.node(id));
  }
  __extension__ using Wide = unsigned __int128;  // fragments × tasks
  Wide weighted = 0;
  std::uint64_t tasks = 0;
  for (const Demand& demand : demands_) {
    weighted += Wide{static_cast<std::uint64_t>(demand.fragments)} * demand.tasks;
    tasks += demand.tasks;
  }
  return {free_, tasks == 0 ? 0 : static_cast<std::int64_t>(weighted / tasks)};
}

}  // namespace tracebed
