// What the fleets of all real worlds are told of an experiment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/load_experiment.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "coordinator/worlds/real_world.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

// Tasks find their devices in their environment by these names.
TEST(FleetOptions, HaveTheClustersDimensionsAndTimes) {
  const TemporaryFolder folder;
  folder.write("jobs.swf", "1 0 -1 10 1 -1 -1 1 -1 -1 1 7 1 -1 1 -1 -1 -1\n");
  const Experiment experiment = parse_experiment(
      "name = \"t\"\nworld = \"local\"\nam = \"container\"\nschedulers = [\"fifo\"]\n[trace]\nfile "
      "= \"jobs.swf\"\n"
      "[scale]\ntime = 5\ncpu = 16\n[cluster]\nnodes = 1\nvcores = 4\nmemory = \"8 GiB\"\n"
      "heartbeat = \"2s\"\nextra = { gpu_milli = 2000, fpga = 1 }\n",
      "t.toml", {folder.path(), std::nullopt, false});
  const ResolvedExperiment resolved = resolve(test::schedulers(), experiment);
  const Names names;
  const RunHost host{.schedulers = test::schedulers(), .experiment_file = "t.toml", .programs = {}};
  const RealFleetOptions options = fleet_options({.experiment = resolved,
                                                  .host = host,
                                                  .machines = resolved.cluster.machines,
                                                  .changes = resolved.cluster.changes,
                                                  .names = names,
                                                  .run = "run-7",
                                                  .folder = folder.path(),
                                                  .limits = {},
                                                  .warn = {},
                                                  .should_continue = {}});
  ASSERT_EQ(options.dimensions.size(), 4u);
  EXPECT_LT(options.dimensions.find("gpu_milli"), 4u);
  EXPECT_LT(options.dimensions.find("fpga"), 4u);
  EXPECT_EQ(options.run, "run-7");
  EXPECT_EQ(options.time_scale, 5);
  EXPECT_EQ(options.heartbeat_period, seconds(2));
  EXPECT_EQ(options.masters.quota_factor, 16);
}

}  // namespace
}  // namespace tracebed
