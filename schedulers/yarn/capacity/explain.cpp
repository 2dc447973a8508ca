#include "schedulers/yarn/capacity/explain.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/quantity_text.h"
#include "schedulers/yarn/capacity/leaf_limits.h"
#include "schedulers/yarn/capacity/queue_figures.h"

namespace tracebed {
namespace {

constexpr double percent = 100;

std::string state_name(CapacityQueueState state) {
  switch (state) {
    case CapacityQueueState::running:
      return "RUNNING";
    case CapacityQueueState::draining:
      return "DRAINING";
    case CapacityQueueState::stopped:
      break;
  }
  return "STOPPED";
}

// The partition in which a queue's absolute capacity is largest.
struct LargestCapacity {
  std::string label;
  float absolute = 0;
};

// Of each queue. Where capacities are amounts, only of the default partition, whose size is known.
std::vector<LargestCapacity> largest_capacities(const CapacityConfiguration& configuration,
                                                const std::vector<QueueFigures>& of_default) {
  std::vector<LargestCapacity> largest;
  std::set<std::string> labels;
  for (std::size_t i = 0; i < of_default.size(); ++i) {
    largest.push_back({"", of_default[i].absolute_capacity});
    for (const auto& [label, capacity] : configuration.queues[i].partitions) labels.insert(label);
  }
  labels.erase("");
  for (const std::string& label : labels) {
    const std::vector<QueueFigures> figures = figures_in(configuration, label, Resources());
    for (std::size_t i = 0; i < largest.size(); ++i) {
      const float absolute = figures[i].absolute_capacity;
      if (absolute > largest[i].absolute) largest[i] = {label, absolute};
    }
  }
  return largest;
}

class Explanation {
 public:
  Explanation(const CapacityConfiguration& configuration, const ExplainedCluster& cluster,
              YarnGeneration generation)
      : configuration_(configuration),
        cluster_(cluster),
        generation_(generation),
        figures_(figures_in(configuration, "", cluster.resources)),
        largest_(largest_capacities(configuration, figures_)) {}

  ExplainedQueue explain(std::size_t index);

 private:
  void add(FigureName id, FigureName label, FigureValue value, std::string formula = "") {
    explained_.figures.push_back(
        {std::move(id), std::move(label), std::move(value), std::move(formula)});
  }
  void add_applications(std::size_t index);
  void add_active_applications(const LeafBasis& basis, const QueueFigures& figures);
  bool has_any_form() const { return configuration_.forms == CapacityForms::any; }
  void add_resources(std::size_t index);
  void add_divided_resources(std::size_t index);
  void add_maximum_allocation(const CapacityQueue& queue);
  void add_creation(const CapacityQueue& queue);
  void add_preemption(std::size_t index);
  void add_application_masters(const LeafBasis& basis);
  LeafBasis basis_of(const CapacityQueue& leaf, const QueueFigures& figures) const;
  std::string capacity_formula(std::size_t index) const;

