// Whole virtual runs whose scheduler has a controller.
#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/load_experiment.h"
#include "coordinator/recorded/replay_log.h"
#include "coordinator/runner/experiment_run.h"
#include "report/run_folder.h"
#include "support/csv_rows.h"
#include "support/hadoop_file.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr int jobs = 12;

class SilentObserver final : public RunObserver {
 public:
  bool should_continue() override { return true; }
  void progressed(const RunProgress&) override {}
  void warned(const std::string& message) override { warnings.push_back(message); }
  std::vector<std::string> warnings;
};

// Twelve jobs at once, whose masters take two of the sixteen units of memory each.
class ControlledRuns : public ::testing::Test {
 protected:
  ControlledRuns() {
    std::string rows =
        "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,"
        "input_path\n";
    for (int job = 0; job < jobs; ++job) {
      rows += fmt::format("grep{},0,grep,100000000,5,1,0.5,1024,user,default,\n", job);
    }
    folder_.write("jobs.csv", rows);
    folder_.write(
        "capacity.xml",
        test::hadoop_file({{"yarn.scheduler.capacity.root.queues", "default"},
                           {"yarn.scheduler.capacity.root.default.capacity", "100"},
                           {"yarn.scheduler.capacity.maximum-am-resource-percent", "0.2"}}));
    folder_.write("fair.xml",
                  "<allocations><queue name=\"default\"><maxAMShare>0.2</maxAMShare></queue>"
                  "</allocations>");
  }

  FinishedReplay run(const std::string& scheduler, const std::string& controller,
                     const std::string& more = {}) {
    const std::string output = fmt::format("out{}", ++runs_);
    const auto file = folder_.write(
        "mine.toml",
        fmt::format("name = \"mine\"\nworld = \"virtual\"\nrepetitions = 1\nam = \"container\"\n"
                    "[[scheduler]]\nname = \"{0}\"\nconfig = \"{0}.xml\"\n{1}"
                    "[trace]\nfile = \"jobs.csv\"\n[cluster]\nnodes = 2\nvcores = 4\n"
                    "memory = \"8 GiB\"\n[master_container]\nvcores = 0.5\n"
                    "[virtual]\nmaster_startup = \"6s\"\n{2}{3}",
                    scheduler, scheduler == "fair" ? "user_as_default_queue = false\n" : "",
                    controller, more));
    Experiment experiment = load_experiment(file, std::nullopt);
    experiment.output = folder_.path() / output;
    const FinishedExperiment finished = run_experiment(
        experiment,
        {.schedulers = test::schedulers(), .experiment_file = "mine.toml", .programs = {}},
        observer_);
    EXPECT_EQ(finished.replays.size(), 1u);
    return finished.replays.at(0);
  }
  std::vector<CsvRow> changes_of(const FinishedReplay& replay) const {
    return csv_rows(replay.folder / control_csv_file);
  }

  TemporaryFolder folder_;
  SilentObserver observer_;
  int runs_ = 0;
};

std::string controller_text(const std::string& name, const std::string& more = {}) {
  return "[[controller]]\nname = \"" + name + "\"\n" + more;
}

TEST_F(ControlledRuns, AreDecidedAgainFromTheirLogWithoutTheirController) {
  for (const char* scheduler : {"capacity", "fair"}) {
    for (const char* controller : {"lian2020", "pid", "zhang2015", "zhang2016"}) {
      SCOPED_TRACE(fmt::format("{} with {}", scheduler, controller));
      const FinishedReplay replay = run(scheduler, controller_text(controller));
      EXPECT_EQ(replay.outcome, RunOutcome::complete);
      EXPECT_EQ(replay.jobs_ended, jobs);
      const std::vector<CsvRow> changes = changes_of(replay);
      ASSERT_FALSE(changes.empty());
      for (const CsvRow& row : changes) EXPECT_NE(row.at("outcome"), "refused");
      const LogReplay again = replay_log(replay.folder, test::schedulers());
      EXPECT_EQ(again.digest, replay.digest);
      EXPECT_EQ(again.recorded_digest, replay.digest);
      EXPECT_TRUE(again.row_differences.empty());
    }
  }
}

// No application is lost by a refresh, here up to one a second.
TEST_F(ControlledRuns, EndEveryJobOnce) {
  const FinishedReplay replay =
      run("capacity", controller_text("zhang2016", "latency = \"0s\"\n"), "[log]\nkeep = false\n");
  const RunFolder folder = RunFolder::load(replay.folder);
  ASSERT_EQ(folder.jobs.size(), static_cast<std::size_t>(jobs));
  for (const JobFigures& job : folder.jobs) EXPECT_EQ(job.outcome, JobOutcome::succeeded);
  EXPECT_TRUE(std::none_of(observer_.warnings.begin(), observer_.warnings.end(),
                           [](const std::string& warning) {
                             return warning.find("another configuration") != std::string::npos;
                           }))
      << "each change is a row, and no warning";
}

