// What the reproduction of Du, Lei and Chen runs.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/reproductions/dbd_experiments.h"
#include "coordinator/reproductions/reproduction_run.h"
#include "coordinator/reproductions/reproductions.h"
#include "coordinator/reproductions/table_cells.h"
#include "report/run_columns.h"
#include "support/csv_rows.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

class IdleObserver final : public RunObserver {
 public:
  bool should_continue() override { return true; }
  void progressed(const RunProgress&) override {}
  void warned(const std::string& message) override { ADD_FAILURE() << message; }
};

class DbdReproduction : public ::testing::Test {
 protected:
  const Reproduction dbd_ = find_reproduction(builtin_reproductions(), "dbd");

  FinishedReproduction run(const std::string& experiment, std::uint32_t repetitions,
                           SettingValues settings = {}) {
    ReproductionOptions options;
    options.output = folder_.path() / experiment;
    options.repetitions = repetitions;
    options.settings = std::move(settings);
    options.only = {experiment};
    IdleObserver observer;
    return run_reproduction(dbd_, test::schedulers(), options, observer);
  }

  TemporaryFolder folder_;
};

// Thirty-two set-ups with TeraSort, and eight by costs with each job, two of which are TeraSort's.
TEST_F(DbdReproduction, HasAnExperimentForEverySetup) {
  const ReproductionPlan plan = dbd_.plan({folder_.path(), 1, 10, {}});
  EXPECT_EQ(plan.experiments.size(), 32u + 3 * 8 - 2);
  EXPECT_EQ(plan.files.size(), 3u);
  const std::vector<dbd::Setup> grid = dbd::grid();
  EXPECT_EQ(std::count(grid.begin(), grid.end(), dbd::compared_setup), 1);
}

// WordCount's map takes 1.1 CPU seconds and 0.345 s of waiting for 10^6 bytes, its reduce 0.4 and
// 0.933.
TEST_F(DbdReproduction, ScalesTheCostTable) {
  const ReproductionPlan plan = dbd_.plan({folder_.path(), 1, 10, {}});
  dbd::Setup setup = dbd::compared_setup;
  setup.cost = 10;
  const std::string name = dbd::experiment_name(dbd::spark_jobs().front(), setup);
  const auto found =
      std::find_if(plan.experiments.begin(), plan.experiments.end(),
                   [&](const PlannedExperiment& planned) { return planned.name == name; });
  ASSERT_NE(found, plan.experiments.end());
  for (const char* line :
       {"kind.wordcount.map_cpu = \"0.11\"\n", "kind.wordcount.map_wait = \"0.0345\"\n",
        "kind.wordcount.reduce_base = \"0\"\n", "kind.wordcount.reduce_cpu = \"0.04\"\n",
        "kind.wordcount.reduce_wait = \"0.0933\"\n"}) {
    EXPECT_THAT(found->toml, testing::HasSubstr(line));
  }
}

// By hand: of four tasks with input three ran on its node; reduces have none.
TEST_F(DbdReproduction, CountsTheTasksThatReadTheirBlockOnItsNode) {
  MeasuredRun run;
  auto& counts = run.metrics.attempts.localities;
  counts[static_cast<std::size_t>(Locality::node)] = 3;
  counts[static_cast<std::size_t>(Locality::off_switch)] = 1;
  counts[static_cast<std::size_t>(Locality::none_asked)] = 8;
  EXPECT_DOUBLE_EQ(dbd::locality_of(run), 75);
  EXPECT_DOUBLE_EQ(dbd::locality_of(MeasuredRun()), 0);
}

// Eight executors, twenty tasks, of which each reads its block of 128 MiB: where the master says it
// ran is what datanodes sent it from.
TEST_F(DbdReproduction, ReadsEachBlockOnceFromWhereItsLocalitySays) {
  const std::string experiment =
      dbd::experiment_name(dbd::spark_jobs().back(), dbd::compared_setup);
  const FinishedReproduction finished = run(experiment, 1);
  for (const dbd::PlacedStrategy& strategy : dbd::strategies()) {
    SCOPED_TRACE(strategy.label);
    const MeasuredRuns runs = finished.results.find(experiment, strategy.label);
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0]->outcome, RunOutcome::complete);
    int readers = 0;
    for (const CsvRow& row : csv_rows(runs[0]->folder / tasks_csv_file)) {
      if (row.at("stage") != "0") continue;
      ++readers;
      const bool is_local = row.at("locality") == "node";
      EXPECT_EQ(row.at("bytes_node_local"), is_local ? "134217728" : "0");
      EXPECT_EQ(row.at("bytes_read"), "134217728");
    }
    EXPECT_EQ(readers, 20);
  }
}

// The order that the paper found, in the set-up that comes nearest to its figures: for the means of
// ten repetitions. No figure of the paper is asserted.
TEST_F(DbdReproduction, OrdersLocalityByDensityThenSpreadThenBinpack) {
  const std::string experiment =
      dbd::experiment_name(dbd::spark_jobs().back(), dbd::compared_setup);
  const FinishedReproduction finished = run(experiment, 10);
  const auto locality = [&](const char* label) {
    const TableCell cell = figure_cell(finished.results.find(experiment, label), dbd::locality_of);
    EXPECT_TRUE(cell.value) << label;
    return cell.value.value_or(0);
  };
  EXPECT_GT(locality("dbd"), locality("spread"));
  EXPECT_GT(locality("spread"), locality("binpack"));
}

}  // namespace
}  // namespace tracebed
