#include "coordinator/config/experiment.h"

#include <gtest/gtest.h>

#include "coordinator/config/load_experiment.h"
#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

constexpr const char* small_text = R"(
name = "small"
world = "virtual"
schedulers = ["fifo", "spread"]

[trace]
file = "jobs.tsv"

[cluster]
nodes = 4
vcores = 2
memory = "8 GiB"
)";

class ExperimentFile : public testing::Test {
 protected:
  ExperimentFile() { folder_.write("jobs.tsv", "job0\t0\t0\t1\t0\t0\n"); }

  Experiment load(const std::string& text, std::vector<Override> overrides = {}) {
    return load_experiment(folder_.write("small.toml", text), traces_, overrides);
  }

  TemporaryFolder folder_;
  std::optional<std::filesystem::path> traces_;
};

TEST_F(ExperimentFile, NeedsOnlyTraceClusterAndSchedulers) {
  const Experiment experiment = load(small_text);
  EXPECT_EQ(experiment.name, "small");
  EXPECT_EQ(experiment.source, small_text);
  EXPECT_EQ(experiment.world, World::simulated);
  EXPECT_EQ(experiment.seed, 1u);
  EXPECT_EQ(experiment.repetitions, 10u);
  EXPECT_FALSE(experiment.compare.noise.has_value());
  EXPECT_FALSE(experiment.vary.is_any());
  EXPECT_EQ(experiment.trace.file, folder_.path() / "jobs.tsv");
  ASSERT_EQ(experiment.schedulers.size(), 2u);
  EXPECT_EQ(experiment.schedulers[1].name, "spread");
  EXPECT_EQ(experiment.schedulers[1].label, "spread");
  ASSERT_EQ(experiment.cluster.machines.size(), 4u);
  EXPECT_EQ(experiment.cluster.machines[3].name, "node4");
  EXPECT_EQ(experiment.cluster.machines[3].rack, "/default-rack");
  EXPECT_EQ(experiment.cluster.machines[3].capacity, Resources(2000, 8192));
  EXPECT_EQ(experiment.scale.time, 1.0);
}

TEST_F(ExperimentFile, RepeatsTenTimesInTheVirtualWorldAndOnceInRealOnesUnlessItSays) {
  const auto repetitions = [&](std::vector<Override> overrides) {
    return load(small_text, std::move(overrides)).repetitions;
  };
  const Override local{"--world", "world", "local"};
  EXPECT_EQ(repetitions({}), 10u);
  EXPECT_EQ(repetitions({local}), 1u);
  EXPECT_EQ(repetitions({{"--world", "world", "cluster"}}), 1u);
  EXPECT_EQ(repetitions({local, {"--repetitions", "repetitions", "4"}}), 4u);
}

TEST_F(ExperimentFile, LimitsVcoresUnderEverySchedulerIfItSays) {
  EXPECT_FALSE(load(small_text).cluster.limit_vcores);
  const Override limited{"--set", "cluster.limit_vcores", "true"};
  EXPECT_TRUE(load(small_text, {limited}).cluster.limit_vcores);
}

TEST_F(ExperimentFile, EnforcesVcoresByQuotaUnlessItSaysByWeight) {
  EXPECT_EQ(load(small_text).cluster.cpu_enforcement, CpuEnforcement::quota);
  const Override weight{"--set", "cluster.cpu_enforcement", "weight"};
  EXPECT_EQ(load(small_text, {weight}).cluster.cpu_enforcement, CpuEnforcement::weight);
}

