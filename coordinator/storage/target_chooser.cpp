#include "coordinator/storage/target_chooser.h"

#include <algorithm>
#include <utility>

namespace tracebed {
namespace {

using Scope = DatanodeTopology::Scope;

// As in NetworkTopology: two links for each level below the common one.
int distance(const DatanodeTopology& topology, NodeId a, NodeId b) {
  if (a == b) return 0;
  return topology.rack_of(a) == topology.rack_of(b) ? 2 : 4;
}

}  // namespace

std::size_t fault_tolerant_rack_max(std::size_t total, std::size_t racks) {
  if (racks <= 1 || total <= 1) return total;
  return total < racks ? 1 : (total - 1) / racks + 1;
}

std::vector<NodeId> pipeline_of(const DatanodeTopology& topology, NodeId writer,
                                std::vector<NodeId> targets) {
  if (targets.empty()) return targets;
  NodeId at = topology.rack_of(writer).is_valid() ? writer : targets.front();
  for (auto next = targets.begin(); next != targets.end(); ++next) {
    // The first of the nearest.
    const auto nearest = std::min_element(next, targets.end(), [&](NodeId a, NodeId b) {
      return distance(topology, at, a) < distance(topology, at, b);
    });
    std::iter_swap(next, nearest);
    at = *next;
  }
  return targets;
}

TargetChooser::TargetChooser(const PlacementView& view, const ReplicaRequest& request,
                             Random& random)
    : view_(view),
      request_(request),
      random_(random),
      targets_(request.existing),
      avoids_stale_(view.options.avoids_stale_for_writes) {
  if (view.options.considers_load) {
    load_max_ = view.options.load_factor * view.datanodes.average_transfers();
  }
  look_again();
}

std::size_t TargetChooser::total_max() const {
  return std::min(request_.existing.size() + request_.count, view_.topology.nodes());
}

void TargetChooser::look_again() {
  seen_.clear();
  for (const NodeId node : request_.excluded) see(node);
  for (const NodeId node : targets_) see(node);
}

bool TargetChooser::is_seen(NodeId node) const {
  return std::binary_search(seen_.begin(), seen_.end(), node);
}

void TargetChooser::see(NodeId node) {
  if (!is_seen(node)) seen_.insert(std::upper_bound(seen_.begin(), seen_.end(), node), node);
}

bool TargetChooser::is_good(NodeId node, bool considers_load) const {
  const Datanode* datanode = view_.datanodes.find(node);
  if (datanode == nullptr || !datanode->is_in_service()) return false;
  if (avoids_stale_ && view_.datanodes.liveness(*datanode, view_.now) == Liveness::stale) {
    return false;
  }
  if (considers_load && load_max_ > 0 && datanode->usage.transfers > load_max_) return false;
  const auto on_rack = std::count_if(targets_.begin(), targets_.end(), [&](NodeId target) {
    return view_.topology.rack_of(target) == datanode->rack;
  });
  if (static_cast<std::size_t>(on_rack) + 1 > rack_max_) return false;
  return datanode->room() >= request_.bytes;
}

bool TargetChooser::choose(const Scope& scope) {
  while (const auto node = view_.topology.choose(scope, seen_, random_)) {
    see(*node);
    if (!is_good(*node, view_.options.considers_load)) continue;
    targets_.push_back(*node);
    return true;
  }
  return false;
}

bool TargetChooser::choose_local(NodeId writer) {
  if (!view_.topology.rack_of(writer).is_valid()) return choose(Scope::any());
  if (!is_seen(writer)) {
    see(writer);
    if (is_good(writer, /*considers_load=*/false)) {
      targets_.push_back(writer);
      return true;
    }
  }
  return choose_near(writer);
}

bool TargetChooser::choose_near(NodeId node) {
  if (!node.is_valid()) return choose(Scope::any());
  if (choose(Scope::within(view_.topology.rack_of(node)))) return true;
  const auto next =
      std::find_if(targets_.begin(), targets_.end(), [&](NodeId target) { return target != node; });
  if (next != targets_.end() && choose(Scope::within(view_.topology.rack_of(*next)))) return true;
  return choose(Scope::any());
}

bool TargetChooser::choose_remote(NodeId node) {
  const RackId rack = view_.topology.rack_of(node);
  return choose(Scope::outside(rack)) || choose(Scope::within(rack));
}

}  // namespace tracebed
