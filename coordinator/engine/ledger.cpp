#include "coordinator/engine/ledger.h"

#include <algorithm>
#include <limits>

#include "core/check.h"

namespace tracebed {

bool Ledger::add_node(NodeId id, const Machine& machine) {
  TRACEBED_CHECK(!machine.capacity.has_negative(), "a capacity is not negative");
  while (model_.nodes.size() <= id.index()) {
    const NodeId next(model_.nodes.size());
    model_.nodes.emplace_back().id = next;
    was_seen_.push_back(false);
  }
  Node& node = model_.nodes[id.index()];
  if (node.alive) return false;
  if (was_seen_[id.index()]) count_kind(node.capacity, -1);
  was_seen_[id.index()] = true;
  count_kind(machine.capacity, 1);
  TRACEBED_CHECK(node.containers == 0, "a node that left holds no container");
  node.name = machine.name;
  node.rack = racks_.intern(machine.rack);
  node.labels = machine.labels;
  node.capacity = machine.capacity;
  node.free = machine.capacity;
  node.alive = true;
  model_.racks = racks_.size();
  model_.capacity += node.capacity;
  model_.free += node.capacity;
  return true;
}

void Ledger::remove_node(NodeId id) {
  Node& node = model_.nodes[id.index()];
  TRACEBED_CHECK(node.alive && node.containers == 0, "a node leaves once, after its containers");
  node.alive = false;
  model_.capacity -= node.capacity;
  model_.free -= node.free;
  node.free = Resources();
}

Ledger::Allocated Ledger::allocate(const Taker& taker, NodeId node_id, std::uint32_t units,
                                   TraceTime now) {
  Ask& ask = taker.ask;
  Node& node = model_.nodes[node_id.index()];
  const ContainerId id = model_.containers.next_id();
  Container& container = model_.containers.emplace_at(id);
  container.application = ask.application;
  container.ask = taker.id;
  container.node = node_id;
  container.units = units;
  container.allocated = now;
  const Resources resources = ask.demand * units;
  container.resources = resources;
  TRACEBED_CHECK(node.alive && resources.fits_in(node.free), "a node is given no more than it has");
  TRACEBED_CHECK(units > 0 && units <= ask.pending, "an ask is given no more than it wants");
  ask.pending -= units;
  node.free -= resources;
  ++node.containers;
  model_.free -= resources;
  taker.application.used += resources;
  ++taker.application.containers;
  return {id, container};
}

void Ledger::release(ContainerId id, const Container& container) {
  Node& node = model_.nodes[container.node.index()];
  TRACEBED_CHECK(node.alive && node.containers > 0, "a container lives on a node that is alive");
  node.free += container.resources;
  --node.containers;
  model_.free += container.resources;
  TRACEBED_CHECK(node.free.fits_in(node.capacity), "a node has no more free than its capacity");
  if (Application* application = model_.applications.find(container.application)) {
    application->used -= container.resources;
    --application->containers;
  }
  model_.containers.erase(id);
}

void Ledger::count_kind(const Resources& capacity, std::int64_t change) {
  const auto same = [&](const NodeKind& kind) { return kind.capacity == capacity; };
  const auto found = std::find_if(kinds_.begin(), kinds_.end(), same);
  if (found == kinds_.end()) {
    kinds_.push_back({capacity, change});
  } else {
    found->nodes += change;
  }
}

std::int64_t Ledger::units_that_ever_fit(const Resources& demand) const {
  std::int64_t units = 0;
  for (const NodeKind& kind : kinds_) {
    if (kind.nodes == 0) continue;
    const std::int64_t units_each = demand.count_in(kind.capacity);
    if (units_each > (std::numeric_limits<std::int64_t>::max() - units) / kind.nodes) {
      return std::numeric_limits<std::int64_t>::max();  // a demand for nothing
    }
    units += units_each * kind.nodes;
  }
  return units;
}

bool Ledger::ever_fits(const Resources& demand) const {
  return std::any_of(kinds_.begin(), kinds_.end(), [&](const NodeKind& kind) {
    return kind.nodes > 0 && demand.fits_in(kind.capacity);
  });
}

void Ledger::verify() const {
  std::vector<Resources> used(model_.nodes.size());
  std::vector<std::uint32_t> containers(model_.nodes.size());
  Resources used_in_all;
  PagedTable<ApplicationId, Resources> used_by;
  model_.containers.for_each([&](ContainerId, const Container& container) {
    used[container.node.index()] += container.resources;
    ++containers[container.node.index()];
    used_in_all += container.resources;
    if (!model_.applications.contains(container.application)) return;
    if (Resources* sum = used_by.find(container.application)) {
      *sum += container.resources;
    } else {
      used_by.emplace_at(container.application, container.resources);
    }
  });
  Resources capacity;
  for (const Node& node : model_.nodes) {
    TRACEBED_CHECK(containers[node.id.index()] == node.containers, "containers per node add up");
    if (!node.alive) {
      TRACEBED_CHECK(node.containers == 0, "a node that left holds no container");
      continue;
    }
    TRACEBED_CHECK(!node.free.has_negative(), "no node is given more than its capacity");
    TRACEBED_CHECK(node.free + used[node.id.index()] == node.capacity, "free + used = capacity");
    capacity += node.capacity;
  }
  TRACEBED_CHECK(capacity == model_.capacity, "the cluster's capacity is the sum of its nodes'");
  TRACEBED_CHECK(model_.free + used_in_all == capacity, "the cluster's free + used = capacity");
  model_.applications.for_each([&](ApplicationId id, const Application& application) {
    const Resources* sum = used_by.find(id);
    TRACEBED_CHECK((sum ? *sum : Resources()) == application.used,
                   "an application uses the sum of its containers");
    for (AskId ask : application.asks) {
      TRACEBED_CHECK(model_.asks.contains(ask) && model_.asks[ask].application == id,
                     "an application's asks are its own");
    }
  });
}

}  // namespace tracebed
