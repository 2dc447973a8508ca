#include "schedulers/yarn/capacity/capacity_vectors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace tracebed {
namespace {

using CapacityUnit = CapacityEntry::Unit;
using WarningKind = CapacityWarning::Kind;

// ResourceCalculationDriver.CALCULATOR_PRECEDENCE
constexpr std::array unit_order{CapacityUnit::amount, CapacityUnit::percent, CapacityUnit::weight};

// In what YARN counts, which is whole.
double whole_units(const Resources& amount, std::size_t dimension) {
  return static_cast<double>(amount[dimension] / yarn_unit(dimension));
}

// DefaultQueueResourceRoundingStrategy, Math.round
double rounded(double amount, CapacityUnit unit) {
  constexpr double half = 0.5;
  return std::floor(unit == CapacityUnit::weight ? amount + half : amount);
}

class FiguresByResource {
 public:
  FiguresByResource(const CapacityConfiguration& configuration, const std::string& partition,
                    const Resources& resources)
      : configuration_(configuration),
        partition_(partition),
        resources_(resources),
        figures_(configuration.queues.size()) {
    for (QueueFigures& figures : figures_) {
      figures.maximum_capacity = figures.absolute_maximum_capacity = 0;
    }
  }

  std::vector<QueueFigures> compute() {
    figures_.front() = {1, 1, 1, 1, resources_, resources_};
    for (std::size_t i = 0; i < figures_.size(); ++i) {
      // Below a queue without figures for the partition nobody has any.
      if (i > 0 && configured(i) == nullptr) continue;
      divide(i, Resources::memory_dimension);
      for (std::size_t d = 0; d < resources_.dimensions_used(); ++d) {
        if (d != Resources::memory_dimension) divide(i, d);
      }
      for (const std::size_t child : configuration_.queues[i].children) set_shares(child);
    }
    return std::move(figures_);
  }

 private:
  // What the children of a queue divide among them of one resource, in YARN's units.
  struct Branch {
    std::size_t queue = 0;
    std::size_t dimension = 0;
    double whole = 0;           // the queue's own
    double maximum = 0;         // likewise
    double cluster = 0;         // the partition's
    double sum_of_amounts = 0;  // of the children
    double sum_of_weights = 0;
    double at_begin = 0;  // what was left when the current unit began
    double left = 0;      // what is left now
  };

  void divide(std::size_t queue, std::size_t dimension);
  void warn_of_missing(const Branch& branch);
  Branch branch_of(std::size_t queue, std::size_t dimension) const;
  void give(std::size_t child, const CapacityEntry& entry, Branch& branch);
  static double minimum_of(const CapacityEntry& entry, const Branch& branch);
  double maximum_of(std::size_t child, const Branch& branch);
  void set_shares(std::size_t child);

  const PartitionCapacity* configured(std::size_t index) const {
    const auto& partitions = configuration_.queues[index].partitions;
    const auto found = partitions.find(partition_);
    return found == partitions.end() ? nullptr : &found->second;
  }
  std::optional<CapacityEntry> entry_of(std::size_t index, std::size_t dimension) const {
    const PartitionCapacity* own = configured(index);
    return own == nullptr ? std::nullopt : own->capacity.of(dimension);
  }
  void warn(std::size_t index, WarningKind kind, std::size_t dimension) {
    figures_[index].warnings.push_back({kind, dimension});
  }

