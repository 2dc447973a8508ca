// How much each device was used: by the number that a device (core/devices.h) has on its node, over
// all nodes. A comparison of placements shows by it whether load lies on few devices or on all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/devices.h"
#include "core/records.h"

namespace tracebed {

struct DeviceFigures {
  std::string device;            // as in tasks.csv: the resource, a colon and the device's number
  std::uint64_t nodes = 0;       // on which a container had it
  std::uint64_t containers = 0;  // that had it or a part of it, whatever became of them
  // Σ over these of the amount of the resource that they had of it × seconds from allocation to
  // report, in which nobody else had this amount.
  double held_seconds = 0;

  bool operator==(const DeviceFigures&) const = default;
};

// Collects them container by container, in memory that grows with the devices of the cluster.
class DeviceCounter {
 public:
  void add(const AttemptRecord& record);
  // Ascending by resource and number; devices that no container had are absent.
  std::vector<DeviceFigures> figures(const ResourceDimensions& dimensions) const;

 private:
  struct Counts {
    std::uint64_t nodes = 0;
    std::uint64_t containers = 0;
    double held_seconds = 0;
    std::vector<bool> seen;  // by node
  };
  std::map<std::pair<std::uint8_t, std::uint16_t>, Counts> counts_;  // by dimension and number
};

struct WorldComparison;
// The table of a world's schedulers, means over their runs; empty if no container had a device.
std::string device_table(const WorldComparison& world);

}  // namespace tracebed
