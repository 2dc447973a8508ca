#include "schedulers/yarn/capacity/capacity_checks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "core/check.h"

namespace tracebed {
namespace {

using CapacityForm = ConfiguredCapacity::Form;

constexpr float sum_tolerance = 0.0005F;      // AbstractParentQueue.PRECISION
constexpr float maximum_tolerance = 0.0001F;  // CSQueueUtils.EPSILON

std::string shown(float number) {
  std::array<char, 32> text{};
  constexpr int digits = 6;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number,
                                 std::chars_format::general, digits);
  return {text.data(), end.ptr};
}

class Checks {
 public:
  Checks(const CapacityConfiguration& configuration, const HadoopProperties& properties)
      : configuration_(configuration), properties_(properties) {}

  Status run() {
    for (const CapacityQueue& queue : configuration_.queues) {
      check_queue(queue);
      switch (configuration_.forms) {
        case CapacityForms::legacy:
          for (const auto& [label, figures] : queue.partitions) check_maximum(queue, label);
          if (!queue.is_leaf()) check_children(queue);
          break;
        case CapacityForms::any:
          for (const auto& [label, figures] : queue.partitions) check_amounts_of(queue, label);
      }
      if (!error_.empty()) return Error{error_};
    }
    return success();
  }

 private:
  void check_queue(const CapacityQueue& queue);
  void check_labels(const CapacityQueue& queue);
  void check_maximum(const CapacityQueue& queue, const std::string& label);
  void check_children(const CapacityQueue& parent);
  void check_forms(const CapacityQueue& parent);
  void check_percentages(const CapacityQueue& parent, const std::string& label);
  void check_amounts(const CapacityQueue& parent, const std::string& label);
  void check_amounts_of(const CapacityQueue& queue, const std::string& label);
  // Of a queue with amounts and no maximum of its own: its parent's.
  Resources maximum_amount(const CapacityQueue& queue, const std::string& label) const;

  const CapacityQueue& child(const CapacityQueue& parent, std::size_t i) const {
    return configuration_.queues[parent.children[i]];
  }
  static PartitionCapacity partition(const CapacityQueue& queue, const std::string& label) {
    const auto found = queue.partitions.find(label);
    return found == queue.partitions.end() ? PartitionCapacity() : found->second;
  }
  // The form of the children's capacities, over all partitions. Zero percent is no form of its own.
  CapacityForm form_of(const CapacityQueue& queue) const;
  std::set<std::string> labels_of_children(const CapacityQueue& parent) const;
  // The share of the cluster by percentages down the tree.
  float absolute(const CapacityQueue& queue, const std::string& label,
                 ConfiguredCapacity PartitionCapacity::*which) const;

  static std::string name(const CapacityQueue& queue, const std::string& label,
                          const std::string& key) {
    const std::string of_label = label.empty() ? "" : "accessible-node-labels." + label + ".";
    return "yarn.scheduler.capacity." + queue.path + "." + of_label + key;
  }
  void fail(const std::string& property, const std::string& message) {
    if (error_.empty()) error_ = properties_.place(property) + ": " + message;
  }