  const CapacityConfiguration& configuration_;
  const ExplainedCluster& cluster_;
  YarnGeneration generation_;
  std::vector<QueueFigures> figures_;
  std::vector<LargestCapacity> largest_;
  ExplainedQueue explained_;
};

LeafBasis Explanation::basis_of(const CapacityQueue& leaf, const QueueFigures& figures) const {
  return {.calculator = configuration_.calculator,
          .partition = cluster_.resources,
          .guaranteed = figures.guaranteed,
          .maximum = figures.maximum,
          .minimum_allocation = cluster_.minimum_allocation,
          .user_limit_percent = leaf.user_limit_percent,
          .user_limit_factor = leaf.user_limit_factor,
          .application_master_share = leaf.partitions.at("").application_master_share};
}

std::string Explanation::capacity_formula(std::size_t index) const {
  if (index == 0) return "";
  const CapacityQueue& queue = configuration_.queues[index];
  // Where they may have any form, all capacities are parts of what the parent has.
  const ConfiguredCapacity::Form form =
      has_any_form() ? ConfiguredCapacity::Form::percent : queue.partitions.at("").capacity.form;
  switch (form) {
    case ConfiguredCapacity::Form::absolute:
      return "its amount / the cluster's: " +
             resources_text(figures_[index].guaranteed, cluster_.dimensions) + " / " +
             resources_text(cluster_.resources, cluster_.dimensions);
    case ConfiguredCapacity::Form::weight:
      return "the parent's × its weight / all siblings': " +
             percent_text(figures_[queue.parent].absolute_capacity) + " × " +
             percent_text(figures_[index].capacity);
    case ConfiguredCapacity::Form::percent:
    case ConfiguredCapacity::Form::per_resource:
    case ConfiguredCapacity::Form::none:
      break;
  }
  return "the parent's × capacity: " + percent_text(figures_[queue.parent].absolute_capacity) +
         " × " + percent_text(figures_[index].capacity);
}

ExplainedQueue Explanation::explain(std::size_t index) {
  const CapacityQueue& queue = configuration_.queues[index];
  const QueueFigures& figures = figures_[index];
  const QueueFigures& parent = figures_[queue.parent];
  explained_ = {queue.path, queue.is_leaf(), {}};
  constexpr std::size_t most_figures = 32;  // of most queues: they are long, and costly to move
  explained_.figures.reserve(most_figures);
  add("queue_state", "Queue State", state_name(queue.state));
  add("used_capacity", "Used Capacity", Ratio{0});
  add("absolute_capacity", "Absolute Capacity", Ratio{figures.absolute_capacity},
      capacity_formula(index));
  add("absolute_maximum_capacity", "Absolute Max Capacity",
      Ratio{figures.absolute_maximum_capacity},
      index == 0
          ? ""
          : "the parent's × maximum-capacity: " + percent_text(parent.absolute_maximum_capacity) +
                " × " + percent_text(figures.maximum_capacity));
  add("used_resources", "Used Resources", Resources());
  const std::int64_t none = 0;
  if (queue.is_leaf()) {
    add("active_applications", "Num Active Applications", none);
    add("pending_applications", "Num Pending Applications", none);
  }
  add("containers", "Num Containers", none);
  const LeafBasis basis = basis_of(queue, figures);
  if (queue.is_leaf()) {
    add_applications(index);
    add_active_applications(basis, figures);
  }
  add("capacity", "Configured Capacity", Ratio{figures.capacity});
  add("maximum_capacity", "Configured Max Capacity", Ratio{figures.maximum_capacity});
  if (queue.is_leaf()) {
    add("minimum_user_limit", "Configured Minimum User Limit Percent",
        Ratio{queue.user_limit_percent / percent});
    add("user_limit_factor", "Configured User Limit Factor", double{queue.user_limit_factor});
  }
  add_resources(index);
  add_maximum_allocation(queue);
  add_creation(queue);
  add_preemption(index);
  if (queue.is_leaf() && generation_ == YarnGeneration::hadoop_3) add_application_masters(basis);
  return std::move(explained_);
}

void Explanation::add_applications(std::size_t index) {
  const CapacityQueue& leaf = configuration_.queues[index];
  const auto& [label, capacity] = largest_[index];
  const bool has_resources = !cluster_.resources.is_zero();
  const std::int64_t of_leaf = maximum_applications(
      configuration_, leaf, has_resources ? std::optional(capacity) : std::nullopt);
  const std::string system = std::to_string(configuration_.maximum_system_applications);
  const std::int64_t global = configuration_.global_queue_maximum_applications.value_or(0);
  std::string formula;
  if (leaf.maximum_applications) {
    formula = "maximum-applications of the queue";
  } else {
    const std::string of_label = label.empty() ? "" : " of the label " + label;
    const std::string product =
        " × absolute capacity" + of_label + ": " +
        std::to_string(global > 0 ? std::min(global, configuration_.maximum_system_applications)
                                  : configuration_.maximum_system_applications) +
        " × " + percent_text(capacity);
    formula = global > 0 ? "global-queue-max-application, at most the system's " + system +
                               (leaf.has_amounts() ? "," + product : "")
                         : "the system's" + product;
  }
  add("maximum_applications", "Max Applications", of_leaf, formula);
  const bool is_capped = generation_ == YarnGeneration::hadoop_3;
  const std::int64_t of_user = is_capped ? maximum_applications_of_user(leaf, of_leaf)
                                         : uncapped_maximum_applications_of_user(leaf, of_leaf);
  add("maximum_applications_of_user", "Max Applications Per User", of_user,
      "max applications × user limit × factor" +
          std::string(is_capped ? ", at most max applications: " : ": ") + std::to_string(of_leaf) +
          " × " + number_text(leaf.user_limit_percent) + "% × " +
          number_text(leaf.user_limit_factor));
}

void Explanation::add_active_applications(const LeafBasis& basis, const QueueFigures& figures) {
  const std::string of_cluster = std::to_string(basis.partition.memory_mib()) + " / " +
                                 std::to_string(basis.minimum_allocation.memory_mib()) + " × " +
                                 percent_text(basis.application_master_share) + " × ";
  const bool is_enforced = generation_ == YarnGeneration::hadoop_2;
  const std::string note = is_enforced ? "" : "; not enforced, see the master's resources";
  add("maximum_active_applications", "Max Active Applications",
      maximum_active_applications(basis, figures.absolute_maximum_capacity),
      "cluster / minimum allocation × AM share × absolute maximum, up: " + of_cluster +
          percent_text(figures.absolute_maximum_capacity) + note);
  add("maximum_active_applications_of_user", "Max Active Applications Per User",
      maximum_active_applications_of_user(basis, figures.absolute_capacity),
      "the same with the absolute capacity, × user limit × factor: " + of_cluster +
          percent_text(figures.absolute_capacity) + " × " + number_text(basis.user_limit_percent) +
          "% × " + number_text(basis.user_limit_factor) + note);
}

void Explanation::add_preemption(std::size_t index) {
  const PreemptionSettings& settings = configuration_.preemption;
  if (index == 0) {
    for (Figure& figure : explain_preemption(settings)) {
      explained_.figures.push_back(std::move(figure));
    }
  } else if (settings.is_enabled) {
    const CapacityQueue& queue = configuration_.queues[index];
    const auto text = [](bool is_disabled) { return is_disabled ? "disabled" : "enabled"; };
    add("preemption", "Preemption", text(queue.is_preemption_disabled),
        "disable_preemption, or its parent's");
    if (!queue.is_leaf() || !settings.is_enabled_within_queues) return;
    add("intra_queue_preemption", "Intra-queue Preemption",
        text(queue.is_intra_queue_preemption_disabled),
        "intra-queue-preemption.disable_preemption, or its parent's");
  }
}

// What of a capacity is computed from what, in the order of the computation.
std::string divided_formula(const ConfiguredCapacity& capacity,
                            const ResourceDimensions& dimensions) {
  std::string amounts;
  std::string percentages;
  std::string weights;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const std::optional<CapacityEntry> entry = capacity.of(d);
    if (!entry) return "nothing, as the queue states no capacity";
    const auto add_to = [&](std::string& names) {
      names += (names.empty() ? "" : ", ") + dimensions.name(d);
    };
    switch (entry->unit) {
      case CapacityEntry::Unit::amount:
        add_to(amounts);
        break;
      case CapacityEntry::Unit::percent:
        add_to(percentages);
        break;
      case CapacityEntry::Unit::weight:
        add_to(weights);
    }
  }
  std::string text = "of " + capacity_text(capacity, dimensions);
  if (!amounts.empty()) text += "; " + amounts + ": the amount, less where the parent has less";
  if (!percentages.empty()) text += "; " + percentages + ": of what amounts leave of the parent's";
  if (!weights.empty()) text += "; " + weights + ": among weights, of what is left then";
  return text;
}

void Explanation::add_divided_resources(std::size_t index) {
  const PartitionCapacity& partition = configuration_.queues[index].partitions.at("");
  const QueueFigures& figures = figures_[index];
  add("capacity_vector", "Configured Capacity Vector",
      capacity_text(partition.capacity, cluster_.dimensions));
  add("maximum_capacity_vector", "Configured Max Capacity Vector",
      capacity_text(partition.maximum, cluster_.dimensions));
  add("guaranteed", "Guaranteed Resources", figures.guaranteed,
      divided_formula(partition.capacity, cluster_.dimensions));
  add("maximum_resources", "Maximum Resources", figures.maximum,
      "the amount, or the part of the parent's, which is also what a resource without a maximum "
      "has");
}

void Explanation::add_resources(std::size_t index) {
  const QueueFigures& figures = figures_[index];
  if (has_any_form() && index > 0) {
    add_divided_resources(index);
  } else {
    add("guaranteed", "Guaranteed Resources", figures.guaranteed,
        "cluster × absolute capacity, cut, or the configured amount");
    add("maximum_resources", "Maximum Resources", figures.maximum,
        "cluster × absolute maximum capacity, cut, or the configured amount");
  }
  if (figures.warnings.empty()) return;
  add("capacity_warnings", "Capacity Warnings",
      warnings_text(figures.warnings, cluster_.dimensions));
}

void Explanation::add_maximum_allocation(const CapacityQueue& queue) {
  ResourceLimit limit{.most = queue.maximum_allocation, .otherwise = "the scheduler's"};
  for (std::size_t d = 0; d < queue.maximum_allocation.dimensions_used(); ++d) {
    limit.is_limited[d] = queue.maximum_allocation[d] > 0;
  }
  if (queue.maximum_allocation.is_zero()) return;
  add("maximum_allocation", "Max Allocation", limit,
      "of one container: maximum-allocation of the queue, or its parent's; else "
      "yarn.scheduler.maximum-allocation-mb and -vcores");
}

void Explanation::add_creation(const CapacityQueue& queue) {
  if (queue.is_created) {
    add("created", "Auto Created",
        queue.is_removed_when_unused ? "until it is unused" : "for good");
  }
  if (!queue.creates_queues && !queue.manages_queues) return;
  add("child_queues_max", "Max Child Queues", queue.child_queues_max,
      queue.manages_queues
          ? "max-queues of auto-create-child-queue"
          : "max-queues of auto-queue-creation-v2, with those that the file names");
  if (queue.is_created || queue.manages_queues) return;
  add("created_levels_max", "Max Auto Created Levels", queue.created_levels_max,
      "maximum-queue-depth of auto-queue-creation-v2");
}

void Explanation::add_application_masters(const LeafBasis& basis) {
  const auto text = [&](const Resources& amount) {
    return resources_text(amount, cluster_.dimensions);
  };
  const Resources of_leaf = application_master_limit(basis, basis.maximum);
  add("master_limit", "Max Application Master Resources", of_leaf,
      "maximum × AM share, up to the minimum allocation: " + text(basis.maximum) + " × " +
          percent_text(basis.application_master_share) + "; less while the siblings use theirs");
  add("master_limit_of_user", "Max Application Master Resources Per User",
      application_master_limit_of_user(basis, of_leaf, 1, 1),
      "guaranteed × AM share × user limit × factor, at most the queue's, for one active user: " +
          text(basis.guaranteed) + " × " + percent_text(basis.application_master_share) +
          " × 100% × " + number_text(basis.user_limit_factor));
}

}  // namespace

std::vector<ExplainedQueue> explain(const CapacityConfiguration& configuration,
                                    const ExplainedCluster& cluster, YarnGeneration generation) {
  Explanation explanation(configuration, cluster, generation);
  std::vector<ExplainedQueue> queues;
  for (std::size_t i = 0; i < configuration.queues.size(); ++i) {
    queues.push_back(explanation.explain(i));
  }
  return queues;
}

}  // namespace tracebed
