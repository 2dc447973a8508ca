#include "coordinator/engine/ledger.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "core/check.h"

namespace tracebed {
namespace {

template <class PlaceId>
void lower_one(std::vector<PlaceCount<PlaceId>>& counts, PlaceId place) {
  const auto found = std::lower_bound(
      counts.begin(), counts.end(), place,
      [](const PlaceCount<PlaceId>& entry, PlaceId id) { return entry.place < id; });
  TRACEBED_CHECK(found != counts.end() && found->place == place && found->count > 0,
                 "a master takes back only preferences that it stated");
  --found->count;
}

void set_figures(Ask& ask, const SetAsk& figures, const Resources& demand) {
  ask.demand = demand;
  ask.pending = figures.pending;
  ask.relax_locality = figures.relax_locality;
  ask.is_master = figures.is_master;
  ask.label = figures.label;
  ask.nodes = figures.nodes;
  ask.racks = figures.racks;
}

}  // namespace

bool Ledger::add_node(NodeId id, const Machine& machine) {
  ++changes_;
  TRACEBED_CHECK(!machine.capacity.has_negative(), "a capacity is not negative");
  while (model_.nodes.size() <= id.index()) {
    const NodeId next(model_.nodes.size());
    model_.nodes.emplace_back().id = next;
    was_seen_.push_back(false);
  }
  Node& node = model_.nodes[id.index()];
  if (node.is_present) return false;
  if (was_seen_[id.index()]) count_kind(node.capacity, -1);
  was_seen_[id.index()] = true;
  count_kind(machine.capacity, 1);
  TRACEBED_CHECK(node.containers == 0, "a node that left holds no container");
  node.name = machine.name;
  node.rack = racks_.intern(machine.rack);
  node.labels = machine.labels;
  node.speed = machine.speed;
  node.capacity = machine.capacity;
  node.devices = FreeDevices(model_.limits.devices(), machine.capacity);
  node.is_present = true;
  model_.racks = racks_.size();
  if (node.is_withheld) return false;
  open(node);
  return true;
}

void Ledger::open(Node& node) {
  ++changes_;
  note_change(node.id);
  node.alive = true;
  node.free = node.capacity - used_on(node.id);
  model_.capacity += node.capacity;
  model_.free += node.free;
}

void Ledger::close(Node& node) {
  ++changes_;
  note_change(node.id);
  node.alive = false;
  model_.capacity -= node.capacity;
  model_.free -= node.free;
  node.free = Resources();
}

Resources Ledger::used_on(NodeId id) const {
  Resources used;
  if (model_.node(id).containers == 0) return used;
  model_.containers.for_each([&](ContainerId, const Container& container) {
    if (container.node == id) used += container.resources;
  });
  return used;
}

void Ledger::withhold_node(NodeId id) {
  ++changes_;
  Node& node = model_.nodes[id.index()];
  node.is_withheld = true;
  if (node.alive) close(node);
}

bool Ledger::restore_node(NodeId id) {
  ++changes_;
  Node& node = model_.nodes[id.index()];
  const bool opens = node.is_withheld && node.is_present;
  node.is_withheld = false;
  if (opens) open(node);
  return opens;
}

void Ledger::remove_node(NodeId id) {
  ++changes_;
  Node& node = model_.nodes[id.index()];
  TRACEBED_CHECK(node.is_present && node.containers == 0,
                 "a node leaves once, after its containers");
  node.is_present = false;
  if (node.alive) close(node);
}

ApplicationId Ledger::open_application(const Job& job, TraceTime now) {
  ++changes_;
  const ApplicationId id = model_.applications.next_id();
  Application& application = model_.applications.emplace_at(id);
  application.job = job.id;
  application.user = job.user;
  application.queue = job.queue;
  application.priority = job.priority;
  application.submitted = now;
  application.requested_time = job.requested_time;
  if (job.deadline > Duration::zero()) application.deadline = now + job.deadline;
  for (const Stage& stage : job.stages) {
    (stage.kind == StageKind::reduce ? application.reduces : application.maps) += task_count(stage);
  }
  return id;
}

AskId Ledger::open_ask(ApplicationId id, const SetAsk& figures, const Resources& demand) {
  ++changes_;
  const AskId ask_id = model_.asks.next_id();
  Ask& ask = model_.asks.emplace_at(ask_id);
  ask.application = id;
  ask.priority = figures.priority;
  ask.kind = figures.kind;
  set_figures(ask, figures, demand);
  AskList& asks = model_.applications[id].asks;
  const auto before = [&](AskId a, AskId b) {
    return std::tuple(model_.asks[a].priority, a) < std::tuple(model_.asks[b].priority, b);
  };
  asks.insert(std::upper_bound(asks.begin(), asks.end(), ask_id, before), ask_id);
  return ask_id;
}

void Ledger::change_ask(AskId id, const SetAsk& figures, const Resources& demand) {
  Ask& ask = model_.asks[id];
  TRACEBED_CHECK(ask.priority == figures.priority && ask.kind == figures.kind,
                 "an ask keeps its priority and kind");
  set_figures(ask, figures, demand);
}

void Ledger::lower_preferences(AskId id, std::span<const NodeId> nodes,
                               std::span<const RackId> racks) {
  Ask& ask = model_.asks[id];
  for (const NodeId node : nodes) lower_one(ask.nodes, node);
  for (const RackId rack : racks) lower_one(ask.racks, rack);
}

void Ledger::close_ask(AskId id) {
  ++changes_;
  AskList& asks = model_.applications[model_.asks[id].application].asks;
  asks.erase(std::find(asks.begin(), asks.end(), id));
  model_.asks.erase(id);
}

ContainerId Ledger::allocate(AskId ask_id, std::span<const GangPiece> pieces, TraceTime now) {
  ++changes_;
  Ask& ask = model_.asks[ask_id];
  const ContainerId first = model_.containers.next_id();
  std::uint64_t units = 0;
  auto next = pieces.begin();
  model_.containers.emplace_range(first, pieces.size(), [&](Container& container) {
    const GangPiece& piece = *next++;
    const Resources resources = ask.demand * piece.units;
    Node& node = model_.nodes[piece.node.index()];
    TRACEBED_CHECK(piece.units > 0 && node.alive && model_.has_room(node, ask.demand, piece.units),
                   "a node is given no more than it has");
    container.application = ask.application;
    container.ask = ask_id;
    container.node = piece.node;
    container.units = piece.units;
    container.allocated = now;
    container.resources = resources;
    node.free -= resources;
    take_devices(node, first + static_cast<std::size_t>(&piece - pieces.data()), ask.demand,
                 piece.units);
    ++node.containers;
    note_change(node.id);
    units += piece.units;
  });
  TRACEBED_CHECK(units <= ask.pending, "an ask is granted no more than is pending");
  ask.pending -= static_cast<std::uint32_t>(units);
  const auto times = static_cast<std::int64_t>(units);
  model_.free.add_times(ask.demand, -times);
  Application& application = model_.applications[ask.application];
  application.used.add_times(ask.demand, times);
  application.containers += static_cast<std::uint32_t>(pieces.size());
  return first;
}

void Ledger::take_devices(Node& node, ContainerId container, const Resources& demand,
                          std::int64_t units) {
  if (model_.limits.devices().empty()) return;
  DeviceShares shares = node.devices.take(demand, units);
  if (!shares.empty()) model_.devices.emplace(container, std::move(shares));
}

void Ledger::give_devices_back(Node& node, ContainerId container) {
  if (model_.devices.empty()) return;
  const auto found = model_.devices.find(container);
  if (found == model_.devices.end()) return;
  node.devices.give_back(found->second);
  model_.devices.erase(found);
}

void Ledger::launch_task(ContainerId id, Locality locality) {
  launch_gang(id, 1);
  model_.containers[id].locality = locality;
}

void Ledger::launch_gang(ContainerId first, std::size_t containers) {
  model_.containers.visit_range(first, containers, [](Container& container) {
    TRACEBED_CHECK(!container.is_launched, "something is launched in a container once");
    container.is_launched = true;
  });
}

void Ledger::launch_master(ContainerId id) {
  launch_gang(id, 1);
  model_.containers[id].is_master = true;
}

void Ledger::release(ContainerId first, std::size_t containers) {
  ++changes_;
  const ApplicationId owner = model_.containers[first].application;
  Resources given_back;  // in all
  Resources freed;       // of that, where it can be given out again
  ContainerId next = first;
  model_.containers.visit_range(first, containers, [&](const Container& container) {
    TRACEBED_CHECK(container.application == owner, "containers of one application end together");
    Node& node = model_.nodes[container.node.index()];
    give_devices_back(node, next);
    note_change(node.id);
    next = next + 1;
    TRACEBED_CHECK(node.is_present && node.containers > 0,
                   "a container lives on a node that is there");
    --node.containers;
    if (node.alive) {
      node.free += container.resources;
      TRACEBED_CHECK(!(node.capacity - node.free).has_negative(),
                     "a node has no more free than its capacity");
      freed += container.resources;
    }
    given_back += container.resources;
  });
  model_.containers.erase_range(first, containers);
  model_.free += freed;
  if (Application* application = model_.applications.find(owner)) {
    application->used -= given_back;
    application->containers -= static_cast<std::uint32_t>(containers);
  }
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
    const std::int64_t units_each = model_.limits.units_in_empty(demand, kind.capacity);
    if (units_each > (std::numeric_limits<std::int64_t>::max() - units) / kind.nodes) {
      return std::numeric_limits<std::int64_t>::max();  // a demand for nothing
    }
    units += units_each * kind.nodes;
  }
  return units;
}