  const CapacityConfiguration& configuration_;
  const std::string& partition_;
  const Resources& resources_;
  std::vector<QueueFigures> figures_;
};

FiguresByResource::Branch FiguresByResource::branch_of(std::size_t queue,
                                                       std::size_t dimension) const {
  Branch branch{.queue = queue,
                .dimension = dimension,
                .whole = whole_units(figures_[queue].guaranteed, dimension),
                .maximum = whole_units(figures_[queue].maximum, dimension),
                .cluster = whole_units(resources_, dimension)};
  for (const std::size_t child : configuration_.queues[queue].children) {
    const std::optional<CapacityEntry> entry = entry_of(child, dimension);
    if (!entry) continue;
    if (entry->unit == CapacityUnit::amount) branch.sum_of_amounts += entry->value;
    if (entry->unit == CapacityUnit::weight) branch.sum_of_weights += entry->value;
  }
  branch.left = branch.whole;
  return branch;
}

// ResourceCalculationDriver.calculateResources
void FiguresByResource::divide(std::size_t queue, std::size_t dimension) {
  const std::vector<std::size_t>& children = configuration_.queues[queue].children;
  Branch branch = branch_of(queue, dimension);
  if (children.empty() || resources_.memory_mib() == 0) return;
  if (branch.cluster == 0) return warn_of_missing(branch);
  if (branch.whole < branch.sum_of_amounts) warn(queue, WarningKind::branch_downscaled, dimension);
  for (const CapacityUnit unit : unit_order) {
    branch.at_begin = branch.left;
    for (const std::size_t child : children) {
      const std::optional<CapacityEntry> entry = entry_of(child, dimension);
      if (entry && entry->unit == unit) give(child, *entry, branch);
    }
  }
  if (branch.left != 0) warn(queue, WarningKind::branch_underutilized, dimension);
}

// Amounts of what no machine of the partition has.
void FiguresByResource::warn_of_missing(const Branch& branch) {
  if (branch.sum_of_amounts > 0)
    warn(branch.queue, WarningKind::branch_downscaled, branch.dimension);
  for (const std::size_t child : configuration_.queues[branch.queue].children) {
    const std::optional<CapacityEntry> entry = entry_of(child, branch.dimension);
    if (!entry || entry->unit != CapacityUnit::amount || entry->value == 0) continue;
    warn(child, WarningKind::queue_zero_resource, branch.dimension);
  }
}

// The products are those of the original, in its order, so that they are cut at the same places.
double FiguresByResource::minimum_of(const CapacityEntry& entry, const Branch& branch) {
  if (branch.whole == 0) return 0;
  const double part_left = branch.at_begin / branch.whole;
  const double part_of_cluster = branch.whole / branch.cluster;
  constexpr double percent = 100;
  switch (entry.unit) {
    case CapacityUnit::amount: {
      if (branch.sum_of_amounts == 0) return 0;
      // AbsoluteResourceCapacityCalculator.setNormalizedResourceRatio computes it in 32 bits.
      const auto sum = static_cast<float>(branch.sum_of_amounts);
      const float given =
          branch.whole < branch.sum_of_amounts ? static_cast<float>(branch.whole) : sum;
      return static_cast<double>(given / sum) * part_left * entry.value;
    }
    case CapacityUnit::percent:
      return branch.cluster * (part_of_cluster * part_left * entry.value / percent);
    case CapacityUnit::weight:
      break;
  }
  if (branch.sum_of_weights == 0) return 0;
  const double weight = entry.value / branch.sum_of_weights;
  return weight == 1 ? branch.at_begin : branch.cluster * (part_of_cluster * part_left * weight);
}

double FiguresByResource::maximum_of(std::size_t child, const Branch& branch) {
  const std::optional<CapacityEntry> entry = configured(child)->maximum.of(branch.dimension);
  double maximum = entry ? entry->value : 0;
  if (entry && entry->unit == CapacityUnit::percent) {
    constexpr double percent = 100;
    maximum = branch.cluster * (branch.maximum / branch.cluster * entry->value / percent);
  }
  maximum = std::floor(maximum);
  if (maximum > branch.maximum) {
    warn(child, WarningKind::queue_max_resource_exceeds_parent, branch.dimension);
  }
  return maximum == 0 ? branch.maximum : std::min(maximum, branch.maximum);
}

// ResourceCalculationDriver.setChildResources, validateCalculatedResources
void FiguresByResource::give(std::size_t child, const CapacityEntry& entry, Branch& branch) {
  const std::size_t d = branch.dimension;
  QueueFigures& figures = figures_[child];
  double minimum = rounded(minimum_of(entry, branch), entry.unit);
  if (d != Resources::memory_dimension && figures.guaranteed.memory_mib() == 0) minimum = 0;
  const double maximum = maximum_of(child, branch);
  if (maximum < minimum) {
    warn(child, WarningKind::queue_exceeds_max_resource, d);
    minimum = maximum;
  }
  if (minimum > branch.left) {
    warn(child, WarningKind::queue_overutilized, d);
    minimum = branch.left;
  }
  if (minimum == 0) warn(child, WarningKind::queue_zero_resource, d);
  figures.guaranteed[d] = static_cast<std::int64_t>(minimum) * yarn_unit(d);
  figures.maximum[d] = static_cast<std::int64_t>(maximum) * yarn_unit(d);
  branch.left -= minimum;
}

// CapacitySchedulerQueueCapacityHandler.setQueueCapacities, CSQueueUtils.
// updateAbsoluteCapacitiesByNodeLabels
void FiguresByResource::set_shares(std::size_t child) {
  const QueueFigures& parent = figures_[configuration_.queues[child].parent];
  QueueFigures& figures = figures_[child];
  const auto share = [&](const Resources& part, const Resources& whole) {
    const float quotient = configuration_.calculator.divide(part, whole, resources_);
    return std::isfinite(quotient) ? quotient : 0;
  };
  figures.capacity = share(figures.guaranteed, parent.guaranteed);
  figures.absolute_capacity = figures.capacity * parent.absolute_capacity;
  figures.maximum_capacity = share(figures.maximum, parent.maximum);
  figures.absolute_maximum_capacity = figures.maximum_capacity * parent.absolute_maximum_capacity;
}

}  // namespace

std::vector<QueueFigures> figures_by_resource(const CapacityConfiguration& configuration,
                                              const std::string& partition,
                                              const Resources& resources) {
  return FiguresByResource(configuration, partition, resources).compute();
}

}  // namespace tracebed
