#include "core/devices.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "core/check.h"
#include "core/machines.h"

namespace tracebed {
namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

// Units of `amount` on devices of which parts(amount) have room for a part, and `whole` are free.
template <class CountParts>
std::int64_t units_of(std::int64_t amount, std::int64_t size, CountParts&& parts,
                      std::int64_t whole) {
  if (amount <= size) return parts();
  return amount % size == 0 ? whole / (amount / size) : 0;
}

void add(DeviceShare share, DeviceShares& shares) {
  const auto known = std::find_if(shares.begin(), shares.end(), [&](const DeviceShare& other) {
    return other.dimension == share.dimension && other.number == share.number;
  });
  if (known != shares.end()) {
    known->amount += share.amount;
  } else {
    shares.push_back(share);
  }
}

}  // namespace

std::int64_t DeviceSizes::units_in_empty(const Resources& demand, const Resources& capacity) const {
  std::int64_t units = no_limit;
  if (empty()) return units;
  for (std::size_t d = 0; d < demand.dimensions_used(); ++d) {
    const std::int64_t size = sizes_[d];
    if (size == 0 || demand[d] <= 0) continue;
    const std::int64_t devices = capacity[d] / size;
    const auto parts = [&] { return devices * (size / demand[d]); };
    units = std::min(units, units_of(demand[d], size, parts, devices));
  }
  return units;
}

Status check_devices(const DeviceSizes& sizes, const Machine& machine,
                     const ResourceDimensions& dimensions) {
  std::int64_t devices = 0;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (sizes[d] == 0) continue;
    const std::int64_t amount = machine.capacity[d];
    if (amount % sizes[d] != 0) {
      return Error{machine.name + ": expected whole devices, a multiple of " +
                   std::to_string(sizes[d]) + " of " + dimensions.name(d) +
                   " (cluster.devices), got " + std::to_string(amount)};
    }
    devices += amount / sizes[d];
    if (devices > devices_max) {
      return Error{machine.name + ": expected at most " + std::to_string(devices_max) +
                   " devices, got " + std::to_string(amount) + " of " + dimensions.name(d) +
                   " in devices of " + std::to_string(sizes[d]) + " (cluster.devices)"};
    }
  }
  return success();
}

FreeDevices::FreeDevices(const DeviceSizes& sizes, const Resources& capacity) {
  if (sizes.empty()) return;
  for (std::size_t d = 0; d < capacity.dimensions_used(); ++d) {
    const std::int64_t size = sizes[d];
    if (size == 0 || capacity[d] == 0) continue;
    const std::int64_t count =
        std::min(capacity[d] / size, devices_max - static_cast<std::int64_t>(devices_.size()));
    for (std::int64_t i = 0; i < count; ++i) {
      devices_.push_back({static_cast<std::uint8_t>(d), static_cast<std::uint16_t>(i), size, size});
    }
  }
}

std::span<const FreeDevices::Device> FreeDevices::of(std::size_t dimension) const {
  const auto before = [](const Device& device, std::size_t d) { return device.dimension < d; };
  const auto first = std::lower_bound(devices_.begin(), devices_.end(), dimension, before);
  const auto last = std::lower_bound(first, devices_.end(), dimension + 1, before);
  return {first, last};
}

std::int64_t FreeDevices::units(const Resources& demand) const {
  std::int64_t units = no_limit;
  for (std::size_t i = 0; i < devices_.size();) {
    const std::size_t dimension = devices_[i].dimension;
    const std::span<const Device> devices = of(dimension);
    i += devices.size();
    const std::int64_t amount = demand[dimension];
    if (amount <= 0) continue;
    std::int64_t whole = 0;
    std::int64_t parts = 0;
    for (const Device& device : devices) {
      whole += device.free == device.size ? 1 : 0;
      parts += device.free / amount;
    }
    units = std::min(units, units_of(
                                amount, devices.front().size, [&] { return parts; }, whole));
  }
  return units;
}

DeviceShares FreeDevices::take(const Resources& demand, std::int64_t times) {
  DeviceShares shares;
  for (std::size_t i = 0; i < devices_.size();) {
    const std::size_t dimension = devices_[i].dimension;
    const std::int64_t size = devices_[i].size;
    i += of(dimension).size();
    const std::int64_t amount = demand[dimension];
    if (amount <= 0) continue;
    for (std::int64_t unit = 0; unit < times; ++unit) {
      if (amount <= size) {
        take_part(dimension, amount, shares);
      } else {
        TRACEBED_CHECK(amount % size == 0, "what is more than a device is whole devices");
        take_whole(dimension, amount, shares);
      }
    }
  }
  std::sort(shares.begin(), shares.end());
  return shares;
}

void FreeDevices::take_part(std::size_t dimension, std::int64_t amount, DeviceShares& shares) {
  Device* best = nullptr;
  for (Device& device : devices_) {
    if (device.dimension != dimension || device.free < amount) continue;
    if (best == nullptr || device.free < best->free) best = &device;
  }
  TRACEBED_CHECK(best != nullptr, "a part of a device is taken where it fits");
  best->free -= amount;
  add({best->dimension, best->number, amount}, shares);
}

void FreeDevices::take_whole(std::size_t dimension, std::int64_t amount, DeviceShares& shares) {
  for (Device& device : devices_) {
    if (amount == 0) break;
    if (device.dimension != dimension || device.free != device.size) continue;
    device.free = 0;
    amount -= device.size;
    shares.push_back({device.dimension, device.number, device.size});
  }
  TRACEBED_CHECK(amount == 0, "whole devices are taken where they are free");
}

FreeDevices::Device& FreeDevices::device(const DeviceShare& share) {
  const auto found = std::lower_bound(devices_.begin(), devices_.end(), share,
                                      [](const Device& device, const DeviceShare& other) {
                                        return std::tuple(device.dimension, device.number) <
                                               std::tuple(other.dimension, other.number);
                                      });
  TRACEBED_CHECK(found != devices_.end() && found->dimension == share.dimension &&
                     found->number == share.number,
                 "a share is of a device that the node has");
  return *found;
}

void FreeDevices::give_back(std::span<const DeviceShare> shares) {
  for (const DeviceShare& share : shares) {
    Device& owner = device(share);
    owner.free += share.amount;
    TRACEBED_CHECK(owner.free <= owner.size, "no more of a device is free than there is");
  }
}

void FreeDevices::take_shares(std::span<const DeviceShare> shares) {
  for (const DeviceShare& share : shares) {
    Device& owner = device(share);
    owner.free -= share.amount;
    TRACEBED_CHECK(owner.free >= 0, "no more of a device is taken than there is");
  }
}

std::string device_text(std::span<const DeviceShare> shares, const ResourceDimensions& dimensions) {
  std::string text;
  for (const DeviceShare& share : shares) {
    if (!text.empty()) text += ' ';
    text += dimensions.name(share.dimension) + ":" + std::to_string(share.number);
  }
  return text;
}

}  // namespace tracebed
