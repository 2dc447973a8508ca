#include "schedulers/yarn/capacity/victims.h"

#include <algorithm>

namespace tracebed {

// ---- wants ----

void Wants::add(PartitionIndex partition, const Resources& amount) {
  if (calculator_.compare(amount, Resources(), cluster_) <= 0) return;
  if (wants_.size() <= partition) wants_.resize(partition + 1);
  wants_[partition] = {amount, true};
  ++open_;
}

template <class Test>
bool Wants::all_of_dimensions(const Resources& amount, Test&& test) const {
  if (calculator_.kind() == ResourceCalculator::Kind::memory) return test(amount.memory_mib());
  for (std::size_t d = 0; d < cluster_.dimensions_used(); ++d) {
    if (cluster_[d] > 0 && !test(amount[d])) return false;
  }
  return true;
}

bool Wants::is_served_by(PartitionIndex partition, const Resources& amount,
                         bool is_conservative) const {
  if (!has(partition)) return false;
  const Resources& wanted = wants_[partition].amount;
  if (is_conservative) {
    return all_of_dimensions(wanted, [](std::int64_t left) { return left > 0; });
  }
  return calculator_.compare(positive_part(wanted - amount), positive_part(wanted), cluster_) < 0;
}

void Wants::deduct(PartitionIndex partition, const Resources& amount) {
  Want& want = wants_[partition];
  want.amount -= amount;
  if (!want.is_open || calculator_.compare(want.amount, Resources(), cluster_) > 0) return;
  want.is_open = false;
  --open_;
}

// ---- victims ----

Victims::Victims(const CapacityState& state, LiveContainers& containers)
    : state_(state),
      containers_(containers),
      calculator_(state.configuration().calculator),
      cluster_(state.partitions().all_resources()),
      allowed_(multiply_and_cut(cluster_, state.configuration().preemption.part_per_round)),
      chosen_(state.tree().size()) {}

bool Victims::may_take(PartitionIndex partition, const Resources& amount, const Wants& wants,
                       bool is_conservative) const {
  return wants.is_served_by(partition, amount, is_conservative) &&
         calculator_.fits(amount, allowed_);
}

bool Victims::take(LiveContainer& container, Wants& wants, ChosenFor chosen_for,
                   bool is_conservative) {
  const Resources& amount = container.container->resources;
  if (!may_take(container.partition, amount, wants, is_conservative)) return false;
  wants.deduct(container.partition, amount);
  choose(container, chosen_for);
  return true;
}

void Victims::choose(LiveContainer& container, ChosenFor chosen_for) {
  const Container& model = *container.container;
  container.is_chosen = true;
  allowed_ -= model.resources;
  LiveContainers::OfApplication& owner = containers_.of(model.application);
  add_to(owner.chosen, container.partition, model.resources);
  add_to(chosen_[owner.application->leaf], container.partition, model.resources);
  choice_.containers.push_back({container.id, model.application, chosen_for});
}

void Victims::unreserve(NodeId node, const RunningApplication& application, Wants& wants,
                        bool is_conservative) {
  const PartitionIndex partition = state_.partitions().of(node);
  const Resources& amount = state_.reservation(node)->resources;
  if (may_take(partition, amount, wants, is_conservative)) {
    wants.deduct(partition, amount);
    allowed_ -= amount;
    add_to(chosen_[application.leaf], partition, amount);
  }
  choice_.unreserved.push_back(node);
}

bool Victims::is_unreserved(NodeId node) const {
  return std::find(choice_.unreserved.begin(), choice_.unreserved.end(), node) !=
         choice_.unreserved.end();
}

}  // namespace tracebed
