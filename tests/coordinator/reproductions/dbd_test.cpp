// What the reproduction of Du, Lei and Chen runs.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

#include "coordinator/reproductions/dbd_architectures.h"
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

dbd::SparkJob job_of(std::string_view kind) {
  const auto jobs = dbd::spark_jobs();
  return *std::find_if(jobs.begin(), jobs.end(),
                       [&](const dbd::SparkJob& job) { return job.kind == kind; });
}

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

// Thirty-two set-ups with TeraSort, and eight by costs with each job, two of which are TeraSort's;
// each twice, with all executors at once and with dynamic allocation.
TEST_F(DbdReproduction, HasAnExperimentForEverySetup) {
  const ReproductionPlan plan = dbd_.plan({folder_.path(), 1, 10, {}});
  EXPECT_EQ(plan.experiments.size(), 2 * (32u + 5 * 8 - 2) + 2) << "two of architectures";
  EXPECT_EQ(plan.files.size(), 5u + 1 + 1) << "the queues of dynamic allocation, forty jobs";
  const std::vector<dbd::Setup> grid = dbd::grid();
  EXPECT_EQ(std::count(grid.begin(), grid.end(), dbd::compared_setup), 1);
}

// WordCount's map takes 1.1 CPU seconds and 0.345 s of waiting for 10^6 bytes, its reduce 0.4 and
// 0.933.
TEST_F(DbdReproduction, ScalesTheCostTable) {
  const ReproductionPlan plan = dbd_.plan({folder_.path(), 1, 10, {}});
  dbd::Setup setup = dbd::compared_setup;
  setup.cost = 10;
  const std::string name = dbd::experiment_name(job_of("wordcount"), setup);
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
  const std::string experiment = dbd::experiment_name(dbd::terasort(), dbd::compared_setup);
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

// Twenty blocks, five iterations: executors read each block once, and have it in memory from then
// on. Without a wait a task whose executor is busy takes it from there.
TEST_F(DbdReproduction, IteratesOnBlocksThatExecutorsKeep) {
  const std::string experiment = dbd::experiment_name(job_of("kmeans"), dbd::compared_setup);
  const FinishedReproduction finished = run(experiment, 1);
  for (const dbd::PlacedStrategy& strategy : dbd::strategies()) {
    SCOPED_TRACE(strategy.label);
    const MeasuredRuns runs = finished.results.find(experiment, strategy.label);
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0]->outcome, RunOutcome::complete);
    std::map<std::string, int> kept;  // tasks near memory, by stage
    for (const CsvRow& row : csv_rows(runs[0]->folder / tasks_csv_file)) {
      if (row.at("launched") == "0") continue;  // of an executor that got no further task
      const int stage = std::stoi(row.at("stage"));
      if (stage % 2 == 1) continue;
      EXPECT_EQ(row.at("bytes_node_local") != "0" || row.at("bytes_rack_local") != "0" ||
                    row.at("bytes_off_rack") != "0",
                stage == 0);
      kept[row.at("stage")] += row.at("locality") == "process" ? 1 : 0;
    }
    EXPECT_EQ(kept.size(), 5u);
    EXPECT_EQ(kept["0"], 0);
    EXPECT_GT(kept["2"], 10);
  }
}

// Executors come one, two and four at a time, until there are eight.
TEST_F(DbdReproduction, HasExecutorsByDynamicAllocation) {
  const std::string experiment =
      dbd::experiment_name(dbd::terasort(), dbd::dynamic(dbd::compared_setup));
  const FinishedReproduction finished = run(experiment, 1);
  const MeasuredRuns runs = finished.results.find(experiment, dbd::dynamic_label);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0]->outcome, RunOutcome::complete);
  std::set<std::int64_t> seconds;  // in which a first task of an executor was launched
  for (const CsvRow& row : csv_rows(runs[0]->folder / tasks_csv_file)) {
    seconds.insert(std::stoll(row.at("allocated_us")) / 1'000'000);
  }
  EXPECT_GE(seconds.size(), 3u);
  EXPECT_GE(*seconds.begin(), 1) << "none before a second has passed";
}

// One scheduler is never in conflict, nor is who holds an offer. By the times of Omega's simulator
// forty decisions take 5.6 s, one after the other.
TEST_F(DbdReproduction, ComparesArchitectures) {
  const std::string experiment = dbd::architecture_experiment(10);
  const FinishedReproduction finished = run(experiment, 2);
  std::map<std::string, double, std::less<>> transactions;
  std::map<std::string, double, std::less<>> conflicts;
  std::map<std::string, double, std::less<>> not_committed;
  for (const dbd::Architecture& each : dbd::architectures()) {
    for (const MeasuredRun* run : finished.results.find(experiment, each.label)) {
      EXPECT_EQ(run->outcome, RunOutcome::complete) << each.label << ": " << run->reason;
      for (const auto& [counter, count] : run->counters) {
        const std::string label(each.label);
        if (counter == "scheduler_transactions") transactions[label] += static_cast<double>(count);
        if (counter == "scheduler_units_in_conflict_no_room") {
          conflicts[label] += static_cast<double>(count);
          not_committed[label] += static_cast<double>(count);
        }
        if (counter == "scheduler_units_not_committed") {
          not_committed[label] += static_cast<double>(count);
        }
      }
    }
    EXPECT_GE(transactions[std::string(each.label)], 10) << each.label;
  }
  EXPECT_EQ(conflicts["monolithic"], 0);
  EXPECT_EQ(conflicts.count("two-level-8"), 0u);
  EXPECT_GT(conflicts["shared-8-local"], 0);
  EXPECT_GT(conflicts["shared-8-full"], 0);
  EXPECT_GT(not_committed["shared-8-full"], not_committed["shared-8-local"]);
  const ReproductionTable& table = finished.tables.back();
  EXPECT_EQ(table.rows.size(), 2 * dbd::architectures().size());
}

// The order that the paper found, in the set-up that comes nearest to its figures: for the means of
// ten repetitions. No figure of the paper is asserted.
TEST_F(DbdReproduction, OrdersLocalityByDensityThenSpreadThenBinpack) {
  const std::string experiment = dbd::experiment_name(dbd::terasort(), dbd::compared_setup);
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
