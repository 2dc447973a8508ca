#include "report/device_figures.h"

#include <gtest/gtest.h>

#include "report/comparison.h"

namespace tracebed {
namespace {

AttemptRecord holder(std::uint32_t node, DeviceShares devices, std::int64_t seconds_held) {
  AttemptRecord record;
  record.node = NodeId(node);
  record.devices = std::move(devices);
  record.allocated = trace_time(5'000'000);
  record.reported = record.allocated + seconds(seconds_held);
  return record;
}

// Two GPUs a node: 400 thousandths of the first of node 0 for 10 s and 600 of them for 20, both of
// node 1 for 30 s. 0.4 × 10 + 0.6 × 20 + 1 × 30 = 46 GPU seconds of the first.
TEST(DeviceFigures, AddWhatContainersHadOfADeviceOverTheNodes) {
  DeviceCounter counter;
  counter.add(holder(0, {{.dimension = 2, .number = 0, .amount = 400}}, 10));
  counter.add(holder(0, {{.dimension = 2, .number = 0, .amount = 600}}, 20));
  counter.add(holder(1,
                     {{.dimension = 2, .number = 0, .amount = 1'000},
                      {.dimension = 2, .number = 1, .amount = 1'000}},
                     30));
  counter.add(holder(1, {}, 40));
  const ResourceDimensions dimensions({"gpu_milli"});
  const std::vector<DeviceFigures> expected{
      {.device = "gpu_milli:0", .nodes = 2, .containers = 3, .held_seconds = 46'000},
      {.device = "gpu_milli:1", .nodes = 1, .containers = 1, .held_seconds = 30'000},
  };
  EXPECT_EQ(counter.figures(dimensions), expected);
}

TEST(DeviceFigures, AreMeansOverASchedulersRunsInTheTable) {
  WorldComparison world;
  ComparedScheduler& scheduler = world.schedulers.emplace_back();
  scheduler.label = "binpack";
  scheduler.metrics.resize(2);
  EXPECT_EQ(device_table(world), "");
  scheduler.metrics[0].attempts.devices = {
      {.device = "gpu:0", .nodes = 2, .containers = 10, .held_seconds = 7'200}};
  scheduler.metrics[1].attempts.devices = {
      {.device = "gpu:0", .nodes = 4, .containers = 20, .held_seconds = 3'600},
      {.device = "gpu:1", .nodes = 2, .containers = 2, .held_seconds = 3'600}};
  EXPECT_EQ(device_table(world),
            "\nDevices by their number on a node, over all nodes: what containers had of them\n"
            "device          nodes  containers  amount × h\n"
            "─────────────────────────────────────────────\n"
            "binpack, gpu:0      3          15         1.5\n"
            "binpack, gpu:1      1           1         0.5\n");
}

}  // namespace
}  // namespace tracebed
