// Whole virtual runs of a scheduler that counts memory alone, on a machine with more memory than
// vcores: what they record, what they warn of, and that they are decided again alike.
#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/load_experiment.h"
#include "coordinator/recorded/replay_log.h"
#include "coordinator/runner/experiment_run.h"
#include "report/run_folder.h"
#include "report/run_json.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class KeepingObserver final : public RunObserver {
 public:
  bool should_continue() override { return true; }
  void progressed(const RunProgress&) override {}
  void warned(const std::string& message) override { warnings.push_back(message); }
  std::vector<std::string> warnings;
};

// Sixteen tasks at once, of a vcore and 1 GiB each, which compute for as long as they last, on a
// machine of 4 vcores and 16 GiB.
class VcoresRuns : public ::testing::Test {
 protected:
  VcoresRuns() {
    folder_.write("jobs.csv",
                  "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,"
                  "input_path\nonly,0,grep,100000000,16,0,1,1024,user,default,\n");
  }

  FinishedReplay run(const std::string& scheduler, const std::string& cluster = {},
                     const std::string& more = {}) {
    observer_.warnings.clear();
    const auto file = folder_.write(
        "mine.toml",
        fmt::format("name = \"mine\"\nworld = \"virtual\"\nrepetitions = 1\n"
                    "[[scheduler]]\nname = \"{}\"\n[trace]\nfile = \"jobs.csv\"\n[cluster]\n"
                    "nodes = 1\nvcores = 4\nmemory = \"16 GiB\"\n{}{}",
                    scheduler, cluster, more));
    Experiment experiment = load_experiment(file, std::nullopt);
    experiment.output = folder_.path() / fmt::format("out{}", ++runs_);
    const FinishedExperiment finished = run_experiment(
        experiment,
        {.schedulers = test::schedulers(), .experiment_file = "mine.toml", .programs = {}},
        observer_);
    EXPECT_EQ(finished.replays.at(0).outcome, RunOutcome::complete);
    return finished.replays.at(0);
  }
  static RunRecord record_of(const FinishedReplay& replay) {
    return read_run_json(replay.folder / run_json_file);
  }
  static void expect_decided_again(const FinishedReplay& replay) {
    const LogReplay again = replay_log(replay.folder, test::schedulers());
    EXPECT_EQ(again.digest, replay.digest);
    EXPECT_TRUE(again.row_differences.empty());
  }

  TemporaryFolder folder_;
  KeepingObserver observer_;
  int runs_ = 0;
};

TEST_F(VcoresRuns, SayThatMemoryAloneLimits) {
  const FinishedReplay replay = run("fifo");
  const RunRecord record = record_of(replay);
  EXPECT_THAT(record.description.limited_dimensions, ElementsAre("memory"));
  EXPECT_THAT(record.description.differences, ElementsAre("container-vcores", "available-vcores"));
  EXPECT_THAT(record.description.world_settings, Contains(Pair("limit_vcores", "false")));
  ASSERT_TRUE(record.end.has_value());
  EXPECT_THAT(record.end->counters, Contains(Pair("allocations_beyond_vcores", 12u)));
  EXPECT_THAT(observer_.warnings,
              Contains("fifo: containers were placed on machines that had given all their vcores "
                       "(allocations_beyond_vcores in run.json), since the scheduler counts memory "
                       "alone, as its original does: their tasks share the cores "
                       "(cluster.limit_vcores = true keeps to the vcores)"));
  EXPECT_GT(record.utilisation[Resources::vcores_dimension], 3.5);
  EXPECT_LE(record.utilisation[Resources::memory_dimension], 1);
  expect_decided_again(replay);
}

TEST_F(VcoresRuns, KeepToVcoresThatAreLimited) {
  const FinishedReplay replay = run("fifo", "limit_vcores = true\n");
  const RunRecord record = record_of(replay);
  EXPECT_THAT(record.description.limited_dimensions, ElementsAre("vcores", "memory"));
  EXPECT_THAT(record.description.world_settings, Contains(Pair("limit_vcores", "true")));
  ASSERT_TRUE(record.end.has_value());
  EXPECT_THAT(record.end->counters, Contains(Pair("allocations_beyond_vcores", 0u)));
  EXPECT_THAT(observer_.warnings, IsEmpty());
  EXPECT_LE(record.utilisation[Resources::vcores_dimension], 1);
  expect_decided_again(replay);
  EXPECT_NE(run("fifo").digest, replay.digest);
}

// The decisions' log does not have how machines enforce them, the record has.
TEST_F(VcoresRuns, RecordHowVcoresAreEnforced) {
  const FinishedReplay quota = run("fifo");
  EXPECT_THAT(record_of(quota).description.world_settings,
              Contains(Pair("cpu_enforcement", "quota")));
  const FinishedReplay weight = run("fifo", "cpu_enforcement = \"weight\"\n");
  EXPECT_THAT(record_of(weight).description.world_settings,
              Contains(Pair("cpu_enforcement", "weight")));
  expect_decided_again(weight);
}

TEST_F(VcoresRuns, AreTheSameUnderASchedulerThatCountsVcores) {
  const FinishedReplay alone = run("spread");
  EXPECT_THAT(record_of(alone).description.limited_dimensions, ElementsAre("vcores", "memory"));
  EXPECT_EQ(run("spread", "limit_vcores = true\n").digest, alone.digest);
}

TEST_F(VcoresRuns, SayThatIdealMachinesAreNotShared) {
  run("fifo", "", "[virtual]\nmodel = \"ideal\"\n");
  EXPECT_THAT(observer_.warnings,
              Contains(HasSubstr("on ideal machines their tasks do not slow each other")));
}

}  // namespace
}  // namespace tracebed
