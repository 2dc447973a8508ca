#include "schedulers/yarn/capacity/preemption/queue_balance.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <span>
#include <tuple>

namespace tracebed {
namespace {

using Shares = std::array<float, Resources::dimensions_max>;

// One level: the children of one parent.
class Level {
 public:
  Level(std::vector<QueueBalance>& queues, const BalanceRules& rules, const Resources& total,
        std::vector<std::size_t>& under_served)
      : queues_(queues),
        rules_(rules),
        calculator_(rules.calculator),
        total_(total),
        unassigned_(total),
        under_served_(under_served) {}

  void divide(const std::vector<std::size_t>& children);

 private:
  // Where a wanting queue stands: the most under-served first, ties by position.
  struct Need {
    bool is_served = false;  // has its guarantee
    std::int32_t less_important = 0;
    float part = 0;  // ideal / guaranteed
    std::size_t queue = 0;
    auto rank() const { return std::tuple(is_served, less_important, part); }
    bool operator<(const Need& other) const {
      return std::tuple(rank(), queue) < std::tuple(other.rank(), other.queue);
    }
  };
  using Needs = std::set<Need>;

  void assign(std::span<const std::size_t> queues, bool is_even);
  void begin(QueueBalance& queue);
  Need need_of(std::size_t queue) const;
  // Takes out those that are served next, all equally under-served.
  std::vector<std::size_t> most_under_served(Needs& needs);
  void note(std::size_t queue);
  void set_shares(const Needs& needs, bool is_even);
  Resources part_of(const Resources& amount, const Shares& shares) const;
  // What the queue takes of the offer.
  Resources accept(QueueBalance& queue, const Resources& offer) const;
  bool is_more(const Resources& a, const Resources& b) const {
    return calculator_.compare(a, b, total_) > 0;
  }
  const Resources& smaller(const Resources& a, const Resources& b) const {
    return is_more(a, b) ? b : a;
  }
  const Resources& larger(const Resources& a, const Resources& b) const {
    return is_more(b, a) ? b : a;
  }
  void set_to_preempt(const std::vector<std::size_t>& children);

