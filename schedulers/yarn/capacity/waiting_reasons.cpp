// Why an active application's asks wait: the tests of node_offer.cpp, in words.
#include <algorithm>

#include "schedulers/parts/component_maximum.h"
#include "schedulers/yarn/capacity/binding_amounts.h"
#include "schedulers/yarn/capacity/capacity_view.h"

namespace tracebed {
namespace {

class CapacityReasons {
 public:
  CapacityReasons(const CapacityState& state, const ClusterModel& cluster,
                  const RunningApplication& application, const OpenAsk& ask)
      : state_(state),
        cluster_(cluster),
        application_(application),
        ask_(ask),
        model_(cluster.asks[ask.id]),
        amount_(ask.is_gang ? ask.demand * ask.wanted : ask.demand) {}

  std::vector<WaitingReason> find() {
    if (ask_.wanted == 0) return {};
    if (ask_.is_above_maximum) {
      const Resources most = state_.maximum_allocation_of(application_);
      const auto binding = BindingAmounts::by_maximum(state_.settings(), ask_.demand, most);
      add(WaitingFor::larger_machines, "it asks for containers of " + binding.text(ask_.demand) +
                                           ", and the maximum allocation is " + binding.text(most));
      return std::move(reasons_);
    }
    look_at_label();
    if (!reasons_.empty()) return std::move(reasons_);
    look_at_queues();
    look_at_user();
    look_at_reservations();
    look_at_nodes();
    look_at_locality();
    if (reasons_.empty()) {
      add(WaitingFor::its_turn, "nothing keeps it but the turns of others, or the next heartbeat");
    }
    return std::move(reasons_);
  }

 private:
  void add(WaitingFor reason, std::string text) { reasons_.push_back({reason, std::move(text)}); }
  void look_at_label();
  void look_at_queues();
  void look_at_user();
  void look_at_reservations();
  void look_at_nodes();
  void look_at_locality();

  const CapacityState& state_;
  const ClusterModel& cluster_;
  const RunningApplication& application_;
  const OpenAsk& ask_;
  const Ask& model_;
  Resources amount_;  // what is placed at once
  std::vector<WaitingReason> reasons_;
};

void CapacityReasons::look_at_label() {
  const Partitions& partitions = state_.partitions();
  const QueueUse& use = state_.tree()[application_.leaf].uses[ask_.partition];
  const std::string& label = partitions.label(ask_.partition);
  if (!use.is_accessible) {
    add(WaitingFor::label, "queue " + state_.tree().configured(application_.leaf).path +
                               " may not use nodes with label " + label);
  } else if (partitions.nodes(ask_.partition) == 0) {
    add(label.empty() ? WaitingFor::room : WaitingFor::label,
        label.empty() ? "the cluster has no nodes without a label" : "no node has label " + label);
  }
}

void CapacityReasons::look_at_queues() {
  if (!ask_.reserved_on.empty()) return;  // what is kept for it counts as used already
  const QueueTree& tree = state_.tree();
  for (QueueIndex queue = application_.leaf;; queue = tree.parent(queue)) {
    const QueueUse& use = tree[queue].uses[ask_.partition];
    const Resources& maximum = tree.is_root(queue) ? use.figures.maximum : use.maximum;
    if (!state_.configuration().calculator.fits(use.used + amount_, maximum)) {
      const auto binding =
          BindingAmounts::by_calculator(state_.settings(), use.used + amount_, maximum);
      add(WaitingFor::queue_room, "queue " + tree.configured(queue).path + " uses " +
                                      binding.text(use.used) + " of at most " +
                                      binding.text(maximum) + ", and the next container takes " +
                                      binding.text(amount_));
    }
    if (tree.is_root(queue)) return;
  }
}

void CapacityReasons::look_at_user() {
  const Resources& limit = state_.limit_of_user(application_, ask_.partition);
  const Resources& used = application_.leaf_user->uses[ask_.partition].used;
  const Resources& all = state_.partitions().resources(ask_.partition);
  if (state_.configuration().calculator.compare(used, limit, all) <= 0) return;
  const auto binding = BindingAmounts::by_calculator(state_.settings(), used, limit);
  add(WaitingFor::user_limit, "user " + state_.user_name(application_.user) + " uses " +
                                  binding.text(used) + " of queue " +
                                  state_.tree().configured(application_.leaf).path +
                                  ", above the limit of " + binding.text(limit));
}

void CapacityReasons::look_at_reservations() {
  if (ask_.reserved_on.empty()) return;
  const std::size_t count = ask_.reserved_on.size();
  add(WaitingFor::reservation, std::to_string(count) + (count == 1 ? " node is" : " nodes are") +
                                   " kept for it until there is room, first node " +
                                   std::to_string(ask_.reserved_on.front().value()));
}

void CapacityReasons::look_at_nodes() {
  bool could_hold = false;
  bool has_room = false;
  bool has_reserved_room = false;
  Resources largest;    // of any node, by dimension
  Resources most_free;  // likewise
  for (const Node& node : cluster_.nodes) {
    if (!node.alive || state_.partitions().of(node.id) != ask_.partition) continue;
    if (node.id == model_.avoided) continue;
    largest = component_maximum(largest, node.capacity);
    most_free = component_maximum(most_free, node.free);
    could_hold |= cluster_.could_hold(node, ask_.demand);
    if (!cluster_.has_room(node, ask_.demand)) continue;
    (state_.reservation(node.id) == nullptr ? has_room : has_reserved_room) = true;
  }
  if (!could_hold) {
    add(WaitingFor::larger_machines,
        "no node is as large as a container of " +
            BindingAmounts::by_room(state_.settings(), cluster_.limits, ask_.demand, largest)
                .text(ask_.demand));
  } else if (!has_room && has_reserved_room) {
    add(WaitingFor::reservation, "the nodes with room for it are kept for others");
  } else if (!has_room) {
    const auto binding =
        BindingAmounts::by_room(state_.settings(), cluster_.limits, ask_.demand, most_free);
    add(WaitingFor::room, "no node has " + binding.text(ask_.demand) + " free");
  }
}

void CapacityReasons::look_at_locality() {
  if (model_.nodes.empty() && model_.racks.empty()) return;
  const std::string offers = "it has let " + std::to_string(ask_.missed) + " offers pass";
  if (!model_.relax_locality) {
    add(WaitingFor::locality, offers + " and takes none but the places that it names");
    return;
  }
  const std::int64_t delay = std::min<std::int64_t>(state_.partitions().all_nodes(),
                                                    state_.configuration().node_locality_delay);
  if (ask_.missed <= delay) {
    add(WaitingFor::locality, offers + " and takes its racks after more than " +
                                  std::to_string(delay) + ", other nodes later");
  }
}

}  // namespace

std::vector<WaitingReason> waiting_reasons(const CapacityState& state, const ClusterModel& cluster,
                                           const RunningApplication& application, AskId id) {
  std::vector<WaitingReason> reasons;
  for (const AskId each : application.all_asks) {
    if (id.is_valid() && id != each) continue;
    if (!cluster.asks.contains(each)) continue;
    const auto found = CapacityReasons(state, cluster, application, *state.ask(each)).find();
    reasons.insert(reasons.end(), found.begin(), found.end());
  }
  return reasons;
}

}  // namespace tracebed
