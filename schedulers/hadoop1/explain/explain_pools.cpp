#include <algorithm>

#include "core/quantity_text.h"
#include "schedulers/hadoop1/explain/explain_slots.h"
#include "schedulers/hadoop1/fair/deficit_shares.h"
#include "schedulers/hadoop1/fair/ratio_shares.h"
#include "schedulers/hadoop1/kind_figures.h"

namespace tracebed {
namespace {

struct Pool {
  std::string name;
  PoolRules rules;
  PerKind<double> share;
};

// Pools that all want every slot they may have.
void divide_by_ratios(std::vector<Pool>& pools, SlotKind kind, std::int64_t slots) {
  std::vector<RatioFigures> figures(pools.size());
  std::vector<RatioFigures*> entries;
  for (std::size_t i = 0; i < pools.size(); ++i) {
    const PoolRules& rules = pools[i].rules;
    figures[i].demand = std::min(slots, rules.maximum[kind].value_or(slots));
    figures[i].minimum = rules.minimum[kind];
    figures[i].weight = rules.weight;
    entries.push_back(&figures[i]);
  }
  divide_by_ratio(entries, static_cast<double>(slots));
  for (std::size_t i = 0; i < pools.size(); ++i) pools[i].share[kind] = figures[i].share;
}

void divide_by_weights(std::vector<Pool>& pools, SlotKind kind, std::int64_t slots) {
  std::vector<DeficitFigures> figures(pools.size());
  std::vector<DeficitFigures*> entries;
  for (std::size_t i = 0; i < pools.size(); ++i) {
    figures[i].is_runnable = true;
    figures[i].needed = slots;
    figures[i].weight = 1;
    DeficitFigures* const job = &figures[i];
    normalise_weights(std::span(&job, 1), pools[i].rules.weight);
    divide_minimum(std::span(&job, 1), pools[i].rules.minimum[kind]);
    entries.push_back(job);
  }
  divide_slots(entries, slots);
  for (std::size_t i = 0; i < pools.size(); ++i) pools[i].share[kind] = figures[i].share;
}

class PoolExplanation {
 public:
  PoolExplanation(const PoolAllocations& allocations, SlotFairGeneration generation,
                  const PerKind<std::int64_t>& slots)
      : allocations_(allocations),
        is_late_(generation == SlotFairGeneration::ratios),
        slots_(slots) {
    for (const auto& [name, rules] : allocations.pools) pools_.push_back({name, rules, {}});
    if (!allocations.pools.contains("default")) pools_.push_back({"default", {}, {}});
    std::sort(pools_.begin(), pools_.end(),
              [](const Pool& a, const Pool& b) { return a.name < b.name; });
    for (const SlotKind kind : slot_kinds) {
      is_late_ ? divide_by_ratios(pools_, kind, slots[kind])
               : divide_by_weights(pools_, kind, slots[kind]);
    }
  }

  std::vector<ExplainedQueue> explain() {
    std::vector<ExplainedQueue> explained{of_all()};
    for (const Pool& pool : pools_) explained.push_back(of(pool));
    return explained;
  }

 private:
  using Count = std::optional<std::int64_t>;
  static FigureValue timeout(const std::optional<Duration>& time) {
    if (!time) return "never";
    return *time;
  }

  ExplainedQueue of_all() const {
    ExplainedQueue all{"all pools", false, {}};
    const auto add = [&](FigureName id, FigureName label, FigureValue value) {
      all.figures.push_back({std::move(id), std::move(label), std::move(value)});
    };
    for (const SlotKind kind : slot_kinds) {
      add(id_of_kind("slots", kind), label_of_kind("Slots", kind), slots_[kind]);
    }
    add("maximum_running_of_user", "Max Running Jobs Per User",
        count_or_unlimited(allocations_.maximum_running_of_user));
    for (const auto& [user, count] : allocations_.maximum_running_of_users) {
      add("maximum_running_of_user_" + user, "Max Running Jobs of " + user, count);
    }
    if (is_late_) {
      add("fair_share_preemption_timeout", "Fair Share Preemption Timeout",
          timeout(allocations_.fair_share_timeout));
    }
    return all;
  }

  ExplainedQueue of(const Pool& pool) const {
    ExplainedQueue explained{pool.name, true, {}};
    const PoolRules& rules = pool.rules;
    const auto add = [&](FigureName id, FigureName label, FigureValue value,
                         std::string formula = "") {
      explained.figures.push_back(
          {std::move(id), std::move(label), std::move(value), std::move(formula)});
    };
    add("weight", "Weight", rules.weight);
    for (const SlotKind kind : slot_kinds) {
      add(id_of_kind("minimum", kind), label_of_kind("Min Share", kind), rules.minimum[kind]);
      if (is_late_) {
        add(id_of_kind("maximum", kind), label_of_kind("Max Share", kind),
            count_or_unlimited(rules.maximum[kind]));
      }
      add(id_of_kind("fair_share", kind), label_of_kind("Fair Share", kind), pool.share[kind],
          share_formula(rules, kind));
    }
    const Count of_default = is_late_ ? allocations_.maximum_running_of_pool : std::nullopt;
    add("maximum_running", "Max Running Jobs",
        count_or_unlimited(rules.maximum_running ? rules.maximum_running : of_default),
        rules.maximum_running || !of_default ? "" : "poolMaxJobsDefault");
    if (!is_late_) return explained;
    add("scheduling_mode", "Scheduling Mode",
        rules.is_fifo.value_or(allocations_.is_fifo) ? "fifo" : "fair",
        rules.is_fifo ? "" : "defaultPoolSchedulingMode");
    add("minimum_share_preemption_timeout", "Min Share Preemption Timeout",
        timeout(rules.minimum_timeout ? rules.minimum_timeout : allocations_.minimum_timeout),
        rules.minimum_timeout || !allocations_.minimum_timeout
            ? ""
            : "defaultMinSharePreemptionTimeout");
    return explained;
  }

  std::string share_formula(const PoolRules& rules, SlotKind kind) const {
    const std::string slots = std::to_string(slots_[kind]);
    const std::string weight = number_text(rules.weight);
    const std::string minimum = std::to_string(rules.minimum[kind]);
    if (is_late_) {
      const std::int64_t demand =
          std::min(slots_[kind], rules.maximum[kind].value_or(slots_[kind]));
      return "where all pools want what they may have: min(demand, max(minimum, weight × r)), of "
             "all "
             "together the " +
             slots + " slots: min(" + std::to_string(demand) + ", max(" + minimum + ", " + weight +
             " × r))";
    }
    double weights = 0;
    for (const Pool& pool : pools_) weights += pool.rules.weight;
    return "of one job in each pool: slots × weight / all weights, or the minimum where that is "
           "more, and the rest divided again: max(" +
           minimum + ", " + slots + " × " + weight + " / " + number_text(weights) + ")";
  }

  const PoolAllocations& allocations_;
  bool is_late_;
  const PerKind<std::int64_t>& slots_;
  std::vector<Pool> pools_;
};

}  // namespace

std::vector<ExplainedQueue> explain_pools(const PoolAllocations& allocations,
                                          SlotFairGeneration generation,
                                          const PerKind<std::int64_t>& slots) {
  return PoolExplanation(allocations, generation, slots).explain();
}

}  // namespace tracebed
