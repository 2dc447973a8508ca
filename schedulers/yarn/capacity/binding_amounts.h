// Amounts in the text of a reason: only of the resources that are short, so that the reader is not
// shown memory where vcores are short.
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
  // Among all that have a limit (not zero): that on the size of a container.
  static BindingAmounts by_maximum(const CapacitySettings& settings, const Resources& wanted,
                                   const Resources& limit);
  // Among those that limit what is placed on a machine. If none is short, all of them that are
  // wanted.
  static BindingAmounts by_room(const CapacitySettings& settings, const LimitedDimensions& limits,
                                const Resources& wanted, const Resources& limit);

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
