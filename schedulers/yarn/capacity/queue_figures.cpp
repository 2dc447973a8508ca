#include "schedulers/yarn/capacity/queue_figures.h"

#include <algorithm>
#include <map>
#include <set>

#include "schedulers/yarn/capacity/capacity_vectors.h"

namespace tracebed {
namespace {

using CapacityForm = ConfiguredCapacity::Form;

// Computes parents before their children, as the queues stand.
class Figures {
 public:
  Figures(const CapacityConfiguration& configuration, const std::string& partition,
          const Resources& resources)
      : configuration_(configuration),
        partition_(partition),
        resources_(resources),
        figures_(configuration.queues.size()) {}

  std::vector<QueueFigures> compute() {
    figures_.front() = {1, 1, 1, 1, resources_, resources_};
    for (std::size_t i = 0; i < figures_.size(); ++i) {
      const Siblings siblings = siblings_of(configuration_.queues[i].children);
      for (const std::size_t child : configuration_.queues[i].children) compute(child, siblings);
    }
    return std::move(figures_);
  }

 private:
  // What all children of a queue have together.
  struct Siblings {
    float weight = 0;
    Resources amount;
  };
  Siblings siblings_of(const std::vector<std::size_t>& children) const;
  void compute(std::size_t index, const Siblings& siblings);
  void set_maximum(std::size_t index, const ConfiguredCapacity& maximum);
  void set_amount(std::size_t index, const Resources& amount, const Siblings& siblings);

  const PartitionCapacity* configured(std::size_t index) const {
    const auto& partitions = configuration_.queues[index].partitions;
    const auto found = partitions.find(partition_);
    return found == partitions.end() ? nullptr : &found->second;
  }
  std::size_t parent_of(std::size_t index) const { return configuration_.queues[index].parent; }

  const CapacityConfiguration& configuration_;
  const std::string& partition_;
  const Resources& resources_;
  std::vector<QueueFigures> figures_;
};

void Figures::compute(std::size_t index, const Siblings& siblings) {
  const PartitionCapacity* own = configured(index);
  QueueFigures& figures = figures_[index];
  if (own == nullptr) {
    figures.maximum_capacity = figures.absolute_maximum_capacity = 0;
    return;
  }
  set_maximum(index, own->maximum);
  const ConfiguredCapacity& capacity = own->capacity;
  if (capacity.form == CapacityForm::absolute) return set_amount(index, capacity.amount, siblings);
  const float whole = capacity.form == CapacityForm::percent ? 100 : siblings.weight;
  figures.capacity = whole > 0 ? capacity.value / whole : 0;
  figures.absolute_capacity = figures_[parent_of(index)].absolute_capacity * figures.capacity;
  figures.guaranteed = multiply_and_cut(resources_, figures.absolute_capacity);
}

Figures::Siblings Figures::siblings_of(const std::vector<std::size_t>& children) const {
  Siblings siblings;
  for (const std::size_t child : children) {
    const PartitionCapacity* own = configured(child);
    if (own == nullptr) continue;
    siblings.weight += own->capacity.value;
    siblings.amount += own->capacity.amount;
  }
  return siblings;
}

void Figures::set_maximum(std::size_t index, const ConfiguredCapacity& maximum) {
  const QueueFigures& parent = figures_[parent_of(index)];
  QueueFigures& figures = figures_[index];
  if (maximum.form == CapacityForm::absolute) {
    figures.maximum = component_minimum(maximum.amount, parent.maximum);
    const ResourceCalculator& calculator = configuration_.calculator;
    figures.maximum_capacity = calculator.divide(figures.maximum, parent.maximum, resources_);
    figures.absolute_maximum_capacity = calculator.divide(figures.maximum, resources_, resources_);
    return;
  }
  figures.maximum_capacity = maximum.value / 100;
  figures.absolute_maximum_capacity = parent.absolute_maximum_capacity * figures.maximum_capacity;
  figures.maximum = multiply_and_cut(resources_, figures.absolute_maximum_capacity);
}

void Figures::set_amount(std::size_t index, const Resources& amount, const Siblings& siblings) {
  const QueueFigures& parent = figures_[parent_of(index)];
  const ResourceCalculator& calculator = configuration_.calculator;
  const Resources& sum = siblings.amount;
  QueueFigures& figures = figures_[index];
  figures.guaranteed = amount;
  if (calculator.compare(parent.guaranteed, sum, resources_) < 0) {
    for (std::size_t d = 0; d < amount.dimensions_used(); ++d) {
      if (sum[d] == 0) continue;
      const float ratio = static_cast<float>(parent.guaranteed[d]) / static_cast<float>(sum[d]);
      figures.guaranteed[d] = multiply_and_cut(amount, ratio)[d];
    }
  }
  const auto share = [&](const Resources& whole) {
    return whole.is_zero() ? 0 : calculator.divide(figures.guaranteed, whole, resources_);
  };
  figures.capacity = share(parent.guaranteed);
  figures.absolute_capacity = share(resources_);
}

}  // namespace

std::vector<QueueFigures> figures_in(const CapacityConfiguration& configuration,
                                     const std::string& partition, const Resources& resources) {
  switch (configuration.forms) {
    case CapacityForms::legacy:
      break;
    case CapacityForms::any:
      return figures_by_resource(configuration, partition, resources);
  }
  return Figures(configuration, partition, resources).compute();
}

std::string_view name(CapacityWarning::Kind kind) {
  using Kind = CapacityWarning::Kind;
  switch (kind) {
    case Kind::branch_underutilized:
      break;
    case Kind::branch_downscaled:
      return "BRANCH_DOWNSCALED";
    case Kind::queue_overutilized:
      return "QUEUE_OVERUTILIZED";
    case Kind::queue_zero_resource:
      return "QUEUE_ZERO_RESOURCE";
    case Kind::queue_exceeds_max_resource:
      return "QUEUE_EXCEEDS_MAX_RESOURCE";
    case Kind::queue_max_resource_exceeds_parent:
      return "QUEUE_MAX_RESOURCE_EXCEEDS_PARENT";
  }
  return "BRANCH_UNDERUTILIZED";
}

std::string warnings_text(std::span<const CapacityWarning> warnings,
                          const ResourceDimensions& dimensions) {
  std::map<CapacityWarning::Kind, std::set<std::size_t>> resources;
  for (const CapacityWarning& warning : warnings) resources[warning.kind].insert(warning.dimension);
  std::string text;
  for (const auto& [kind, of_kind] : resources) {
    text += (text.empty() ? "" : "; ") + std::string(name(kind));
    const char* separator = ": ";
    for (const std::size_t dimension : of_kind) {
      text += separator + dimensions.name(dimension);
      separator = ", ";
    }
  }
  return text;
}

}  // namespace tracebed
