#include "schedulers/yarn/capacity/queue_tree.h"

#include <algorithm>
#include <numeric>

#include "schedulers/yarn/capacity/managed_queues.h"

namespace tracebed {
namespace {

// Resource.compareTo: memory, then vcores, then the others.
std::strong_ordering compare_amounts(const Resources& a, const Resources& b) {
  if (a.memory_mib() != b.memory_mib()) return a.memory_mib() <=> b.memory_mib();
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    if (a[d] != b[d]) return a[d] <=> b[d];
  }
  return std::strong_ordering::equal;
}

}  // namespace

QueueTree::QueueTree(const CapacitySettings& settings) : settings_(settings) {
  follow_created();
}

void QueueTree::follow_created() {
  is_settled_ = false;
  queues_.reserve(configuration().queues.size());
  while (queues_.size() < configuration().queues.size()) {
    const bool is_leaf = configured(static_cast<QueueIndex>(queues_.size())).is_leaf();
    RunningQueue& queue = queues_.emplace_back();
    if (is_leaf) queue.leaf = std::make_unique<LeafState>();
  }
}

void QueueTree::charge(QueueIndex leaf, PartitionIndex partition, const Resources& amount,
                       int containers) {
  is_settled_ = false;
  visit_up(leaf, [&](QueueIndex queue) {
    RunningQueue& state = queues_[queue];
    QueueUse& use = state.uses[partition];
    state.containers = static_cast<std::uint32_t>(static_cast<int>(state.containers) + containers);
    const bool is_in_order = !is_root(queue) && use.wanted > 0;
    const auto from =
        is_in_order ? place_of(queue, partition) : std::vector<QueueIndex>::iterator();
    use.used += amount;
    set_shares(queue, partition);
    if (!is_in_order) return;
    // Only this queue's turn changed: it moves up or down among its siblings.
    std::vector<QueueIndex>& siblings = siblings_with_demand(queue, partition);
    const bool with_priority =
        configured(parent(queue)).queue_order == CapacityQueue::QueueOrder::priority_utilization;
    const auto before = [&](QueueIndex x, QueueIndex y) {
      return comes_before(x, y, partition, with_priority);
    };
    if (from != siblings.begin() && before(queue, *(from - 1))) {
      std::rotate(std::lower_bound(siblings.begin(), from, queue, before), from, from + 1);
    } else {
      std::rotate(from, from + 1, std::lower_bound(from + 1, siblings.end(), queue, before));
    }
  });
}

void QueueTree::reserve(QueueIndex leaf, PartitionIndex partition, const Resources& amount) {
  is_settled_ = false;
  visit_up(leaf, [&](QueueIndex queue) { queues_[queue].uses[partition].reserved += amount; });
}

void QueueTree::want(QueueIndex leaf, PartitionIndex partition, std::int64_t units) {
  is_settled_ = false;
  visit_up(leaf, [&](QueueIndex queue) {
    QueueUse& use = queues_[queue].uses[partition];
    const std::uint64_t before = use.wanted;
    const std::uint64_t after = before + static_cast<std::uint64_t>(units);
    const bool is_change = (before > 0) != (after > 0) && !is_root(queue);
    if (is_change && after == 0) {
      siblings_with_demand(queue, partition).erase(place_of(queue, partition));
    } else if (is_change) {
      siblings_with_demand(queue, partition).insert(place_of(queue, partition), queue);
    }
    use.wanted = after;
  });
}

std::vector<QueueIndex>& QueueTree::siblings_with_demand(QueueIndex queue,
                                                         PartitionIndex partition) {
  return queues_[parent(queue)].uses[partition].with_demand;
}

// Where the queue stands, or would stand, among its with_demand siblings.
std::vector<QueueIndex>::iterator QueueTree::place_of(QueueIndex queue, PartitionIndex partition) {
  std::vector<QueueIndex>& siblings = siblings_with_demand(queue, partition);
  const bool with_priority =
      configured(parent(queue)).queue_order == CapacityQueue::QueueOrder::priority_utilization;
  return std::lower_bound(siblings.begin(), siblings.end(), queue, [&](QueueIndex a, QueueIndex b) {
    return comes_before(a, b, partition, with_priority);
  });
}

