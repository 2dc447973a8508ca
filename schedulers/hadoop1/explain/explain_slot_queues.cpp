#include <algorithm>

#include "core/quantity_text.h"
#include "schedulers/hadoop1/capacity/user_limits.h"
#include "schedulers/hadoop1/explain/explain_slots.h"
#include "schedulers/hadoop1/kind_figures.h"

namespace tracebed {
namespace {

class QueueExplanation {
 public:
  QueueExplanation(const SlotQueueRules& rules, SlotCapacityGeneration generation,
                   const PerKind<std::int64_t>& slots)
      : rules_(rules), generation_(generation), slots_(slots) {}

  ExplainedQueue explain() {
    queue_ = {rules_.name, true, {}};
    add("capacity", "Capacity", part(rules_.capacity),
        is(SlotCapacityGeneration::has_maxima)
            ? ""
            : "as stated, or an even part of what the queues with a stated one leave");
    for (const SlotKind kind : slot_kinds) {
      add(id_of_kind("capacity", kind), label_of_kind("Capacity", kind), capacity(kind),
          of_slots(rules_.capacity, kind));
    }
    if (is(SlotCapacityGeneration::has_maxima)) add_maxima();
    add("minimum_user_limit", "Minimum User Limit", part(static_cast<double>(rules_.user_limit)));
    for (const SlotKind kind : slot_kinds) add_user_limits(kind);
    add("supports_priority", "Supports Priority", rules_.supports_priority);
    if (is(SlotCapacityGeneration::reclaims)) {
      add("reclaim_time_limit", "Reclaim Time Limit", rules_.reclaim_limit);
    }
    if (is(SlotCapacityGeneration::has_maxima)) add_job_limits();
    return std::move(queue_);
  }

 private:
  bool is(SlotCapacityGeneration generation) const { return generation_ == generation; }
  void add(FigureName id, FigureName label, FigureValue value, std::string formula = "") {
    queue_.figures.push_back(
        {std::move(id), std::move(label), std::move(value), std::move(formula)});
  }
  static Ratio part(double percent) { return {percent / 100}; }
  std::int64_t capacity(SlotKind kind) const {
    return slots_of_percent(rules_.capacity, slots_[kind]);
  }
  std::string of_slots(float part, SlotKind kind) const {
    return "int(percent × the cluster's slots / 100): " + number_text(part) + " × " +
           std::to_string(slots_[kind]) + " / 100";
  }

  void add_maxima() {
    if (!rules_.maximum_capacity) return add("maximum_capacity", "Maximum Capacity", Unlimited());
    add("maximum_capacity", "Maximum Capacity", part(*rules_.maximum_capacity));
    for (const SlotKind kind : slot_kinds) {
      const std::int64_t most = slots_of_percent(*rules_.maximum_capacity, slots_[kind]);
      // As fits_below_maximum() has it.
      add(id_of_kind("maximum_capacity", kind), label_of_kind("Maximum Capacity", kind),
          count_or_unlimited(most > 0 ? std::optional(most) : std::nullopt),
          of_slots(*rules_.maximum_capacity, kind));
    }
  }

  // Of a queue in which nothing runs yet, for tasks of one slot.
  void add_user_limits(SlotKind kind) {
    const std::int64_t many = std::max<std::int64_t>(100 / rules_.user_limit, 1);
    for (const std::int64_t users : {std::int64_t{1}, many}) {
      const QueueSlots queue{capacity(kind), 0};
      const bool is_late = is(SlotCapacityGeneration::has_maxima);
      const std::int64_t limit =
          is_late ? user_limit_of_1x(queue, 1, users, rules_.user_limit, rules_.user_limit_factor)
                  : user_limit_of_020(queue, 1, users, rules_.user_limit);
      const std::string c = std::to_string(is_late ? std::max<std::int64_t>(queue.capacity, 1)
                                                   : std::max<std::int64_t>(queue.capacity, 0));
      std::string formula =
          "max(ceil(capacity / users), ceil(percent × capacity / 100)): max(ceil(" + c + " / " +
          std::to_string(users) + "), ceil(" + std::to_string(rules_.user_limit) + " × " + c +
          " / 100))";
      if (is_late) {
        formula += ", at most int(capacity × factor): int(" + c + " × " +
                   number_text(rules_.user_limit_factor) + ")";
      }
      const std::string number = std::to_string(users);
      add(id_of_kind("limit_of_each_of_" + number, kind),
          label_of_kind("Limit of each of " + number + (users == 1 ? " User" : " Users"), kind),
          limit, formula + "; the capacity grows with what runs once it is reached");
      if (many == 1) return;
    }
  }

  void add_job_limits() {
    add("maximum_running", "Max Running Jobs", rules_.running_max,
        "ceil(maximum-system-jobs × capacity / 100)");
    add("maximum_running_of_user", "Max Running Jobs Per User", rules_.running_of_user_max,
        "ceil(maximum-system-jobs × capacity / 100 × minimum user limit / 100)");
    add("maximum_accepted", "Max Accepted Jobs", rules_.accepted_max,
        "max running jobs × init-accept-jobs-factor");
    add("maximum_accepted_of_user", "Max Accepted Jobs Per User", rules_.accepted_of_user_max,
        "max running jobs per user × init-accept-jobs-factor");
  }

  const SlotQueueRules& rules_;
  SlotCapacityGeneration generation_;
  const PerKind<std::int64_t>& slots_;
  ExplainedQueue queue_;
};

}  // namespace

std::vector<ExplainedQueue> explain_slot_queues(const SlotQueueRulesFile& file,
                                                SlotCapacityGeneration generation,
                                                const PerKind<std::int64_t>& slots) {
  std::vector<ExplainedQueue> queues;
  for (const SlotQueueRules& rules : file.queues) {
    queues.push_back(QueueExplanation(rules, generation, slots).explain());
  }
  return queues;
}

}  // namespace tracebed