TEST_F(ControlledRuns, DecideAsWithoutAControllerIfItChangesNothing) {
  const FinishedReplay alone = run("capacity", "");
  const FinishedReplay controlled =
      run("capacity", controller_text("zhang2016", "a_min = 0.2\na_max = 0.2\n"));
  EXPECT_EQ(controlled.digest, alone.digest);
  EXPECT_FALSE(std::filesystem::exists(controlled.folder / control_csv_file));
}

TEST_F(ControlledRuns, RecordControllerChangesAndTheRewrittenFile) {
  const FinishedReplay replay = run("capacity", controller_text("lian2020", "step = 0.1\n"));
  const RunFolder folder = RunFolder::load(replay.folder);
  EXPECT_THAT(folder.description.scheduler_settings, Contains(Pair("controller", "lian2020")));
  EXPECT_THAT(folder.description.scheduler_settings, Contains(Pair("controller.step", "0.1")));
  const std::vector<CsvRow> changes = changes_of(replay);
  // All come at once: A rises by half of what is left, (0.95 − 0.2) / 2.
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes[0].at("decided_us"), "0");
  EXPECT_EQ(changes[0].at("due_us"), "1000000");
  EXPECT_EQ(changes[0].at("pending"), std::to_string(jobs));
  EXPECT_EQ(changes[0].at("before"), "0.2");
  EXPECT_EQ(changes[0].at("wanted"), "0.575");
  std::string last;
  std::uint64_t taken = 0;
  for (const CsvRow& row : changes) {
    if (row.at("outcome") != "taken") continue;
    ++taken;
    last = row.at("wanted");
  }
  EXPECT_THAT(folder.end.counters, Contains(Pair("control_changes_taken", taken)));
  EXPECT_THAT(contents(replay.folder / "scheduler-files/config.rewritten.xml"),
              HasSubstr("<value>" + last + "</value>"));
}

// What the controller's steps change does not keep a run from being given up: no master may start.
TEST_F(ControlledRuns, StallWhateverTheirControllerDoes) {
  folder_.write("fair.xml",
                "<allocations><queue name=\"default\"><maxAMShare>0</maxAMShare></queue>"
                "</allocations>");
  const FinishedReplay replay =
      run("fair", controller_text("zhang2016", "a_min = 0.0\na_max = 0.0\n"));
  EXPECT_EQ(replay.outcome, RunOutcome::stalled);
  const FinishedReplay rescued = run("fair", controller_text("lian2020"));
  EXPECT_EQ(rescued.outcome, RunOutcome::complete);
}

// A refresh of the experiment comes with the first change, and another between later ones: what the
// controller changes from then on is the refreshed file.
TEST_F(ControlledRuns, ChangeTheFileThatTheLastRefreshBrought) {
  for (const int limit : {3, 4}) {
    folder_.write(fmt::format("limit{}.xml", limit),
                  test::hadoop_file({{"yarn.scheduler.capacity.root.queues", "default"},
                                     {"yarn.scheduler.capacity.root.default.capacity", "100"},
                                     {"yarn.scheduler.capacity.root.default.user-limit-factor",
                                      std::to_string(limit)}}));
  }
  const FinishedReplay replay = run("capacity", controller_text("zhang2016"),
                                    "[[refresh]]\nat = \"1s\"\nconfig = \"limit3.xml\"\n"
                                    "[[refresh]]\nat = \"9s\"\nconfig = \"limit4.xml\"\n");
  EXPECT_EQ(replay.outcome, RunOutcome::complete);
  EXPECT_THAT(observer_.warnings,
              ::testing::ElementsAre(HasSubstr("at 0:01 of the trace the scheduler loaded"),
                                     HasSubstr("at 0:09 of the trace the scheduler loaded")));
  const std::vector<CsvRow> changes = changes_of(replay);
  EXPECT_EQ(changes.front().at("due_us"), "1000000");
  EXPECT_GT(std::stoll(changes.back().at("due_us")), 9'000'000);
  const std::string file = contents(replay.folder / "scheduler-files/config.rewritten.xml");
  EXPECT_THAT(file, HasSubstr("<value>4</value>"));
  EXPECT_THAT(file, HasSubstr("<value>" + changes.back().at("wanted") + "</value>"));
  const LogReplay again = replay_log(replay.folder, test::schedulers());
  EXPECT_EQ(again.digest, replay.digest);
}

// As a controller that was there before the burst.
TEST_F(ControlledRuns, MayHaveAControllerFromTheBeginning) {
  const FinishedReplay replay =
      run("capacity", controller_text("lian2020", "start = \"run\"\nperiod_ms = 5000\n"));
  EXPECT_EQ(replay.outcome, RunOutcome::complete);
}

}  // namespace
}  // namespace tracebed
