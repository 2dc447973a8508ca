#include "schedulers/yarn/container_sizes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <variant>

namespace tracebed {
namespace {

// YARN's own names where it has one.
std::string amount_text(const Resources& amount, std::size_t dimension) {
  const std::int64_t value = amount[dimension];
  if (dimension == Resources::memory_dimension) return std::to_string(value) + " MiB";
  if (dimension != Resources::vcores_dimension) return std::to_string(value);
  const std::string thousandths = std::to_string(1000 + value % 1000).substr(1);
  return std::to_string(value / 1000) + (value % 1000 == 0 ? "" : "." + thousandths);
}
std::string name_of(std::size_t dimension) {
  if (dimension == Resources::memory_dimension) return "memory-mb";
  return dimension == Resources::vcores_dimension ? "vcores"
                                                  : "resource " + std::to_string(dimension);
}

Error refusal(const Resources& demand, const Resources& maximum, std::size_t dimension,
              const char* whose) {
  return Error{"invalid resource request: " + name_of(dimension) + " of " +
               amount_text(demand, dimension) + " is greater than the " + whose +
               "maximum allocation of " + amount_text(maximum, dimension)};
}

}  // namespace

Status check_allocation_range(const std::string& subject, const Resources& minimum,
                              const Resources& maximum) {
  constexpr std::array<const char*, 2> settings{"maximum_allocation_milli_vcores",
                                                "maximum_allocation_mib"};
  for (std::size_t d = 0; d < settings.size(); ++d) {
    if (maximum[d] == 0 || maximum[d] >= minimum[d]) continue;
    return Error{subject + ": expected a maximum allocation of at least the minimum, got " +
                     std::to_string(maximum[d]) + " and " + std::to_string(minimum[d]),
                 settings[d]};
  }
  return success();
}

void ContainerSizes::see(const ClusterModel& cluster, const SchedulerEvent& event) {
  const auto* added = std::get_if<NodeAdded>(&event);
  if (added == nullptr) return;
  const Resources& capacity = cluster.node(added->node).capacity;
  for (std::size_t d = 0; d < capacity.dimensions_used(); ++d) {
    if (capacity[d] > largest_[d]) largest_[d] = capacity[d];
  }
}

Result<Resources> ContainerSizes::size_for(const Resources& demand,
                                           const Resources* queue_maximum) const {
  const bool is_memory_only = limits_.calculator.kind() == ResourceCalculator::Kind::memory;
  Resources size = demand;
  const std::size_t dimensions =
      std::max(demand.dimensions_used(), limits_.minimum.dimensions_used());
  for (std::size_t d = 0; d < dimensions; ++d) {
    std::int64_t most = largest_[d] > 0 ? largest_[d] : std::numeric_limits<std::int64_t>::max();
    if (limits_.maximum[d] > 0) {
      if (demand[d] > limits_.maximum[d]) return refusal(demand, limits_.maximum, d, "");
      most = std::min(most, limits_.maximum[d]);
    }
    if (queue_maximum != nullptr) {
      if (demand[d] > (*queue_maximum)[d]) return refusal(demand, *queue_maximum, d, "queue's ");
      most = std::min(most, (*queue_maximum)[d]);
    }
    if (is_memory_only && d != Resources::memory_dimension) continue;
    const std::int64_t step = limits_.step[d] > 0 ? limits_.step[d] : limits_.minimum[d];
    const std::int64_t least = std::max(demand[d], limits_.minimum[d]);
    const std::int64_t raised = step > 0 ? (least + step - 1) / step * step : least;
    // What no node can hold is told so by the engine, in the size that was asked for.
    const std::int64_t value = std::max(demand[d], std::min(raised, most));
    if (value != demand[d]) size[d] = value;
  }
  return size;
}

}  // namespace tracebed
