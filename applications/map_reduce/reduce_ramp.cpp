#include "applications/map_reduce/reduce_ramp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/limited_dimensions.h"

namespace tracebed {
namespace {

// ResourceCalculatorUtils.computeAvailableContainers: how many of `demand` are in `amount`,
// truncated towards zero; negative where the amount is.
std::int64_t containers_in(const ReduceRampState& state, const Resources& amount,
                           const Resources& demand) {
  const LimitedDimensions limits = LimitedDimensions::of_told(state.headroom);
  std::int64_t count = std::numeric_limits<std::int32_t>::max();
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    if (demand[d] > 0 && limits.is_limited(d)) count = std::min(count, amount[d] / demand[d]);
  }
  return count;
}

// divideAndCeilContainers: how many of `demand` it takes to cover `amount` in every dimension that
// limits.
std::int64_t containers_to_cover(const ReduceRampState& state, const Resources& amount,
                                 const Resources& demand) {
  const LimitedDimensions limits = LimitedDimensions::of_told(state.headroom);
  std::int64_t count = 0;
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    if (demand[d] > 0 && amount[d] > 0 && limits.is_limited(d)) {
      count = std::max(count, (amount[d] + demand[d] - 1) / demand[d]);
    }
  }
  return count;
}

// Resources.multiply: each amount times a double, truncated.
Resources multiply(const Resources& amount, double factor) {
  Resources product;
  for (std::size_t d = 0; d < Resources::dimensions_max; ++d) {
    product[d] = static_cast<std::int64_t>(static_cast<double>(amount[d]) * factor);
  }
  return product;
}

// What the job has or could have (getResourceLimit).
Resources resource_limit(const ReduceRampState& state) {
  return state.headroom + state.map_demand * state.maps_assigned +
         state.reduce_demand * state.reduces_assigned;
}

}  // namespace

std::uint32_t slow_start_maps(float slow_start, std::uint32_t maps_total) {
  const float maps = slow_start * static_cast<float>(maps_total);
  return static_cast<std::uint32_t>(std::ceil(maps));
}

std::int64_t ramp_change(const ReduceRampState& state, const ReduceRampOptions& options) {
  if (state.reduces_pending == 0) return 0;
  if (state.maps_scheduled == 0) return state.reduces_pending;

  float completed_share = 1;
  if (state.maps_total != 0) {
    completed_share =
        static_cast<float>(state.maps_completed) / static_cast<float>(state.maps_total);
  }
  const Resources total = resource_limit(state);
  Resources reduce_limit =
      multiply(total, static_cast<double>(std::min(completed_share, options.ramp_up_limit)));
  const Resources map_limit = total - reduce_limit;
  const std::int64_t maps = std::int64_t{state.maps_scheduled} + state.maps_assigned;
  if (containers_in(state, map_limit, state.map_demand) >= maps) {
    // The maps cannot use all of their part; the rest is the reduces'.
    reduce_limit += map_limit - state.map_demand * maps;
  }
  const std::int64_t reduces = std::int64_t{state.reduces_scheduled} + state.reduces_assigned;
  const std::int64_t change =
      containers_in(state, reduce_limit - state.reduce_demand * reduces, state.reduce_demand);
  return std::clamp<std::int64_t>(change, -std::int64_t{state.reduces_scheduled},
                                  state.reduces_pending);
}

bool is_short_of_room_for_maps(const ReduceRampState& state) {
  if (state.maps_assigned > 0 || state.maps_scheduled == 0) return false;
  const Resources room = state.headroom + state.reduce_demand * state.reduces_going -
                         state.reduce_demand * state.reduces_scheduled;
  return containers_in(state, room, state.map_demand) <= 0;
}

std::uint32_t reduces_to_preempt(const ReduceRampState& state, std::uint32_t hanging_maps,
                                 const ReduceRampOptions& options) {
  const std::int64_t for_one_map =
      containers_to_cover(state, state.map_demand, state.reduce_demand);
  const std::int64_t for_limit = containers_to_cover(
      state, multiply(resource_limit(state), static_cast<double>(options.preemption_limit)),
      state.reduce_demand);
  const std::int64_t for_all_maps =
      containers_to_cover(state, state.map_demand * hanging_maps, state.reduce_demand);
  const std::int64_t wanted = std::min(std::max(for_one_map, for_limit), for_all_maps);
  return static_cast<std::uint32_t>(std::max<std::int64_t>(0, wanted - state.reduces_going));
}

}  // namespace tracebed
