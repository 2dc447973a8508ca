#include "coordinator/engine/relocation.h"

#include <algorithm>
#include <map>
#include <vector>

namespace tracebed {

// What one look at the cluster has promised so far.
struct RelocationPolicy::Look {
  const ClusterModel& cluster;
  const ContainerStates& states;
  const InputNodes& input_nodes;
  std::map<NodeId, std::vector<Resources>> promised;
  std::vector<NodeId> with_input;

  bool has_room(const Node& node, const Container& container) const {
    if (!node.alive || node.id == container.node) return false;
    const Resources& own = container.resources;
    const auto found = promised.find(node.id);
    if (found == promised.end()) return cluster.has_room(node, own);
    Node after = node;
    for (const Resources& earlier : found->second) {
      after.free -= earlier;
      (void)after.devices.take(earlier, 1);
    }
    return cluster.has_room(after, own);
  }
};

bool RelocationPolicy::has_room(const ClusterModel& cluster, NodeId destination,
                                const Resources& needed) {
  const Node& node = cluster.node(destination);
  return node.alive && cluster.has_room(node, needed);
}

std::vector<Relocation> RelocationPolicy::choose(TraceTime now, const ClusterModel& cluster,
                                                 const ContainerStates& states,
                                                 const InputNodes& input_nodes,
                                                 const IsMarked& is_marked, std::uint32_t most) {
  std::erase_if(relocated_,
                [&](const Task& task) { return !cluster.applications.contains(task.first); });
  Look look{.cluster = cluster,
            .states = states,
            .input_nodes = input_nodes,
            .promised = {},
            .with_input = {}};
  std::vector<Relocation> chosen;
  cluster.containers.for_each([&](ContainerId id, const Container& container) {
    if (chosen.size() == most || !container.is_launched) return;
    const ContainerState& state = states[id];
    if (!may_go(now, cluster, container, state) || is_marked(id)) return;
    const char* reason = "";
    const NodeId place = better_place(look, container, state, reason);
    if (!place.is_valid()) return;
    look.promised[place].push_back(container.resources);
    relocated_.emplace(container.application, state.task);
    chosen.push_back({id, place, reason});
  });
  return chosen;
}

bool RelocationPolicy::may_go(TraceTime now, const ClusterModel& cluster,
                              const Container& container, const ContainerState& state) const {
  const bool is_working = !container.is_being_killed && !state.is_checkpointing &&
                          !(state.is_held && state.work_begun == TraceTime());
  if (!is_working || container.is_master || state.is_orphan) return false;
  if (now - std::max(state.work_begun, container.allocated) < options_.settled) return false;
  const Ask* ask = cluster.asks.find(container.ask);
  const bool is_gang = container.units > 1 || (ask != nullptr && ask->is_gang());
  return !is_gang && cluster.applications.contains(container.application) &&
         !relocated_.contains({container.application, state.task});
}

NodeId RelocationPolicy::better_place(Look& look, const Container& container,
                                      const ContainerState& state, const char*& reason) const {
  if (is_hot(look.cluster.node(container.node))) {
    const NodeId place = calmer_node(look, container);
    reason = "its node is I/O-hot";
    if (place.is_valid()) return place;
  }
  const bool is_remote =
      container.locality == Locality::rack || container.locality == Locality::off_switch;
  if (options_.for_locality && is_remote) {
    const NodeId place = node_with_input(look, container, state.task);
    reason = "a node with its input has room";
    if (place.is_valid()) return place;
  }
  if (!options_.for_speed) return NodeId();
  reason = "a faster node has room";
  return faster_node(look, container);
}

NodeId RelocationPolicy::calmer_node(const Look& look, const Container& container) const {
  const Node* best = nullptr;
  for (const Node& node : look.cluster.nodes) {
    const std::int32_t pressure = node.report.io_pressure;
    const bool is_calm = pressure >= 0 && pressure <= options_.io_calm;
    if (!is_calm || !look.has_room(node, container)) continue;
    if (best == nullptr || pressure < best->report.io_pressure) best = &node;
  }
  return best == nullptr ? NodeId() : best->id;
}

NodeId RelocationPolicy::node_with_input(Look& look, const Container& container,
                                         TaskRef task) const {
  look.with_input.clear();
  look.input_nodes(container.application, task, look.with_input);
  std::sort(look.with_input.begin(), look.with_input.end());
  for (const NodeId id : look.with_input) {
    const Node& node = look.cluster.node(id);
    if (!is_hot(node) && look.has_room(node, container)) return id;
  }
  return NodeId();
}

NodeId RelocationPolicy::faster_node(const Look& look, const Container& container) const {
  const std::uint64_t needed =
      std::uint64_t{look.cluster.node(container.node).speed} * options_.speed_gain;
  const Node* best = nullptr;
  for (const Node& node : look.cluster.nodes) {
    const bool is_faster = std::uint64_t{node.speed} * 1'000 >= needed;
    if (!is_faster || is_hot(node) || !look.has_room(node, container)) continue;
    if (best == nullptr || node.speed > best->speed) best = &node;
  }
  return best == nullptr ? NodeId() : best->id;
}

}  // namespace tracebed
