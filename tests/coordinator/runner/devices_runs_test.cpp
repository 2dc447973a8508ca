// Whole virtual runs of a GPU trace on a machine with two GPUs: which devices its pods get, what is
// recorded of that, and that the runs are decided again alike.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/load_experiment.h"
#include "coordinator/recorded/replay_log.h"
#include "coordinator/runner/experiment_run.h"
#include "report/run_folder.h"
#include "report/run_json.h"
#include "support/files.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

class QuietObserver final : public RunObserver {
 public:
  bool should_continue() override { return true; }
  void progressed(const RunProgress&) override {}
  void warned(const std::string& message) override { warnings.push_back(message); }
  std::vector<std::string> warnings;
};

// gpushare-scheduler-extender#188: shares of 0.6, 0.6 and 0.8, each for ten seconds.
class DevicesRuns : public ::testing::TestWithParam<const char*> {
 protected:
  DevicesRuns() {
    std::string pods =
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
        "deletion_time,scheduled_time\n";
    for (const auto& [name, share] : {std::pair{"a", 600}, {"b", 600}, {"c", 800}}) {
      pods += fmt::format("{},1000,1024,1,{},,BE,Succeeded,0,10,0\n", name, share);
    }
    folder_.write("pods.csv", pods);
  }

  FinishedReplay run(const std::string& scheduler, const std::string& devices = {}) {
    const auto file = folder_.write(
        "mine.toml",
        fmt::format("name = \"mine\"\nworld = \"virtual\"\nrepetitions = 1\n[virtual]\n"
                    "model = \"ideal\"\n[[scheduler]]\nname = \"{}\"\n[trace]\n"
                    "file = \"pods.csv\"\nformat = \"alibaba_gpu\"\n[cluster]\nnodes = 1\n"
                    "vcores = 8\nmemory = \"16 GiB\"\nextra = {{ gpu_milli = 2000 }}\n{}",
                    scheduler, devices));
    Experiment experiment = load_experiment(file, std::nullopt);
    experiment.output = folder_.path() / fmt::format("out{}", ++runs_);
    observer_.warnings.clear();
    const FinishedExperiment finished = run_experiment(
        experiment,
        {.schedulers = test::schedulers(), .experiment_file = "mine.toml", .programs = {}},
        observer_);
    EXPECT_EQ(finished.replays.at(0).outcome, RunOutcome::complete);
    const FinishedReplay& replay = finished.replays.at(0);
    const LogReplay again = replay_log(replay.folder, test::schedulers());
    EXPECT_EQ(again.digest, replay.digest);
    EXPECT_TRUE(again.row_differences.empty());
    return replay;
  }
  static double longest_jct(const FinishedReplay& replay) {
    Duration longest{};
    for (const JobFigures& job : RunFolder::load(replay.folder).jobs) {
      longest = std::max(longest, job.jct);
    }
    return to_seconds(longest);
  }

  TemporaryFolder folder_;
  QuietObserver observer_;
  int runs_ = 0;
};

TEST_P(DevicesRuns, LetAShareWaitForADevice) {
  const FinishedReplay replay = run(GetParam());
  EXPECT_GE(longest_jct(replay), 20) << "800 are free, 400 on each GPU";
  EXPECT_THAT(read_run_json(replay.folder / run_json_file).description.world_settings,
              Contains(Pair("devices.gpu_milli", "1000")));
  const std::string tasks = contents(replay.folder / tasks_csv_file);
  EXPECT_THAT(tasks, HasSubstr(",gpu_milli:0,"));
  EXPECT_THAT(tasks, HasSubstr(",gpu_milli:1,"));
}

TEST_P(DevicesRuns, AddUpWhatIsNoDevice) {
  const FinishedReplay replay = run(GetParam(), "devices = { gpu_milli = 0 }\n");
  EXPECT_LT(longest_jct(replay), 20);
  EXPECT_THAT(contents(replay.folder / tasks_csv_file), Not(HasSubstr("gpu_milli:")));
  for (const ClusterInterval& interval : RunFolder::load(replay.folder).series.intervals) {
    EXPECT_EQ(interval.devices_free, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Under, DevicesRuns,
                         ::testing::Values("fcfs", "spread", "binpack", "fifo", "fair",
                                           "weighted_priorities", "drf"),
                         [](const auto& parameter) { return std::string(parameter.param); });

using FragmentedRuns = DevicesRuns;

// One pod more than there are demands that are told apart, each with a demand of its own.
TEST_F(FragmentedRuns, SayWhichTasksTheyLeaveOut) {
  std::string pods =
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
      "deletion_time,scheduled_time\n";
  for (int i = 1; i <= 4'097; ++i) {
    pods += fmt::format("p{0},{0},1024,1,500,,BE,Succeeded,0,1,0\n", i);
  }
  folder_.write("pods.csv", pods);
  const FinishedReplay replay = run("binpack");
  EXPECT_THAT(observer_.warnings,
              Contains(HasSubstr("with the first 4096 different demands: it leaves out 1 tasks")));
  EXPECT_THAT(read_run_json(replay.folder / run_json_file).end->counters,
              Contains(Pair("tasks_not_in_fragmentation", 1u)));
}

// While a and b run, 800 thousandths are free, which c cannot use, nor can a third like a or b.
TEST_F(FragmentedRuns, RecordWhatIsFreeAndCannotBeUsed) {
  const RunFolder folder = RunFolder::load(run("spread").folder);
  bool is_seen = false;
  for (const ClusterInterval& interval : folder.series.intervals) {
    if (interval.start < trace_time(1'000'000) || interval.end > trace_time(9'000'000)) continue;
    EXPECT_NEAR(interval.devices_free, 0.8, 1e-9);
    EXPECT_NEAR(interval.devices_fragmented, 0.8, 1e-9);
    is_seen = true;
  }
  EXPECT_TRUE(is_seen);
}

}  // namespace
}  // namespace tracebed