bool Ledger::ever_fits(const Resources& demand) const {
  Resources largest;
  bool has_one = false;
  for (const NodeKind& kind : kinds_) {
    if (kind.nodes == 0) continue;
    has_one |= model_.limits.could_hold(demand, kind.capacity);
    for (std::size_t d = 0; d < kind.capacity.dimensions_used(); ++d) {
      if (kind.capacity[d] > largest[d]) largest[d] = kind.capacity[d];
    }
  }
  return has_one && demand.fits_in(largest);
}

void Ledger::verify() const {
  std::vector<Resources> used(model_.nodes.size());
  std::vector<std::uint32_t> containers(model_.nodes.size());
  Resources used_where_alive;
  PagedTable<ApplicationId, Resources> used_by;
  model_.containers.for_each([&](ContainerId, const Container& container) {
    used[container.node.index()] += container.resources;
    ++containers[container.node.index()];
    if (model_.node(container.node).alive) used_where_alive += container.resources;
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
    TRACEBED_CHECK(node.is_present || node.containers == 0, "a node that left holds no container");
    TRACEBED_CHECK(node.alive == (node.is_present && !node.is_withheld),
                   "a node that is there takes containers, unless it is withheld");
    if (!node.alive) {
      TRACEBED_CHECK(
          node.free.is_zero() && model_.limits.fits(used[node.id.index()], node.capacity),
          "nothing is free on a node that takes no containers");
      continue;
    }
    TRACEBED_CHECK(model_.has_room(node, Resources()), "no node is given more than its capacity");
    TRACEBED_CHECK(node.free + used[node.id.index()] == node.capacity, "free + used = capacity");
    capacity += node.capacity;
  }
  verify_devices();
  TRACEBED_CHECK(capacity == model_.capacity, "the cluster's capacity is the sum of its nodes'");
  TRACEBED_CHECK(model_.free + used_where_alive == capacity,
                 "the cluster's free + used = capacity");
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

// Invariant 1 for each device.
void Ledger::verify_devices() const {
  const DeviceSizes& sizes = model_.limits.devices();
  if (sizes.empty()) return;
  std::vector<FreeDevices> free;
  for (const Node& node : model_.nodes) free.emplace_back(sizes, node.capacity);
  for (const auto& [id, shares] : model_.devices) {
    const Container* container = model_.containers.find(id);
    TRACEBED_CHECK(container != nullptr, "a device is given to a container that exists");
    free[container->node.index()].take_shares(shares);
  }
  model_.containers.for_each([&](ContainerId id, const Container& container) {
    Resources held;
    if (const DeviceShares* shares = model_.devices_of(id)) {
      for (const DeviceShare& share : *shares) held[share.dimension] += share.amount;
    }
    for (std::size_t d = 0; d < container.resources.dimensions_used(); ++d) {
      TRACEBED_CHECK(sizes[d] == 0 || container.resources[d] == held[d],
                     "a container's devices are what it was given");
    }
  });
  for (const Node& node : model_.nodes) {
    TRACEBED_CHECK(free[node.id.index()] == node.devices, "free + used = each device");
  }
}

}  // namespace tracebed
