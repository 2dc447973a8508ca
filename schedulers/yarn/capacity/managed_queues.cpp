#include "schedulers/yarn/capacity/managed_queues.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace tracebed {
namespace {

constexpr float room_tolerance = 0.0001F;  // CSQueueUtils.EPSILON

const CapacityQueue& template_below(const CapacityState& state, QueueIndex parent) {
  const CapacityConfiguration& configuration = state.configuration();
  return configuration.managed_templates.find(configuration.queues[parent].path)->second;
}

// Shares of the cluster in one partition.
struct ManagedShares {
  float parent = 0;
  float leaf = 0;   // that a leaf has if it has its capacity
  float given = 0;  // to leaves
  float room() const { return parent - given + room_tolerance; }
};

ManagedShares shares_below(const CapacityState& state, QueueIndex parent,
                           const std::string& label) {
  ManagedShares shares;
  const Partitions& partitions = state.partitions();
  for (PartitionIndex p = 0; p < partitions.size(); ++p) {
    if (partitions.label(p) != label) continue;
    shares.parent = state.tree()[parent].uses[p].figures.absolute_capacity;
    shares.leaf = managed_share(state.configuration(), state.configuration().queues[parent], label,
                                shares.parent, partitions.resources(p));
  }
  for (const std::size_t child : state.configuration().queues[parent].children) {
    const CapacityQueue& leaf = state.configuration().queues[child];
    if (leaf.partitions.at(label).capacity.is_something()) shares.given += shares.leaf;
  }
  return shares;
}

}  // namespace

float managed_share(const CapacityConfiguration& configuration, const CapacityQueue& parent,
                    const std::string& label, float of_parent, const Resources& partition) {
  const auto& of_template = configuration.managed_templates.find(parent.path)->second.partitions;
  const auto leaf = of_template.find(label);
  if (leaf == of_template.end()) return 0;
  const ConfiguredCapacity& capacity = leaf->second.capacity;
  if (capacity.form != ConfiguredCapacity::Form::absolute) return of_parent * capacity.value / 100;
  const auto own = parent.partitions.find(label);
  if (own == parent.partitions.end() || own->second.capacity.amount.is_zero()) return 0;
  return of_parent *
         configuration.calculator.divide(capacity.amount, own->second.capacity.amount, partition);
}

// ManagedParentQueue.addChildQueue
Status check_room_for_managed(const CapacityState& state, QueueIndex parent) {
  const CapacityQueue& queue = state.configuration().queues[parent];
  if (!queue.fails_above_capacity) return success();
  const ManagedShares shares = shares_below(state, parent, "");
  if (shares.leaf + shares.given <= shares.parent) return success();
  return Error{"the capacities of the queues below " + queue.path +
               " have reached its own (fail-on-exceeding-parent-capacity)"};
}

// GuaranteedOrZeroCapacityOverTimePolicy.getInitialLeafQueueConfiguration
void give_first_capacities(const CapacityState& state, CapacityQueue& leaf) {
  const auto parent = static_cast<QueueIndex>(leaf.parent);
  for (const auto& [label, figures] : template_below(state, parent).partitions) {
    const ManagedShares shares = shares_below(state, parent, label);
    if (shares.room() >= shares.leaf) leaf.partitions[label].capacity = figures.capacity;
  }
}

std::vector<QueueIndex> ManagedQueues::leaves_by_application(QueueIndex parent) const {
  std::vector<std::tuple<TraceTime, std::size_t, ApplicationId>> applications;
  const std::vector<std::size_t>& children = state_.configuration().queues[parent].children;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const LeafState& leaf = state_.leaf(static_cast<QueueIndex>(children[i]));
    const auto add = [&](ApplicationId id) {
      applications.emplace_back(state_.application(id)->submitted, i, id);
    };
    for (const ApplicationId id : leaf.active) add(id);
    for (const ApplicationRank& rank : leaf.waiting) add(rank.id);
    for (const ApplicationId id : leaf.held) add(id);
  }
  std::sort(applications.begin(), applications.end());
  std::vector<QueueIndex> leaves;
  for (const auto& [submitted, child, id] : applications) {
    leaves.push_back(static_cast<QueueIndex>(children[child]));
  }
  return leaves;
}

// GuaranteedOrZeroCapacityOverTimePolicy.computeQueueManagementChanges
void ManagedQueues::add_changes(QueueIndex parent, const std::string& label,
                                std::vector<Change>& changes) const {
  const auto has_capacity = [&](QueueIndex leaf) {
    return state_.configuration().queues[leaf].partitions.at(label).capacity.is_something();
  };
  const ManagedShares shares = shares_below(state_, parent, label);
  float room = shares.room();
  for (const std::size_t child : state_.configuration().queues[parent].children) {
    const auto leaf = static_cast<QueueIndex>(child);
    if (!has_capacity(leaf) || state_.tree()[leaf].applications > 0) continue;
    changes.push_back({leaf, label, false});
    room += shares.leaf;
  }
  if (room < shares.leaf || shares.leaf <= 0) return;
  const std::vector<QueueIndex> leaves = leaves_by_application(parent);
  auto most = static_cast<std::size_t>(
      std::min(std::floor(room / shares.leaf), static_cast<float>(leaves.size())));
  std::set<QueueIndex> given;
  for (const QueueIndex leaf : leaves) {
    if (given.size() == most) return;
    if (has_capacity(leaf) || !given.insert(leaf).second) continue;
    changes.push_back({leaf, label, true});
  }
}

std::vector<ManagedQueues::Change> ManagedQueues::changes_below(QueueIndex parent) const {
  std::vector<Change> changes;
  for (const auto& [label, figures] : template_below(state_, parent).partitions) {
    add_changes(parent, label, changes);
  }
  return changes;
}

bool ManagedQueues::would_change() const {
  const std::vector<CapacityQueue>& queues = state_.configuration().queues;
  for (QueueIndex i = 0; i < queues.size(); ++i) {
    if (!queues[i].manages_queues || queues[i].fails_above_capacity) continue;
    if (!changes_below(i).empty()) return true;
  }
  return false;
}

bool ManagedQueues::apply(bool includes_failing) {
  bool is_changed = false;
  for (QueueIndex i = 0; i < state_.tree().size(); ++i) {
    const CapacityQueue& queue = state_.tree().configured(i);
    if (!queue.manages_queues || (queue.fails_above_capacity && !includes_failing)) continue;
    for (const Change& change : changes_below(i)) {
      ConfiguredCapacity capacity = template_below(state_, i).partitions.at(change.label).capacity;
      if (!change.is_given) capacity = capacity.nothing();
      state_.set_capacity(change.leaf, change.label, capacity);
      is_changed = true;
    }
  }
  return is_changed;
}

bool ManagedQueues::look(TraceTime now) {
  if (next_ > now || !interval_) return false;
  next_ = never;
  return apply(false);
}

bool ManagedQueues::give_all() {
  return apply(true);
}

TraceTime ManagedQueues::next_look(TraceTime now) {
  const std::optional<Duration> configured = state_.configuration().managed_queues_interval;
  if (!configured || !interval_) interval_ = configured;
  if (!interval_) return next_ = never;
  if (version_ != state_.version_of_created()) {
    version_ = state_.version_of_created();
    would_change_ = would_change();
  }
  if (!would_change_) return next_ = never;
  if (next_ == never || next_ <= now) {
    next_ = TraceTime((now.time_since_epoch() / *interval_ + 1) * *interval_);
  }
  return next_;
}

}  // namespace tracebed