// Queues that may use the partition, then those with a guarantee, then those below it (or with
// equal priorities, all) by the used part; ties by the larger configured amount if both have one,
// or the larger guarantee, then by their order in the configuration. (The original's comparison
// says the same in other words, which show this order.)
bool QueueTree::comes_before(QueueIndex a, QueueIndex b, PartitionIndex partition,
                             bool with_priority) const {
  const QueueUse& x = queues_[a].uses[partition];
  const QueueUse& y = queues_[b].uses[partition];
  if (x.is_accessible != y.is_accessible) return x.is_accessible;
  const bool has_x = x.figures.absolute_capacity > 0;
  const bool has_y = y.figures.absolute_capacity > 0;
  if (has_x != has_y) return has_x;
  const float used_x = has_x ? x.used_share : x.absolute_used;
  const float used_y = has_y ? y.used_share : y.absolute_used;
  if (with_priority) {
    if ((used_x < 1) != (used_y < 1)) return used_x < 1;
    const std::int32_t priority_x = configured(a).priority;
    const std::int32_t priority_y = configured(b).priority;
    if (priority_x != priority_y) return priority_x > priority_y;
  }
  if (used_x != used_y) return used_x < used_y;
  if (!x.configured.is_zero() && !y.configured.is_zero()) {
    const std::strong_ordering amounts = compare_amounts(y.configured, x.configured);
    if (amounts != 0) return amounts < 0;
  }
  if (x.figures.absolute_capacity != y.figures.absolute_capacity) {
    return x.figures.absolute_capacity > y.figures.absolute_capacity;
  }
  return a < b;
}

void QueueTree::set_shares(QueueIndex queue, PartitionIndex partition) {
  QueueUse& use = queues_[queue].uses[partition];
  const Resources& all = partition_resources_[partition];
  const ResourceCalculator& calculator = configuration().calculator;
  if (calculator.compare(all, Resources(), all) <= 0) {
    use.used_share = use.absolute_used = 0;
    return;
  }
  use.used_share = calculator.divide(use.used, use.guaranteed, all);
  use.absolute_used = calculator.divide(use.used, all, all);
}

bool QueueTree::is_accessible(QueueIndex queue, const std::string& label) const {
  if (label.empty()) return true;
  const std::vector<std::string>& labels = configured(queue).accessible_labels;
  return std::any_of(labels.begin(), labels.end(),
                     [&](const std::string& each) { return each == "*" || each == label; });
}

void QueueTree::set_figures(QueueIndex index, PartitionIndex partition, const QueueFigures& figures,
                            const std::string& label) {
  const ResourceCalculator& calculator = configuration().calculator;
  const Resources& all = partition_resources_[partition];
  const Resources& step = settings_.minimum_allocation;
  const CapacityQueue& queue = configured(index);
  QueueUse& use = queues_[index].uses[partition];
  use.figures = figures;
  use.is_accessible = is_accessible(index, label);
  const auto own = queue.partitions.find(label);
  use.configured = own == queue.partitions.end() ? Resources() : own->second.capacity.amount;
  use.maximum = calculator.round_down(figures.maximum, step);
  use.guaranteed =
      calculator.compare(figures.guaranteed, step, all) >= 0 ? figures.guaranteed : step;
  set_shares(index, partition);
  if (!queue.is_leaf()) return;
  use.basis = {.calculator = calculator,
               .partition = all,
               .guaranteed = figures.guaranteed,
               .maximum = use.maximum,
               .minimum_allocation = step,
               .user_limit_percent = queue.user_limit_percent,
               .user_limit_factor = queue.user_limit_factor,
               .application_master_share = own == queue.partitions.end()
                                               ? queue.partitions.at("").application_master_share
                                               : own->second.application_master_share};
}