// By their names: what readers of GPU traces call thousandths of a GPU is devices unless said
// otherwise, nothing else is.
TEST_F(ExperimentFile, SaysWhichResourcesAreDevices) {
  const Override gpus{"--set", "cluster.extra", "{ gpu_milli = 4000, fpga = 4 }"};
  const auto sizes = [&](std::vector<Override> more) {
    more.insert(more.begin(), gpus);
    const ClusterChoice cluster = load(small_text, more).cluster;
    const ResourceDimensions dimensions(cluster.extra_dimensions);
    return std::pair(cluster.devices[dimensions.find("gpu_milli")],
                     cluster.devices[dimensions.find("fpga")]);
  };
  EXPECT_EQ(sizes({}), std::pair(std::int64_t{1'000}, std::int64_t{0}));
  EXPECT_EQ(sizes({{"--set", "cluster.devices", "{ fpga = 2 }"}}),
            std::pair(std::int64_t{1'000}, std::int64_t{2}));
  EXPECT_EQ(sizes({{"--set", "cluster.devices", "{ gpu_milli = 0 }"}}),
            std::pair(std::int64_t{0}, std::int64_t{0}));
  EXPECT_TRUE(load(small_text).cluster.devices.empty());
}

TEST_F(ExperimentFile, KnowsWhatReplacedItsKeys) {
  const Experiment experiment = load(small_text, {{"--seed", "seed", "7"}});
  ASSERT_EQ(experiment.overrides.size(), 1u);
  EXPECT_EQ(experiment.overrides[0], std::pair(std::string("seed"), std::string("7")));
}

TEST_F(ExperimentFile, ReadsEveryTable) {
  const Experiment experiment = load(R"(
name = "all"
world = "virtual"
seed = 9
repetitions = 3
paranoid = true
output.folder = "out"
output.tasks = "zstd"
[trace]
file = "jobs.tsv"
format = "swim"
jobs = 50
from = "1h"
until = "2h"
bad_lines = "skip"
[trace.rules]
swim.map_rate = 2.5
trace.origin = "file"
[scale]
time = 10
cpu = 2
memory = 4.5
data = 1000
machines = 3
thin = 2
stretch = 0.5
[cluster]
nodes = 5
vcores = 1.5
memory = "512 MiB"
racks = 2
labels = ["ssd"]
extra = { gpu = 2 }
heartbeat = "500ms"
out_of_band_heartbeat = true
[[cluster.change]]
node = "node2"
at = "20s"
state = "up"
[[cluster.change]]
node = "node2"
at = "10s"
state = "down"
[virtual]
model = "modelled"
launch_latency = "300ms"
launch_spread = 1.5
parallel = 3
trace_memory = "1 GiB"
[vary]
submit_times = 0.05
run_times = 0.1
[compare]
noise = true
noise_time = "90s"
baseline = "fifo"
primary = "makespan"
matters_from = 0.05
[local]
oversubscribe = true
[log]
durability = "always"
[masters]
slow_start = 0.5
[[scheduler]]
name = "fifo"
[[scheduler]]
name = "random"
label = "random-9"
tries = 9
guess.at = "random"
)");
  EXPECT_EQ(experiment.seed, 9u);
  EXPECT_EQ(experiment.repetitions, 3u);
  EXPECT_EQ(experiment.simulated.parallel, 3u);
  EXPECT_EQ(experiment.simulated.trace_memory_bytes, std::int64_t{1} << 30);
  EXPECT_EQ(experiment.vary.submit_times, 0.05);
  EXPECT_EQ(experiment.vary.run_times, 0.1);
  EXPECT_EQ(experiment.compare.noise, true);
  EXPECT_EQ(experiment.compare.noise_time, seconds(90));
  EXPECT_EQ(experiment.compare.baseline, "fifo");
  EXPECT_TRUE(experiment.paranoid);
  EXPECT_EQ(experiment.trace.jobs_max, 50u);
  EXPECT_EQ(experiment.trace.from, TraceTime(seconds(3600)));
  EXPECT_EQ(experiment.trace.until, TraceTime(seconds(7200)));
  EXPECT_TRUE(experiment.trace.skip_bad_lines);
  ASSERT_EQ(experiment.trace_rules.size(), 2u);
  EXPECT_EQ(experiment.trace_rules[0].key, "swim.map_rate");
  EXPECT_EQ(experiment.trace_rules[0].value, "2.5");
  EXPECT_EQ(experiment.trace_rules[1].value, "file");
  EXPECT_TRUE(experiment.trace_rules[1].where.ends_with("small.toml:18: trace.rules.trace.origin"))
      << experiment.trace_rules[1].where;
  EXPECT_EQ(experiment.scale.data, 1000.0);
  EXPECT_EQ(experiment.scale.stretch, 0.5);
  EXPECT_EQ(experiment.cluster.extra_dimensions, std::vector<std::string>{"gpu"});
  EXPECT_EQ(experiment.cluster.machines[0].capacity[2], 2);
  // Five machines in two racks: blocks of three and two.
  EXPECT_EQ(experiment.cluster.machines[2].rack, "/rack1");
  EXPECT_EQ(experiment.cluster.machines[3].rack, "/rack2");
  EXPECT_EQ(experiment.cluster.heartbeat, milliseconds(500));
  ASSERT_EQ(experiment.cluster.changes.size(), 2u);
  EXPECT_EQ(experiment.cluster.changes[0].at, TraceTime(seconds(10)));
  EXPECT_FALSE(experiment.cluster.changes[0].up);
  EXPECT_TRUE(experiment.cluster.out_of_band_heartbeat);
  EXPECT_EQ(experiment.simulated.launch_latency, milliseconds(300));
  EXPECT_EQ(experiment.simulated.launch_spread, 1.5);
  EXPECT_TRUE(experiment.local.oversubscribe);
  EXPECT_EQ(experiment.log.durability, LogChoice::Durability::always);
  EXPECT_EQ(experiment.compare.primary, "makespan");
  EXPECT_EQ(experiment.compare.matters_from, 0.05);
  ASSERT_EQ(experiment.masters.size(), 1u);
  EXPECT_EQ(experiment.masters[0].key, "slow_start");
  EXPECT_EQ(experiment.masters[0].value, "0.5");
  ASSERT_EQ(experiment.schedulers.size(), 2u);
  EXPECT_EQ(experiment.schedulers[1].label, "random-9");
  ASSERT_EQ(experiment.schedulers[1].settings.size(), 2u);
  EXPECT_EQ(experiment.schedulers[1].settings[0].key, "guess.at");
  EXPECT_EQ(experiment.schedulers[1].settings[1].value, "9");
}

TEST_F(ExperimentFile, PutsGroupsOneAfterTheOtherEachInRacksOfItsOwn) {
  const Experiment experiment = load(R"(
name = "groups"
world = "virtual"
schedulers = ["fifo"]
[trace]
file = "jobs.tsv"
[cluster]
heartbeat = "3s"
[[cluster.group]]
nodes = 2
vcores = 1
memory = "1 GiB"
[[cluster.group]]
nodes = 2
vcores = 16
memory = "64 GiB"
racks = 2
extra = { gpu = 4 }
)");
  ASSERT_EQ(experiment.cluster.machines.size(), 4u);
  EXPECT_EQ(experiment.cluster.machines[1].rack, "/rack1");
  EXPECT_EQ(experiment.cluster.machines[2].rack, "/rack2");
  EXPECT_EQ(experiment.cluster.machines[3].rack, "/rack3");
  EXPECT_EQ(experiment.cluster.machines[1].capacity[2], 0);
  EXPECT_EQ(experiment.cluster.machines[3].capacity[2], 4);
}

TEST_F(ExperimentFile, FindsTheTraceThroughTheEnvironmentOnlyAtTheStartOfThePath) {
  traces_ = folder_.path() / "elsewhere";
  folder_.write("elsewhere/swim/a.tsv", "");
  const auto with_file = [&](const std::string& file) {
    return load(small_text, {{"--set trace.file", "trace.file", file}}).trace.file;
  };
  EXPECT_EQ(with_file("${TRACEBED_TRACES}/swim/a.tsv"), *traces_ / "swim/a.tsv");
  EXPECT_THROW(with_file("x/${TRACEBED_TRACES}/swim/a.tsv"), InputError);
  EXPECT_THROW(with_file("${HOME}/a.tsv"), InputError);
}

TEST_F(ExperimentFile, OverridesReplaceValuesAndAreCheckedLikeThem) {
  const Experiment experiment = load(small_text, {{"--seed", "seed", "77"},
                                                  {"--world", "world", "local"},
                                                  {"--set scale.time", "scale.time", "20"}});
  EXPECT_EQ(experiment.seed, 77u);
  EXPECT_EQ(experiment.world, World::local);
  EXPECT_EQ(experiment.scale.time, 20.0);
  EXPECT_EQ(experiment.scale.where, "--set scale.time: scale");  // the file has no such table
}

TEST_F(ExperimentFile, AConfinedExperimentReachesNoFileOutsideTheTraceFolder) {
  folder_.write("traces/a.tsv", "");
  std::filesystem::create_symlink(folder_.path() / "jobs.tsv", folder_.path() / "traces/link.tsv");
  const TraceFolders folders{folder_.path(), folder_.path() / "traces", true};
  const auto parse = [&](const std::string& file) {
    const std::vector<Override> overrides{{"--set trace.file", "trace.file", file}};
    return parse_experiment(small_text, "submitted", folders, overrides);
  };
  EXPECT_EQ(parse("${TRACEBED_TRACES}/a.tsv").trace.file, folder_.path() / "traces/a.tsv");
  EXPECT_THROW(parse("jobs.tsv"), InputError);
  EXPECT_THROW(parse("${TRACEBED_TRACES}/../jobs.tsv"), InputError);
  EXPECT_THROW(parse("${TRACEBED_TRACES}/link.tsv"), InputError);
  EXPECT_THROW(parse("/etc/passwd"), InputError);
}

TEST_F(ExperimentFile, HasRefreshesInTheOrderOfTheirTimes) {
  const Experiment experiment =
      load(std::string(small_text) +
           "[[refresh]]\nat = \"2h\"\nscheduler = \"fifo\"\nconfig = "
           "\"late.xml\"\npreemption.delivery = \"kill\"\n"
           "[[refresh]]\nat = \"30m\"\nscheduler = \"spread\"\nlocality = \"prefer\"\n");
  ASSERT_EQ(experiment.refreshes.size(), 2u);
  EXPECT_EQ(experiment.refreshes[0].at, trace_time(1'800'000'000));
  EXPECT_EQ(experiment.refreshes[0].scheduler, "spread");
  EXPECT_EQ(experiment.refreshes[1].settings.at(0).value, "late.xml");
  EXPECT_EQ(experiment.refreshes[1].settings.at(1).key, "preemption.delivery");
  EXPECT_EQ(experiment.schedulers.at(0).files.folder, folder_.path());
}

}  // namespace
}  // namespace tracebed
