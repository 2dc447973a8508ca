// Room for what more important queues have reserved and waited for long enough, taken from less
// important ones on the same node, whether or not these have more than their guarantees
// (monitor.capacity.QueuePriorityContainerCandidateSelector). A queue that has its guarantee takes
// nothing. Masters are spared; that a queue's preemption is disabled does not count, as there.
//
// Deviations, each on purpose:
// - [capacity-priority-order] The original sorts by a comparison that is no order: of
//   two queues under one parent the more important comes first, of all others the older.
//   Here again and again the oldest comes next that none of the rest is more important
//   than.
// - [capacity-moved-reservation] A reservation that may move goes to the first
//   node that suits; the original goes on from there to the next, and ends at the
//   last.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "schedulers/yarn/capacity/victims.h"

namespace tracebed {
namespace {

// The elements come in by age.
template <class Element, class IsAbove>
void order_by_importance(std::vector<Element>& elements, IsAbove&& is_above) {
  for (auto next = elements.begin(); next != elements.end(); ++next) {
    auto best = next;
    for (auto each = next; each != elements.end(); ++each) {
      const auto has_better = [&](const Element& other) { return is_above(other, *each); };
      if (std::none_of(next, elements.end(), has_better)) {
        best = each;
        break;
      }
    }
    std::rotate(next, best, best + 1);
  }
}

class PrioritySelection {
 public:
  PrioritySelection(const CapacityState& state, const ClusterModel& cluster, TraceTime now,
                    Victims& victims)
      : state_(state),
        settings_(state.configuration().preemption),
        cluster_(cluster),
        now_(now),
        victims_(victims),
        calculator_(victims.calculator()) {}

  std::vector<MovedReservation> select() {
    std::vector<Waiting> waiting = gather();
    if (waiting.empty()) return {};
    on_node_ = victims_.containers().by_node();
    std::vector<MovedReservation> moved;
    for (const Waiting& each : waiting) {
      if (now_ - each.reservation->since < settings_.reserved_wait_before_priority) continue;
      if (is_satisfied(each)) continue;
      if (const auto taken = plan(each, each.node)) {
        to_get_[each.leaf] += each.reservation->resources;
        for (LiveContainer* container : *taken) {
          victims_.choose(*container, ChosenFor::priority);
          chosen_on_[each.node] += container->container->resources;
        }
      } else if (settings_.moves_reservations) {
        const NodeId to = better_node(each);
        if (!to.is_valid()) continue;
        touched_.insert(to);
        moved.push_back({each.node, to});
      }
    }
    return moved;
  }

 private:
  struct Waiting {
    NodeId node;
    const Reservation* reservation = nullptr;
    QueueIndex leaf = 0;
  };
  using Containers = std::vector<LiveContainer*>;

  // Reservations of queues that are above some other.
  std::vector<Waiting> gather() const {
    std::vector<Waiting> waiting;
    for (std::size_t i = 0; i < state_.reservable_nodes(); ++i) {
      const Reservation* reservation = state_.reservation(NodeId(i));
      if (reservation == nullptr) continue;
      const QueueIndex leaf = state_.application(reservation->application)->leaf;
      if (is_above_any(leaf)) waiting.push_back({NodeId(i), reservation, leaf});
    }
    std::stable_sort(waiting.begin(), waiting.end(), [](const Waiting& a, const Waiting& b) {
      return a.reservation->since < b.reservation->since;
    });
    order_by_importance(
        waiting, [&](const Waiting& a, const Waiting& b) { return is_above(a.leaf, b.leaf); });
    return waiting;
  }

  bool is_above_any(QueueIndex leaf) const {
    for (QueueIndex i = 0; i < state_.tree().size(); ++i) {
      if (state_.tree()[i].leaf != nullptr && is_above(leaf, i)) return true;
    }
    return false;
  }