std::optional<float> QueueTree::largest_capacity(QueueIndex leaf,
                                                 const Partitions& partitions) const {
  float largest = 0;
  const QueueIndex above = parent(leaf);
  for (PartitionIndex p = 0; configured(above).manages_queues && p < partitions.size(); ++p) {
    largest =
        std::max(largest, managed_share(configuration(), configured(above), partitions.label(p),
                                        queues_[above].uses[p].figures.absolute_capacity,
                                        partitions.resources(p)));
  }
  for (const QueueUse& use : queues_[leaf].uses) {
    largest = std::max(largest, use.figures.absolute_capacity);
  }
  return largest;
}

void QueueTree::recompute(Partitions& partitions) {
  is_settled_ = false;
  for (const CapacityQueue& queue : configuration().queues) {
    for (const auto& [label, capacity] : queue.partitions) partitions.index_of(label);
    partitions.index_of(queue.default_label);
  }
  partition_resources_.resize(partitions.size());
  for (RunningQueue& queue : queues_) queue.uses.resize(partitions.size());
  for (PartitionIndex p = 0; p < partitions.size(); ++p) {
    partition_resources_[p] = partitions.resources(p);
    const std::vector<QueueFigures> figures =
        figures_in(configuration(), partitions.label(p), partition_resources_[p]);
    for (QueueIndex i = 0; i < queues_.size(); ++i) {
      set_figures(i, p, figures[i], partitions.label(p));
    }
    for (QueueIndex i = 0; i < queues_.size(); ++i) {
      std::vector<QueueIndex>& with_demand = queues_[i].uses[p].with_demand;
      with_demand = order_of(i, p);
      std::erase_if(with_demand,
                    [&](QueueIndex child) { return queues_[child].uses[p].wanted == 0; });
    }
  }
  const ResourceCalculator& calculator = configuration().calculator;
  const bool has_resources = !partitions.all_resources().is_zero();
  for (QueueIndex i = 0; i < queues_.size(); ++i) {
    if (queues_[i].leaf == nullptr) continue;
    LeafState& leaf = *queues_[i].leaf;
    const CapacityQueue& queue = configured(i);
    const QueueUse& use = queues_[i].uses[default_partition];
    leaf.users.recompute(calculator, partitions);
    leaf.current_limit = use.maximum;
    leaf.maximum_applications = maximum_applications(
        configuration(), queue, has_resources ? largest_capacity(i, partitions) : std::nullopt);
    leaf.maximum_applications_of_user =
        settings_.semantics.uncaps_applications_of_user && queue.user_limit_factor != -1
            ? uncapped_maximum_applications_of_user(queue, leaf.maximum_applications)
            : maximum_applications_of_user(queue, leaf.maximum_applications);
  }
}

void QueueTree::carry_over(QueueTree& other, QueueIndex from, QueueIndex to) {
  RunningQueue& source = other.queues_[from];
  queues_[to].leaf = std::move(source.leaf);
  visit_up(to, [&](QueueIndex queue) {
    RunningQueue& target = queues_[queue];
    target.uses.resize(std::max(target.uses.size(), source.uses.size()));
    target.containers += source.containers;
    target.applications += source.applications;
    target.running += source.running;
    for (std::size_t p = 0; p < source.uses.size(); ++p) {
      target.uses[p].used += source.uses[p].used;
      target.uses[p].reserved += source.uses[p].reserved;
      if (queue == to) target.uses[p].masters = source.uses[p].masters;
    }
  });
}

std::vector<QueueIndex> QueueTree::order_of(QueueIndex parent, PartitionIndex partition) const {
  std::vector<QueueIndex> order;
  for (const std::size_t child : configured(parent).children) {
    order.push_back(static_cast<QueueIndex>(child));
  }
  const bool with_priority =
      configured(parent).queue_order == CapacityQueue::QueueOrder::priority_utilization;
  std::sort(order.begin(), order.end(), [&](QueueIndex a, QueueIndex b) {
    return comes_before(a, b, partition, with_priority);
  });
  return order;
}

}  // namespace tracebed
