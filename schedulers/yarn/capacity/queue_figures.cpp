#include "schedulers/yarn/capacity/queue_figures.h"

#include <algorithm>

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
      for (const std::size_t child : configuration_.queues[i].children) compute(child);
    }
    return std::move(figures_);
  }

 private:
  void compute(std::size_t index);
  void set_maximum(std::size_t index, const ConfiguredCapacity& maximum);
  void set_amount(std::size_t index, const Resources& amount);
  // The part of the parent that a queue with a percentage or a weight gets.
  float fraction(std::size_t index, const ConfiguredCapacity& capacity) const;

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

void Figures::compute(std::size_t index) {
  const PartitionCapacity* own = configured(index);
  QueueFigures& figures = figures_[index];
  if (own == nullptr) {
    figures.maximum_capacity = figures.absolute_maximum_capacity = 0;
    return;
  }
  set_maximum(index, own->maximum);
  if (own->capacity.form == CapacityForm::absolute) return set_amount(index, own->capacity.amount);
  figures.capacity = fraction(index, own->capacity);
  figures.absolute_capacity = figures_[parent_of(index)].absolute_capacity * figures.capacity;
  figures.guaranteed = multiply_and_cut(resources_, figures.absolute_capacity);
}

float Figures::fraction(std::size_t index, const ConfiguredCapacity& capacity) const {
  if (capacity.form == CapacityForm::percent) return capacity.value / 100;
  float sum = 0;
  for (const std::size_t sibling : configuration_.queues[parent_of(index)].children) {
    if (const PartitionCapacity* of_sibling = configured(sibling)) {
      sum += of_sibling->capacity.value;
    }
  }
  return sum > 0 ? capacity.value / sum : 0;
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

void Figures::set_amount(std::size_t index, const Resources& amount) {
  const QueueFigures& parent = figures_[parent_of(index)];
  const ResourceCalculator& calculator = configuration_.calculator;
  Resources sum;
  for (const std::size_t sibling : configuration_.queues[parent_of(index)].children) {
    if (const PartitionCapacity* of_sibling = configured(sibling)) {
      sum += of_sibling->capacity.amount;
    }
  }
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
  return Figures(configuration, partition, resources).compute();
}

}  // namespace tracebed