  std::vector<QueueBalance>& queues_;
  const BalanceRules& rules_;
  const ResourceCalculator calculator_;
  const Resources total_;
  Resources unassigned_;
  std::vector<std::size_t>& under_served_;
  std::vector<Shares> shares_;  // by queue
};

void Level::divide(const std::vector<std::size_t>& children) {
  std::vector<std::size_t> order = children;
  const auto first_without = std::stable_partition(
      order.begin(), order.end(),
      [&](std::size_t child) { return is_more(queues_[child].guaranteed, Resources()); });
  const auto with = static_cast<std::size_t>(first_without - order.begin());
  assign(std::span(order).first(with), false);
  if (with < order.size() && is_more(unassigned_, Resources())) {
    assign(std::span(order).subspan(with), true);
  }
  set_to_preempt(children);
}

void Level::begin(QueueBalance& queue) {
  queue.ideal = queue.used;
  if (is_more(queue.used, queue.guaranteed)) {
    queue.ideal = component_minimum(queue.guaranteed, queue.used) + queue.untouchable;
  }
  unassigned_ -= queue.ideal;
}

Level::Need Level::need_of(std::size_t index) const {
  const QueueBalance& queue = queues_[index];
  float part = static_cast<float>(std::numeric_limits<std::int32_t>::max());
  if (is_more(queue.guaranteed, Resources())) {
    part = calculator_.divide(queue.ideal, queue.guaranteed, total_);
  }
  return {part >= 1, -queue.priority, part, index};
}

void Level::assign(std::span<const std::size_t> queues, bool is_even) {
  Needs needs;
  for (const std::size_t index : queues) {
    QueueBalance& queue = queues_[index];
    begin(queue);
    if (is_more(queue.used + queue.pending, queue.ideal)) needs.insert(need_of(index));
  }
  shares_.resize(queues_.size());
  std::size_t shared_among = 0;
  while (!needs.empty() && is_more(unassigned_, Resources())) {
    // Shares change only when a queue is done.
    if (needs.size() != shared_among) set_shares(needs, is_even);
    shared_among = needs.size();
    unassigned_ = positive_part(unassigned_);
    const Resources at_begin = unassigned_;
    for (const std::size_t index : most_under_served(needs)) {
      if (unassigned_.is_zero()) break;
      const Resources offer = component_minimum(part_of(at_begin, shares_[index]), unassigned_);
      const Resources accepted = accept(queues_[index], offer);
      if (is_more(accepted, Resources())) needs.insert(need_of(index));
      unassigned_ = positive_part(unassigned_ - accepted);
    }
  }
  for (const Need& need : needs) note(need.queue);
}

std::vector<std::size_t> Level::most_under_served(Needs& needs) {
  std::vector<std::size_t> served;
  const auto rank = needs.begin()->rank();
  while (!needs.empty() && needs.begin()->rank() == rank) {
    served.push_back(needs.begin()->queue);
    note(served.back());
    needs.erase(needs.begin());
  }
  if (!needs.empty()) note(needs.begin()->queue);
  return served;
}

void Level::note(std::size_t queue) {
  if (std::find(under_served_.begin(), under_served_.end(), queue) == under_served_.end()) {
    under_served_.push_back(queue);
  }
}

void Level::set_shares(const Needs& needs, bool is_even) {
  Resources sum;
  float sum_of_capacities = 0;
  for (const Need& need : needs) {
    sum += queues_[need.queue].guaranteed;
    sum_of_capacities += queues_[need.queue].absolute_capacity;
  }
  const float even = 1.0F / static_cast<float>(needs.size());
  for (std::size_t d = 0; d < total_.dimensions_used(); ++d) {
    const bool is_rounded_away = std::any_of(needs.begin(), needs.end(), [&](const Need& need) {
      const QueueBalance& queue = queues_[need.queue];
      return queue.guaranteed[d] == 0 && queue.absolute_capacity != 0;
    });
    for (const Need& need : needs) {
      const QueueBalance& queue = queues_[need.queue];
      float& share = shares_[need.queue][d];
      if (is_even || sum[d] == 0 || sum_of_capacities == 0) {
        share = even;
      } else if (is_rounded_away) {
        share = queue.absolute_capacity / sum_of_capacities;
      } else {
        share = static_cast<float>(queue.guaranteed[d]) / static_cast<float>(sum[d]);
      }
    }
  }
}

Resources Level::part_of(const Resources& amount, const Shares& shares) const {
  Resources part;
  for (std::size_t d = 0; d < amount.dimensions_used(); ++d) {
    Resources alone;
    alone[d] = amount[d];
    Resources unit;
    unit[d] = yarn_unit(d);
    part[d] = calculator_.multiply_and_normalize_up(alone, shares[d], unit)[d];
  }
  return part;
}

Resources Level::accept(QueueBalance& queue, const Resources& offer) const {
  const Resources& pending = rules_.counts_reserved ? queue.pending : queue.pending_less_reserved;
  const Resources to_maximum = positive_part(queue.maximum - queue.ideal);
  const Resources to_demand = queue.used + pending - queue.ideal;
  Resources accepted = component_minimum(to_maximum, smaller(offer, to_demand));
  if (queue.is_leaf() && !rules_.goes_beyond_guarantee) {
    const Resources rest = larger(queue.used, queue.guaranteed) - queue.ideal;
    accepted = smaller(accepted, larger(rest, Resources()));
  }
  accepted = component_minimum(positive_part(accepted), offer);
  queue.ideal += accepted;
  return accepted;
}

void Level::set_to_preempt(const std::vector<std::size_t>& children) {
  Resources needed;
  for (const std::size_t child : children) {
    const QueueBalance& queue = queues_[child];
    if (is_more(queue.used, queue.ideal)) needed += queue.used - queue.ideal;
  }
  float scale = 1;
  if (is_more(needed, rules_.allowed)) scale = calculator_.divide(rules_.allowed, needed, total_);
  for (const std::size_t child : children) {
    QueueBalance& queue = queues_[child];
    const Resources staying = queue.used - queue.leaving;
    const Resources kept =
        larger(queue.ideal, smaller(queue.used + queue.pending, queue.guaranteed));
    queue.to_preempt =
        is_more(staying, kept) ? multiply_and_cut(staying - kept, scale) : Resources();
  }
}

// From the leaves up.
void set_extras(std::vector<QueueBalance>& queues, const BalanceRules& rules,
                const Resources& partition) {
  const ResourceCalculator& calculator = rules.calculator;
  for (std::size_t i = queues.size(); i-- > 0;) {
    QueueBalance& queue = queues[i];
    Resources extra = queue.used - queue.guaranteed;
    if (calculator.compare(extra, Resources(), partition) < 0) extra = Resources();
    queue.untouchable = queue.preemptable = Resources();
    if (queue.is_leaf()) {
      (queue.is_disabled ? queue.untouchable : queue.preemptable) = extra;
      continue;
    }
    Resources of_children;
    for (const std::size_t child : queue.children) of_children += queues[child].preemptable;
    if (calculator.compare(of_children, extra, partition) >= 0) {
      queue.preemptable = extra;
    } else {
      queue.preemptable = of_children;
      queue.untouchable = extra - of_children;
    }
  }
}

void set_to_obtain(QueueBalance& leaf, const BalanceRules& rules) {
  const ResourceCalculator& calculator = rules.calculator;
  leaf.to_obtain = Resources();
  const Resources ignored = multiply_and_cut(leaf.guaranteed, 1.0 + rules.ignored_over_capacity);
  if (leaf.is_disabled || calculator.compare(leaf.used, ignored, rules.cluster) <= 0) return;
  leaf.to_obtain = leaf.to_preempt;
  const bool is_wanted = calculator.compare(leaf.to_preempt, Resources(), rules.cluster) > 0;
  if (rules.counts_reserved || !is_wanted) return;
  Resources unit;
  for (std::size_t d = 0; d < leaf.to_preempt.dimensions_used(); ++d) unit[d] = yarn_unit(d);
  leaf.to_obtain = calculator.multiply_and_normalize_up(positive_part(leaf.to_preempt),
                                                        rules.natural_termination, unit);
}

}  // namespace

std::vector<std::size_t> balance_queues(std::vector<QueueBalance>& queues,
                                        const BalanceRules& rules) {
  std::vector<std::size_t> under_served;
  QueueBalance& root = queues.front();
  set_extras(queues, rules, root.guaranteed);
  root.ideal = root.guaranteed;
  for (QueueBalance& queue : queues) {
    if (!queue.is_leaf()) {
      Level(queues, rules, queue.ideal, under_served).divide(queue.children);
    }
  }
  for (QueueBalance& queue : queues) {
    if (queue.is_leaf()) set_to_obtain(queue, rules);
  }
  return under_served;
}

}  // namespace tracebed