  const CapacityConfiguration& configuration_;
  const HadoopProperties& properties_;
  std::string error_;
};

void Checks::check_queue(const CapacityQueue& queue) {
  check_labels(queue);
  if (queue.is_leaf()) {
    const float highest = 100 / std::min(100.0F, queue.user_limit_percent);
    for (const auto& [user, weight] : queue.user_weights) {
      if (weight <= highest) continue;
      fail(name(queue, "", "user-settings." + user + ".weight"),
           "expected at most 100 / minimum-user-limit-percent, which is " + shown(highest) +
               ", got " + shown(weight));
    }
  }
  const std::int64_t longest = queue.maximum_application_lifetime_s;
  if (longest > 0 && queue.default_application_lifetime_s > longest) {
    fail(name(queue, "", "default-application-lifetime"),
         "expected at most the maximum lifetime of " + std::to_string(longest) + " s, got " +
             std::to_string(queue.default_application_lifetime_s));
  }
}

void Checks::check_labels(const CapacityQueue& queue) {
  const auto may_use = [](const CapacityQueue& of, const std::string& label) {
    const std::vector<std::string>& labels = of.accessible_labels;
    return std::find(labels.begin(), labels.end(), "*") != labels.end() ||
           std::find(labels.begin(), labels.end(), label) != labels.end();
  };
  const CapacityQueue& parent = configuration_.queues[queue.parent];
  for (const std::string& label : queue.accessible_labels) {
    if (may_use(parent, label)) continue;
    fail(name(queue, "", "accessible-node-labels"),
         "expected labels that " + parent.path + " may use, got " + label);
  }
  if (!queue.default_label.empty() && !may_use(queue, queue.default_label)) {
    fail(name(queue, "", "default-node-label-expression"),
         "expected one of the queue's accessible labels, got " + queue.default_label);
  }
}

float Checks::absolute(const CapacityQueue& queue, const std::string& label,
                       ConfiguredCapacity PartitionCapacity::*which) const {
  const CapacityQueue& parent = configuration_.queues[queue.parent];
  if (&parent == &queue) return 1;  // the root has every partition whole
  const ConfiguredCapacity own = partition(queue, label).*which;
  return absolute(parent, label, which) * (own.form == CapacityForm::percent ? own.value / 100 : 1);
}

void Checks::check_maximum(const CapacityQueue& queue, const std::string& label) {
  const PartitionCapacity figures = partition(queue, label);
  if (figures.capacity.form == CapacityForm::absolute &&
      figures.maximum.form == CapacityForm::absolute &&
      !figures.capacity.amount.fits_in(figures.maximum.amount)) {
    fail(name(queue, label, "capacity"), "expected at most the queue's maximum-capacity");
  }
  if (figures.capacity.form != CapacityForm::percent ||
      figures.maximum.form != CapacityForm::percent)
    return;
  const float capacity = absolute(queue, label, &PartitionCapacity::capacity);
  const float maximum = absolute(queue, label, &PartitionCapacity::maximum);
  if (maximum >= capacity - maximum_tolerance) return;
  fail(name(queue, label, "maximum-capacity"),
       "expected a maximum of at least the queue's capacity, which is " + shown(capacity * 100) +
           " % of the cluster, got " + shown(maximum * 100) + " % of it");
}

std::set<std::string> Checks::labels_of_children(const CapacityQueue& parent) const {
  std::set<std::string> labels;
  for (std::size_t i = 0; i < parent.children.size(); ++i) {
    for (const auto& [label, figures] : child(parent, i).partitions) labels.insert(label);
  }
  return labels;
}

void Checks::check_children(const CapacityQueue& parent) {
  check_forms(parent);
  if (!error_.empty()) return;
  for (const std::string& label : labels_of_children(parent)) {
    switch (form_of(child(parent, 0))) {
      case CapacityForm::percent:
        check_percentages(parent, label);
        break;
      case CapacityForm::absolute:
        check_amounts(parent, label);
        break;
      case CapacityForm::weight:
        break;
      case CapacityForm::per_resource:
      case CapacityForm::none:
        TRACEBED_CHECK(false, "capacities of one form have no unit of their own for a resource");
    }
  }
}

CapacityForm Checks::form_of(const CapacityQueue& queue) const {
  for (const auto& [label, figures] : queue.partitions) {
    if (figures.capacity.form != CapacityForm::percent) return figures.capacity.form;
  }
  return CapacityForm::percent;
}

void Checks::check_forms(const CapacityQueue& parent) {
  const CapacityQueue& first = child(parent, 0);
  const CapacityForm form = form_of(first);
  for (std::size_t i = 0; i < parent.children.size(); ++i) {
    for (const auto& [label, figures] : child(parent, i).partitions) {
      const bool is_zero = figures.capacity == ConfiguredCapacity();
      if (figures.capacity.form == form || (is_zero && !label.empty())) continue;
      fail(name(child(parent, i), label, "capacity"),
           "expected the form of its sibling " + first.path +
               ": all children of a queue have percentages, all weights, or all amounts, unless "
               "yarn.scheduler.capacity.legacy-queue-mode.enabled is false");
    }
  }
  const bool is_root = &parent == &configuration_.queues.front();
  if (!is_root && (form == CapacityForm::absolute) != (form_of(parent) == CapacityForm::absolute)) {
    fail(name(first, "", "capacity"),
         "expected amounts both here and in " + parent.path + ", or in neither");
  }
}

void Checks::check_percentages(const CapacityQueue& parent, const std::string& label) {
  float sum = 0;
  for (std::size_t i = 0; i < parent.children.size(); ++i) {
    sum += partition(child(parent, i), label).capacity.value / 100;
  }
  const bool is_whole = std::abs(1 - sum) <= sum_tolerance;
  const bool is_zero = std::abs(sum) <= sum_tolerance;
  const ConfiguredCapacity above = partition(parent, label).capacity;
  const bool is_root = &parent == &configuration_.queues.front();
  const float parent_value = is_root ? 100 : above.value;
  const bool has_percentage =
      above.form == CapacityForm::percent && !parent.allows_zero_capacity_sum;
  const std::string sum_text = ", got a sum of " + shown(sum * 100);
  const std::string property = name(parent, "", "queues");
  const std::string which =
      label.empty() ? "the capacities" : "the capacities for the label " + label;
  if (!is_whole && !is_zero) {
    fail(property, "expected " + which + " of these queues to add up to 100" + sum_text);
  } else if (has_percentage && is_zero && parent_value > 0) {
    fail(property, "expected " + which + " of these queues to add up to 100, as " + parent.path +
                       " has some" + sum_text);
  } else if (has_percentage && is_whole && parent_value <= 0) {
    fail(property, "expected " + which + " of these queues to be 0, as " + parent.path +
                       " has none" + sum_text);
  }
}

void Checks::check_amounts(const CapacityQueue& parent, const std::string& label) {
  const Resources above = partition(parent, label).capacity.amount;
  if (above.is_zero()) return;
  Resources sum;
  for (std::size_t i = 0; i < parent.children.size(); ++i) {
    sum += partition(child(parent, i), label).capacity.amount;
  }
  if (configuration_.calculator.fits(sum, above)) return;
  fail(name(parent, "", "queues"),
       "expected amounts of these queues that add up to no more than those of " + parent.path +
           ", got " + std::to_string(sum.memory_mib()) + " MiB and " +
           shown(static_cast<float>(sum.milli_vcores()) / 1000) + " vcores");
}

Resources Checks::maximum_amount(const CapacityQueue& queue, const std::string& label) const {
  const PartitionCapacity own = partition(queue, label);
  const CapacityQueue& parent = configuration_.queues[queue.parent];
  const bool inherits = own.maximum.amount.is_zero() && !own.capacity.amount.is_zero();
  return inherits && &parent != &queue ? maximum_amount(parent, label) : own.maximum.amount;
}

// AbstractCSQueue.updateConfigurableResourceLimits: amounts alone are compared, and only with those
// of the queue itself and of its parent.
void Checks::check_amounts_of(const CapacityQueue& queue, const std::string& label) {
  const auto is_more = [&](const Resources& a, const Resources& b) {
    return !b.is_zero() && configuration_.calculator.compare(a, b, Resources()) > 0;
  };
  const PartitionCapacity own = partition(queue, label);
  const CapacityQueue& parent = configuration_.queues[queue.parent];
  if (is_more(own.maximum.amount, maximum_amount(parent, label))) {
    fail(name(queue, label, "maximum-capacity"),
         "expected amounts of at most those of " + parent.path);
  }
  if (is_more(own.capacity.amount, maximum_amount(queue, label))) {
    fail(name(queue, label, "capacity"),
         "expected amounts of at most those of the queue's maximum-capacity, or its parent's");
  }
}

}  // namespace

Status check_capacities(const CapacityConfiguration& configuration,
                        const HadoopProperties& properties) {
  return Checks(configuration, properties).run();
}

}  // namespace tracebed
