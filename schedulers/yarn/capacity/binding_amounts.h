// Amounts in the words of a reason: only of the resources that bind, so that who reads why
// something waits is not shown memory where vcores are short.
#pragma once

#include <string>
#include <vector>

#include "schedulers/yarn/capacity/capacity_settings.h"

namespace tracebed {

class BindingAmounts {
 public:
  // The resources of which `wanted` is more than `limit`, among those that the scheduler's
  // calculator counts.
  static BindingAmounts by_calculator(const CapacitySettings& settings, const Resources& wanted,
                                      const Resources& limit);
  // Among all that have a limit: those of which it is not zero. That is how large a container may
  // be.
  static BindingAmounts by_maximum(const CapacitySettings& settings, const Resources& wanted,
                                   const Resources& limit);
  // Among all, as machines' room is looked at. If there is none, all that are wanted.
  static BindingAmounts by_room(const CapacitySettings& settings, const Resources& wanted,
                                const Resources& limit);

  // "512 MiB", "512 MiB and 2 vcores", "1 gpu".
  std::string text(const Resources& amount) const;

 private:
  // Those of the dimensions in use, memory first, of which `binds` is true.
  template <class Test>
  BindingAmounts(const CapacitySettings& settings, const Resources& wanted, const Resources& limit,
                 Test&& binds);

  const CapacitySettings& settings_;
  std::vector<std::size_t> dimensions_;  // memory first
};

}  // namespace tracebed
