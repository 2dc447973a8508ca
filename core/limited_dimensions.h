// Which dimensions of a node's capacity limit what is placed on it. All do, except under a
// scheduler that imitates one which does not count vcores: those are recorded then, and containers
// on a node may have more of them together than it has, as under YARN's DefaultResourceCalculator
// (YARN-10848). What more of them are used than there are cores is shared by those who use them.
//
// Whoever asks whether a demand has room on a node asks this (ClusterModel::has_room and
// could_hold, FreeTable::has_room): what schedulers propose and what the engine commits cannot
// differ then. Amounts of which something other than a node is the limit (queues, users) are
// compared by who has that limit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/devices.h"
#include "core/resources.h"

namespace tracebed {

class LimitedDimensions {
 public:
  static constexpr LimitedDimensions all() { return LimitedDimensions(true); }
  static constexpr LimitedDimensions all_but_vcores() { return LimitedDimensions(false); }
  // All.
  constexpr LimitedDimensions() = default;

  constexpr bool operator==(const LimitedDimensions&) const = default;

  constexpr bool is_limited(std::size_t dimension) const {
    return has_vcores_ || dimension != Resources::vcores_dimension;
  }
  constexpr bool has_vcores() const { return has_vcores_; }

  // Which resources are devices. fits() and count() are about sums alone: that is what can be said
  // of the cluster, or of a queue. What fits on a node's devices is asked of FreeDevices.
  constexpr const DeviceSizes& devices() const { return devices_; }
  constexpr LimitedDimensions with_devices(const DeviceSizes& devices) const {
    LimitedDimensions result = *this;
    result.devices_ = devices;
    return result;
  }

  // True if `demand` fits `times` times into `room` in every limited dimension. In the others
  // `room` may be less than nothing.
  constexpr bool fits(const Resources& demand, const Resources& room,
                      std::int64_t times = 1) const {
    if (has_vcores_) return demand.fits_in(room, times);
    const std::size_t dimensions = std::max(demand.dimensions_used(), room.dimensions_used());
    for (std::size_t d = first_limited; d < dimensions; ++d) {
      if (demand[d] * times > room[d]) return false;
    }
    return true;
  }
  // True if there is something in a limited dimension.
  constexpr bool has_something(const Resources& room) const {
    for (std::size_t d = has_vcores_ ? 0 : first_limited; d < room.dimensions_used(); ++d) {
      if (room[d] > 0) return true;
    }
    return false;
  }
  // How many times it fits, rounded down; without limit if it is zero in every limited dimension.
  constexpr std::int64_t count(const Resources& demand, const Resources& room) const {
    if (has_vcores_) return demand.count_in(room);
    std::int64_t count = std::numeric_limits<std::int64_t>::max();
    for (std::size_t d = first_limited; d < demand.dimensions_used(); ++d) {
      if (demand[d] > 0) count = std::min(count, room[d] / demand[d]);
    }
    return std::max<std::int64_t>(count, 0);
  }

  // The same of a node of this capacity on which nothing runs, and so by its devices, too.
  constexpr std::int64_t units_in_empty(const Resources& demand, const Resources& capacity) const {
    const std::int64_t units = count(demand, capacity);
    return devices_.empty() ? units : std::min(units, devices_.units_in_empty(demand, capacity));
  }
  constexpr bool could_hold(const Resources& demand, const Resources& capacity) const {
    return fits(demand, capacity) &&
           (devices_.empty() || devices_.units_in_empty(demand, capacity) > 0);
  }

  // What masters are told of `room`, which says with it which dimensions limit, as YARN's scheduler
  // resource types do (RegisterApplicationMasterResponse): of the others there is more than any
  // machine could have.
  constexpr Resources told_to_masters(Resources room) const {
    if (!has_vcores_) room[Resources::vcores_dimension] = unlimited_amount;
    return room;
  }
  // The dimensions that limit, by what a master was told.
  static constexpr LimitedDimensions of_told(const Resources& room) {
    return LimitedDimensions(room.milli_vcores() < unlimited_amount);
  }

 private:
  static_assert(Resources::vcores_dimension == 0);
  static constexpr std::size_t first_limited = 1;  // where vcores are not
  // A billion cores: what sums add to it stays far below 2^63.
  static constexpr std::int64_t unlimited_amount = 1'000'000'000'000;

  explicit constexpr LimitedDimensions(bool has_vcores) : has_vcores_(has_vcores) {}

  bool has_vcores_ = true;
  DeviceSizes devices_;
};

}  // namespace tracebed
