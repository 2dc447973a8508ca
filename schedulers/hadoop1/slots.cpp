#include "schedulers/hadoop1/slots.h"

#include <algorithm>

#include "core/visit.h"
#include "schedulers/parts/measured_load.h"

namespace tracebed {

PerKind<std::int64_t> SlotRule::of(const Resources& capacity) const {
  const std::int64_t count =
      per_node > 0 ? per_node : std::max<std::int64_t>(2, capacity.milli_vcores() / 1000);
  PerKind<std::int64_t> slots{.map = count, .reduce = count};
  if (!is_of_each) {
    slots.reduce = std::max<std::int64_t>(1, (count + 2) / 4);  // to the nearest, halves up
    slots.map = std::max<std::int64_t>(1, count - slots.reduce);
  }
  for (const SlotKind kind : slot_kinds) {
    if (stated[kind] > 0) slots[kind] = stated[kind];
  }
  return slots;
}

PerKind<std::int64_t> slots_in_all(const SlotRule& rule, const Resources& capacity,
                                   std::int64_t nodes) {
  const PerKind<std::int64_t> of_each = rule.of(capacity);
  return {.map = of_each.map * nodes, .reduce = of_each.reduce * nodes};
}

bool SlotTable::see(const ClusterModel& cluster, const SchedulerEvent& event) {
  bool has_changed = false;
  visit_all(
      event,
      [&](const NodeAdded& added) { has_changed = set_alive(cluster.node(added.node), true); },
      [&](const NodeRemoved& removed) {
        has_changed = set_alive(cluster.node(removed.node), false);
      },
      [&](const NodeUpdated& updated) {
        has_changed = rule_.follows_load && advertise(cluster.node(updated.node));
      },
      Ignore<ApplicationAdded, ApplicationRemoved, AskChanged, AskRemoved, ContainerFinished,
             ContainerRecovered, PreemptionSettled, PreemptionDue, Tick, DecisionMade, Refused>{});
  return has_changed;
}

bool SlotTable::set_alive(const Node& node, bool is_alive) {
  if (node.id.index() >= nodes_.size()) nodes_.resize(node.id.index() + 1);
  Entry& entry = nodes_[node.id.index()];
  if (entry.is_alive == is_alive) return false;
  entry.is_alive = is_alive;
  if (is_alive) entry.total = entry.unloaded = rule_.of(node.capacity);
  const std::int64_t sign = is_alive ? 1 : -1;
  alive_nodes_ += sign;
  for (const SlotKind kind : slot_kinds) {
    total_[kind] += sign * entry.total[kind];
    used_[kind] += sign * entry.used[kind];
  }
  return true;
}

bool SlotTable::advertise(const Node& node) {
  Entry& entry = nodes_[node.id.index()];
  if (!entry.is_alive) return false;
  const std::int64_t unloaded = unloaded_part(node, node.free);
  bool has_changed = false;
  for (const SlotKind kind : slot_kinds) {
    // To the nearest, halves up, so that a node with one slot has it until half of it is in use.
    const std::int64_t free =
        (entry.unloaded[kind] * unloaded + unloaded_whole / 2) / unloaded_whole;
    const std::int64_t total = entry.used[kind] + free;
    total_[kind] += total - entry.total[kind];
    has_changed |= total != entry.total[kind];
    entry.total[kind] = total;
  }
  return has_changed;
}

void SlotTable::clear() {
  for (Entry& entry : nodes_) entry.used = {};
  used_ = {};
}

void SlotTable::change(NodeId node, SlotKind kind, std::int64_t slots) {
  Entry& entry = nodes_[node.index()];
  entry.used[kind] += slots;
  if (entry.is_alive) used_[kind] += slots;
}

}  // namespace tracebed
