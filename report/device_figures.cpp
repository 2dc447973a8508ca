#include "report/device_figures.h"

#include <algorithm>
#include <fmt/format.h>

#include "report/comparison.h"
#include "report/text_table.h"

namespace tracebed {

void DeviceCounter::add(const AttemptRecord& record) {
  const double seconds = to_seconds(record.reported - record.allocated);
  for (const DeviceShare& share : record.devices) {
    Counts& counts = counts_[{share.dimension, share.number}];
    ++counts.containers;
    counts.held_seconds += static_cast<double>(share.amount) * seconds;
    if (counts.seen.size() <= record.node.index()) counts.seen.resize(record.node.index() + 1);
    if (counts.seen[record.node.index()]) continue;
    counts.seen[record.node.index()] = true;
    ++counts.nodes;
  }
}

std::vector<DeviceFigures> DeviceCounter::figures(const ResourceDimensions& dimensions) const {
  std::vector<DeviceFigures> figures;
  for (const auto& [device, counts] : counts_) {
    figures.push_back({.device = fmt::format("{}:{}", dimensions.name(device.first), device.second),
                       .nodes = counts.nodes,
                       .containers = counts.containers,
                       .held_seconds = counts.held_seconds});
  }
  return figures;
}

namespace {

// The devices that any of the runs used, each with its sums over the runs.
std::vector<DeviceFigures> sums_of(const std::vector<RunMetrics>& runs) {
  std::vector<DeviceFigures> sums;
  for (const RunMetrics& run : runs) {
    for (const DeviceFigures& used : run.attempts.devices) {
      auto sum = std::find_if(sums.begin(), sums.end(), [&](const DeviceFigures& other) {
        return other.device == used.device;
      });
      if (sum == sums.end()) sum = sums.insert(sums.end(), {.device = used.device});
      sum->nodes += used.nodes;
      sum->containers += used.containers;
      sum->held_seconds += used.held_seconds;
    }
  }
  return sums;
}

}  // namespace

std::string device_table(const WorldComparison& world) {
  TextTable table({"device", "nodes", "containers", "amount × h"});
  bool has_any = false;
  for (const ComparedScheduler& scheduler : world.schedulers) {
    const auto runs = static_cast<double>(scheduler.metrics.size());
    for (const DeviceFigures& used : sums_of(scheduler.metrics)) {
      has_any = true;
      table.add_row({fmt::format("{}, {}", scheduler.label, used.device),
                     readable(static_cast<double>(used.nodes) / runs),
                     readable(static_cast<double>(used.containers) / runs),
                     readable(used.held_seconds / 3600 / runs)});
    }
  }
  if (!has_any) return {};
  return "\nDevices by their number on a node, over all nodes: what containers had of them\n" +
         table.to_string();
}

}  // namespace tracebed
