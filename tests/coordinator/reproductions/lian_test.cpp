// What the reproduction of Lian and Liu (2020) runs.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/load_experiment.h"
#include "coordinator/reproductions/reproduction_run.h"
#include "coordinator/reproductions/reproductions.h"
#include "report/run_columns.h"
#include "support/csv_rows.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

class QuietObserver final : public RunObserver {
 public:
  bool should_continue() override { return true; }
  void progressed(const RunProgress&) override {}
  void warned(const std::string&) override {}
};

class LianReproduction : public ::testing::Test {
 protected:
  const Reproduction lian_ = find_reproduction(builtin_reproductions(), "lian");

  FinishedReproduction run(const std::string& experiment, SettingValues settings = {}) {
    ReproductionOptions options;
    options.output = folder_.path() / experiment;
    options.repetitions = 1;
    options.settings = std::move(settings);
    options.only = {experiment};
    QuietObserver observer;
    return run_reproduction(lian_, test::schedulers(), options, observer);
  }
  static std::vector<CsvRow> rows_of(const FinishedReproduction& finished,
                                     const std::string& experiment, const std::string& label,
                                     const char* file) {
    const auto runs = finished.results.find(experiment, label);
    EXPECT_EQ(runs.size(), 1u) << label;
    return runs.empty() ? std::vector<CsvRow>() : csv_rows(runs[0]->folder / file);
  }

  TemporaryFolder folder_;
};

// Two schedulers, four groups, and four variants of each.
TEST_F(LianReproduction, HasAnExperimentForEachSchedulerGroupAndVariant) {
  const ReproductionPlan plan = lian_.plan({folder_.path(), 1, 10, {}});
  EXPECT_EQ(plan.experiments.size(), 2u * 4 * 4);
  for (const PlannedFile& file : plan.files) folder_.write(file.name, file.text);
  for (const PlannedExperiment& one : plan.experiments) {
    SCOPED_TRACE(one.name);
    const Experiment experiment =
        load_experiment(folder_.write(one.name + ".toml", one.toml), std::nullopt);
    for (const ControllerChoice& controller : experiment.controllers) {
      EXPECT_EQ(controller.starts_with_run, one.name.ends_with("-idle"));
    }
    const bool is_whole = std::count(one.name.begin(), one.name.end(), '-') == 1;
    // Eleven values, three readings by four periods, two predecessors.
    if (is_whole) {
      EXPECT_EQ(experiment.schedulers.size(), 11u + 12 + 2);
    }
  }
}

// By hand: at the burst n is 1, so that A rises from 0.1 by 0.85 / 2; where the controller has
// idled from 0 s on, every 15 s until 150 s, n by period is 11, and A rises by the step alone.
TEST_F(LianReproduction, AControllerThatIdledBeforeTheBurstTakesASmallerStep) {
  const auto first_change = [](const FinishedReproduction& finished, const std::string& experiment,
                               const std::string& label) {
    const auto changes = rows_of(finished, experiment, label, control_csv_file);
    EXPECT_FALSE(changes.empty());
    return changes.empty() ? CsvRow() : changes[0];
  };
  const FinishedReproduction together = run("capacity-terasort");
  CsvRow row = first_change(together, "capacity-terasort", "lian2020-period-15s");
  EXPECT_EQ(row.at("decided_us"), "0");
  EXPECT_EQ(row.at("pending"), "30");
  EXPECT_EQ(row.at("wanted"), "0.525");
  const FinishedReproduction idle = run("capacity-terasort-idle");
  row = first_change(idle, "capacity-terasort-idle", "lian2020-period-15s");
  EXPECT_EQ(row.at("decided_us"), "150000000");
  EXPECT_EQ(row.at("pending"), "30");
  EXPECT_EQ(row.at("wanted"), "0.15");
  row = first_change(idle, "capacity-terasort-idle", "lian2020-pending-15s");
  EXPECT_EQ(row.at("wanted"), "0.525");
  const auto jobs = rows_of(idle, "capacity-terasort-idle", "fixed-0.1", jobs_csv_file);
  ASSERT_EQ(jobs.size(), 30u);
  for (const CsvRow& job : jobs) EXPECT_EQ(job.at("submitted_us"), "150000000");
}

TEST_F(LianReproduction, JobsOfAGapComeOneAfterTheOther) {
  const FinishedReproduction finished = run("fair-mix-gap", {{"gap_ms", "500"}});
  const auto jobs = rows_of(finished, "fair-mix-gap", "fixed-0.5", jobs_csv_file);
  ASSERT_EQ(jobs.size(), 30u);
  std::vector<std::int64_t> times;
  for (const CsvRow& job : jobs) times.push_back(std::stoll(job.at("due_us")));
  std::sort(times.begin(), times.end());
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(times[i], 500'000 * static_cast<std::int64_t>(i));
  }
}

// Nothing of the paper's figures is asserted: the tables have a row for each arm, whatever came
// out.
TEST_F(LianReproduction, TablesHaveWhatWasRunAndLeaveOutTheRest) {
  const FinishedReproduction finished = run("capacity-terasort-size");
  std::size_t values = 0;
  for (const ReproductionTable& table : finished.tables) {
    for (const auto& row : table.rows) {
      ASSERT_EQ(row.size(), table.columns.size()) << table.title;
      for (const TableCell& cell : row) values += cell.interval ? 1U : 0U;
    }
  }
  EXPECT_EQ(values, 0u) << "one repetition has no interval";
  EXPECT_EQ(finished.results.find("capacity-terasort-size", "fixed-0.0").size(), 1u);
}

}  // namespace
}  // namespace tracebed
