// Resources that are devices (GPUs, FPGAs): a node has whole ones, and a container's amount is on
// single ones of them. A demand up to the size of a device lies on one device; a larger one is for
// whole devices, and takes as many that nothing else uses. So two GPUs, with 400 thousandths free
// on each, have no room for a demand of 600, though the sum would do.
//
// Which device is taken: for a part of one, that with the least left on which it fits (best fit, as
// Alibaba's gpushare scheduler extender does), for whole ones the first that are free; of equal
// ones that with the lowest number. YARN's yarn.io/gpu is the case of devices of size 1, which are
// only taken whole (GpuResourceAllocator takes any free ones).
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/resources.h"
#include "core/result.h"

namespace tracebed {

// By dimension: the amount that is one device; 0 where the resource is no device, and its amounts
// are sums. Of vcores and memory it is 0.
class DeviceSizes {
 public:
  static constexpr std::int64_t size_max = 1'000'000;

  constexpr DeviceSizes() = default;

  constexpr bool operator==(const DeviceSizes&) const = default;

  constexpr bool empty() const { return !has_any_; }
  constexpr std::int64_t operator[](std::size_t dimension) const { return sizes_[dimension]; }
  // `size` is from 0 to size_max, `dimension` above that of memory.
  constexpr void set(std::size_t dimension, std::int64_t size) {
    sizes_[dimension] = static_cast<std::int32_t>(size);
    has_any_ = std::any_of(sizes_.begin(), sizes_.end(), [](auto each) { return each != 0; });
  }

  // How many units of `demand` a node of this capacity could hold if it were empty, as far as its
  // devices go; without limit if it demands none.
  std::int64_t units_in_empty(const Resources& demand, const Resources& capacity) const;

 private:
  std::array<std::int32_t, Resources::dimensions_max> sizes_{};
  bool has_any_ = false;
};

// What of one device is taken. Devices of a dimension are numbered from 0 on each node.
struct DeviceShare {
  std::uint8_t dimension = 0;
  std::uint16_t number = 0;
  std::int64_t amount = 0;  // above 0

  auto operator<=>(const DeviceShare&) const = default;
};
// Ascending by dimension and number, each device once.
using DeviceShares = std::vector<DeviceShare>;

// At most this many devices of all resources together are on a node.
inline constexpr std::int64_t devices_max = 1'024;

struct Machine;
// Fails with a sentence if the machine's capacity is not one of whole devices, or it has too many.
Status check_devices(const DeviceSizes& sizes, const Machine& machine,
                     const ResourceDimensions& dimensions);

// What is free on each device of a node.
class FreeDevices {
 public:
  // None.
  FreeDevices() = default;
  // Of an empty node: as many of each resource as are whole in its capacity, the first devices_max.
  FreeDevices(const DeviceSizes& sizes, const Resources& capacity);

  bool operator==(const FreeDevices&) const = default;

  // How many units of `demand` fit at once; without limit if it demands none.
  std::int64_t units(const Resources& demand) const;
  // Takes `times` units, which fit, one after the other. Returns where they are.
  DeviceShares take(const Resources& demand, std::int64_t times);
  // What take() returned. Stops the run if more would be free than there is.
  void give_back(std::span<const DeviceShare> shares);
  // Stops the run if they are not free.
  void take_shares(std::span<const DeviceShare> shares);

  // Calls visit(dimension, number, free, size) for each device.
  template <class Visitor>
  void visit(Visitor&& visit) const {
    for (const Device& device : devices_) {
      visit(std::size_t{device.dimension}, device.number, device.free, device.size);
    }
  }

 private:
  struct Device {
    std::uint8_t dimension = 0;
    std::uint16_t number = 0;
    std::int64_t free = 0;
    std::int64_t size = 0;

    bool operator==(const Device&) const = default;
  };
  using Devices = std::vector<Device>;

  // Those of one dimension, which stand together.
  std::span<const Device> of(std::size_t dimension) const;
  Device& device(const DeviceShare& share);
  void take_part(std::size_t dimension, std::int64_t amount, DeviceShares& shares);
  void take_whole(std::size_t dimension, std::int64_t amount, DeviceShares& shares);

  Devices devices_;  // ascending by dimension and number
};

// In the environment of a task that has devices on a real machine: what device_text() says of them,
// which is at most this long.
inline constexpr const char* device_variable = "TRACEBED_DEVICES";
inline constexpr std::size_t device_text_bytes_max = 511;

// "gpu:0 gpu:3": the devices, without how much of each; empty for none.
std::string device_text(std::span<const DeviceShare> shares, const ResourceDimensions& dimensions);

}  // namespace tracebed
