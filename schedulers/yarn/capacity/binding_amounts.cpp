#include "schedulers/yarn/capacity/binding_amounts.h"

#include <algorithm>

#include "core/quantity_text.h"

namespace tracebed {
template <class Test>
BindingAmounts::BindingAmounts(const CapacitySettings& settings, const Resources& wanted,
                               const Resources& limit, Test&& binds)
    : settings_(settings) {
  if (binds(Resources::memory_dimension)) dimensions_.push_back(Resources::memory_dimension);
  const std::size_t count = std::max(wanted.dimensions_used(), limit.dimensions_used());
  for (std::size_t d = 0; d < count; ++d) {
    if (d != Resources::memory_dimension && binds(d)) dimensions_.push_back(d);
  }
}

BindingAmounts BindingAmounts::by_calculator(const CapacitySettings& settings,
                                             const Resources& wanted, const Resources& limit) {
  const bool is_by_memory =
      settings.configuration.calculator.kind() == ResourceCalculator::Kind::memory;
  return {settings, wanted, limit, [&](std::size_t d) {
            const bool counts = d == Resources::memory_dimension || !is_by_memory;
            return counts && wanted[d] > limit[d];
          }};
}

BindingAmounts BindingAmounts::by_maximum(const CapacitySettings& settings, const Resources& wanted,
                                          const Resources& limit) {
  return {settings, wanted, limit,
          [&](std::size_t d) { return limit[d] > 0 && wanted[d] > limit[d]; }};
}

BindingAmounts BindingAmounts::by_room(const CapacitySettings& settings,
                                       const LimitedDimensions& limits, const Resources& wanted,
                                       const Resources& limit) {
  BindingAmounts binding(settings, wanted, limit, [&](std::size_t d) {
    return limits.is_limited(d) && wanted[d] > limit[d];
  });
  if (!binding.dimensions_.empty()) return binding;
  return {settings, wanted, limit,
          [&](std::size_t d) { return limits.is_limited(d) && wanted[d] > 0; }};
}

std::string BindingAmounts::text(const Resources& amount) const {
  std::string text;
  for (const std::size_t d : dimensions_) {
    if (!text.empty()) text += " and ";
    if (d == Resources::memory_dimension) {
      text += std::to_string(amount.memory_mib()) + " MiB";
      continue;
    }
    const bool is_whole = amount[d] % yarn_unit(d) == 0;
    const double units = static_cast<double>(amount[d]) / static_cast<double>(yarn_unit(d));
    text += is_whole ? std::to_string(amount[d] / yarn_unit(d)) : number_text(units);
    text += " " + (d < settings_.dimensions.size() ? settings_.dimensions.name(d)
                                                   : "of resource " + std::to_string(d));
  }
  return text;
}

}  // namespace tracebed