  // Their ancestors below the one that they share decide, if its order respects priorities.
  bool is_above(QueueIndex a, QueueIndex b) const {
    const QueueTree& tree = state_.tree();
    QueueIndex below_a = a;
    QueueIndex below_b = b;
    while (a != b) {
      // Parents stand before their children.
      QueueIndex& deeper = a > b ? a : b;
      (a > b ? below_a : below_b) = deeper;
      deeper = tree.parent(deeper);
    }
    return tree.configured(a).queue_order == CapacityQueue::QueueOrder::priority_utilization &&
           tree.configured(below_a).priority > tree.configured(below_b).priority;
  }

  bool is_satisfied(const Waiting& each) const {
    const QueueUse& use = state_.tree()[each.leaf].uses[state_.partitions().of(each.node)];
    Resources has = use.used - use.reserved;
    const auto to_get = to_get_.find(each.leaf);
    if (to_get != to_get_.end()) has += to_get->second;
    return calculator_.compare(has, use.figures.guaranteed, victims_.cluster()) >= 0;
  }

  // What would have to go for it to fit on the node, perhaps nothing; no value if it cannot.
  std::optional<Containers> plan(const Waiting& waiting, NodeId node) {
    if (touched_.contains(node)) return std::nullopt;
    const Resources& reserved = waiting.reservation->resources;
    Resources room = cluster_.node(node).free + victims_.containers().leaving_on(node);
    room += chosen_on_[node];
    Containers taken;
    if (calculator_.fits(reserved, room)) return taken;
    Resources allowed = victims_.allowed();
    for (LiveContainer* each : in_order_on(node)) {
      const Resources& amount = each->container->resources;
      if (each->is_chosen || each->is_master || !is_above(waiting.leaf, leaf_of(*each))) continue;
      if (calculator_.compare(allowed, amount, victims_.cluster()) < 0) continue;
      allowed -= amount;
      room += amount;
      taken.push_back(each);
      if (calculator_.fits(reserved, room)) return taken;
    }
    return std::nullopt;
  }

  const Containers& in_order_on(NodeId node) {
    Containers& containers = on_node_[node];
    if (!ordered_.insert(node).second) return containers;
    std::sort(containers.begin(), containers.end(),
              [](const auto* a, const auto* b) { return a->id < b->id; });
    order_by_importance(containers, [&](const auto* a, const auto* b) {
      return is_above(leaf_of(*a), leaf_of(*b));
    });
    return containers;
  }

  NodeId better_node(const Waiting& waiting) {
    const OpenAsk& ask = *state_.ask(waiting.reservation->ask);
    if (ask.is_strict) return NodeId();
    for (const Node& node : cluster_.nodes) {
      if (!node.alive || state_.reservation(node.id) != nullptr) continue;
      if (state_.partitions().of(node.id) != ask.partition) continue;
      if (cluster_.asks[ask.id].avoided == node.id) continue;
      if (plan(waiting, node.id)) return node.id;
    }
    return NodeId();
  }

  QueueIndex leaf_of(const LiveContainer& container) const {
    return state_.application(container.container->application)->leaf;
  }

  const CapacityState& state_;
  const PreemptionSettings& settings_;
  const ClusterModel& cluster_;
  const TraceTime now_;
  Victims& victims_;
  const ResourceCalculator calculator_;
  std::map<NodeId, Containers> on_node_;
  std::set<NodeId> ordered_;  // of these, in order already
  std::set<NodeId> touched_;  // something moves there
  std::map<NodeId, Resources> chosen_on_;
  std::map<QueueIndex, Resources> to_get_;  // what is chosen for it
};

}  // namespace

std::vector<MovedReservation> select_by_priority(const CapacityState& state,
                                                 const ClusterModel& cluster, TraceTime now,
                                                 Victims& victims) {
  if (state.reservations() == 0) return {};
  return PrioritySelection(state, cluster, now, victims).select();
}

}  // namespace tracebed
