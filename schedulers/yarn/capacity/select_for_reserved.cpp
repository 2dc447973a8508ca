// Room on nodes that are reserved: of each, just enough of its newest containers, or none
// (monitor.capacity.ReservedContainerCandidatesSelector). Masters are spared.
#include <algorithm>
#include <map>
#include <optional>

#include "schedulers/yarn/capacity/victims.h"

namespace tracebed {
namespace {

class ReservedSelection {
 public:
  ReservedSelection(const CapacityState& state, const ClusterModel& cluster,
                    const Balances& balances, Victims& victims)
      : state_(state), cluster_(cluster), victims_(victims), calculator_(victims.calculator()) {
    for (QueueIndex i = 0; i < state.tree().size(); ++i) {
      wants_.emplace_back(calculator_, victims.cluster());
      if (state.tree()[i].leaf == nullptr) continue;
      for (PartitionIndex p = 0; p < balances.size(); ++p) {
        wants_.back().add(p, balances[p][i].to_obtain);
      }
    }
  }

  void select() {
    gather();
    struct Costed {
      float cost = 0;
      NodeId node;
    };
    std::vector<Costed> nodes;
    for (const auto& [node, containers] : on_node_) {
      if (const auto taken = plan(node, false)) {
        nodes.push_back(
            {calculator_.ratio(sum(*taken), state_.reservation(node)->resources), node});
      }
    }
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const Costed& a, const Costed& b) { return a.cost < b.cost; });
    for (const Costed& each : nodes) {
      const auto taken = plan(each.node, true);
      if (!taken) continue;
      for (LiveContainer* container : *taken) {
        victims_.choose(*container, ChosenFor::reservation);
        wants_of(*container).deduct(container->partition, container->container->resources);
      }
    }
  }

 private:
  using Containers = std::vector<LiveContainer*>;

  void gather() {
    on_node_ = victims_.containers().by_node();
    std::erase_if(on_node_,
                  [&](const auto& each) { return state_.reservation(each.first) == nullptr; });
    for (auto& [node, containers] : on_node_) {
      std::erase_if(containers, [](const LiveContainer* each) { return each->is_master; });
      std::sort(containers.begin(), containers.end(),
                [](const auto* a, const auto* b) { return a->id > b->id; });
    }
  }

  Wants& wants_of(const LiveContainer& container) {
    return wants_[state_.application(container.container->application)->leaf];
  }

  // What would have to go for the reserved container to fit; nothing if it fits already, or cannot.
  // With `counts`, several containers of a queue must be within what is wanted of it together.
  std::optional<Containers> plan(NodeId node, bool counts) {
    const Resources& reserved = state_.reservation(node)->resources;
    Resources room = cluster_.node(node).free + victims_.containers().leaving_on(node);
    if (calculator_.fits(reserved, room)) return std::nullopt;
    Containers taken;
    Resources allowed = victims_.allowed();
    std::map<QueueIndex, Resources> of_queue;
    for (LiveContainer* each : on_node_.at(node)) {
      const Resources& amount = each->container->resources;
      const QueueIndex leaf = state_.application(each->container->application)->leaf;
      const Wants& wants = wants_[leaf];
      if (!wants.has(each->partition)) continue;
      Resources& before = of_queue[leaf];
      if (!calculator_.fits(before + amount, wants.amount(each->partition))) continue;
      if (!calculator_.fits(amount, allowed)) continue;
      if (counts) {
        before += amount;
        allowed -= amount;
      }
      taken.push_back(each);
      room += amount;
      if (calculator_.fits(reserved, room)) return taken;
    }
    return std::nullopt;
  }

  static Resources sum(const Containers& containers) {
    Resources sum;
    for (const LiveContainer* each : containers) sum += each->container->resources;
    return sum;
  }

  const CapacityState& state_;
  const ClusterModel& cluster_;
  Victims& victims_;
  const ResourceCalculator calculator_;
  std::vector<Wants> wants_;              // by queue
  std::map<NodeId, Containers> on_node_;  // of reserved nodes, the newest first
};

}  // namespace

void select_for_reserved(const CapacityState& state, const ClusterModel& cluster,
                         const Balances& balances, Victims& victims) {
  if (state.reservations() > 0) ReservedSelection(state, cluster, balances, victims).select();
}

}  // namespace tracebed
