#include "schedulers/hadoop1/slots.h"

#include <algorithm>

#include "core/visit.h"

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

void SlotTable::see(const ClusterModel& cluster, const SchedulerEvent& event) {
  visit_all(
      event, [&](const NodeAdded& added) { set_alive(cluster.node(added.node), true); },
      [&](const NodeRemoved& removed) { set_alive(cluster.node(removed.node), false); },
      Ignore<NodeUpdated, ApplicationAdded, ApplicationRemoved, AskChanged, AskRemoved,
             ContainerFinished, ContainerRecovered, PreemptionSettled, PreemptionDue, Tick,
             DecisionMade, Refused>{});
}

void SlotTable::set_alive(const Node& node, bool is_alive) {
  if (node.id.index() >= nodes_.size()) nodes_.resize(node.id.index() + 1);
  Entry& entry = nodes_[node.id.index()];
  if (entry.is_alive == is_alive) return;
  entry.is_alive = is_alive;
  if (is_alive) entry.total = rule_.of(node.capacity);
  const std::int64_t sign = is_alive ? 1 : -1;
  alive_nodes_ += sign;
  for (const SlotKind kind : slot_kinds) {
    total_[kind] += sign * entry.total[kind];
    used_[kind] += sign * entry.used[kind];
  }
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
