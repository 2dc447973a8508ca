#include "coordinator/reproductions/reproduction_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/reproductions/table_cells.h"
#include "core/input_error.h"
#include "support/files.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SilentObserver final : public RunObserver {
 public:
  bool should_continue() override { return !is_cancelled; }
  void progressed(const RunProgress& progress) override { names.push_back(progress.scheduler); }
  void warned(const std::string&) override {}
  bool is_cancelled = false;
  std::vector<std::string> names;
};

// Two jobs on one machine, and a job that no machine can hold.
std::string experiment_text(const std::string& trace) {
  return "name = \"small\"\nworld = \"virtual\"\nschedulers = [\"fcfs\", \"spread\"]\n"
         "[trace]\nfile = \"" +
         trace +
         "\"\n[virtual]\nmodel = \"ideal\"\n[cluster]\nnodes = 1\nvcores = 4\nmemory = \"4 GiB\"\n";
}

// A job of SWF: submitted, runs for so long, on so many processors.
std::string swf_job(int number, int submit, int seconds, int processors) {
  return std::to_string(number) + " " + std::to_string(submit) + " -1 " + std::to_string(seconds) +
         " " + std::to_string(processors) + " -1 -1 " + std::to_string(processors) +
         " 100 -1 1 1 1 1 1 -1 -1 -1\n";
}

Reproduction small_reproduction() {
  static const std::vector<SettingDescription> settings{{"length", "10", "seconds of each job"}};
  Reproduction one;
  one.name = "small";
  one.paper = "Nobody, nowhere";
  one.summary = "Two jobs.";
  one.settings = settings;
  one.plan = [](const ReproductionRequest& request) {
    SettingReader reader("reproduction small", settings, request.settings);
    const int length = static_cast<int>(reader.integer("length", 1, 100));
    if (const Status status = reader.status(); !status) throw InputError(status.error().message);
    return ReproductionPlan{
        .files = {{"a.swf", swf_job(1, 0, length, 4) + swf_job(2, 0, length, 4)},
                  {"b.swf", swf_job(1, 0, length, 1)}},
        .experiments = {{"a", experiment_text("a.swf")}, {"b", experiment_text("b.swf")}}};
  };
  one.tables = [](const ReproductionRequest&, const ReproductionResults& results) {
    ReproductionTable table;
    table.title = "Makespans";
    table.columns = {"scheduler", "a", "b"};
    for (const char* label : {"fcfs", "spread"}) {
      table.rows.push_back({text_cell(label), figure_cell(results.find("a", label), makespan_of),
                            figure_cell(results.find("b", label), makespan_of)});
    }
    table.notes = {"By hand: 20 and 10."};
    return std::vector<ReproductionTable>{table};
  };
  one.real_part =
      RealPart{.repetitions = 1,
               .summary = "One job.",
               .without = {"length"},
               .plan =
                   [](const ReproductionRequest&) {
                     return ReproductionPlan{.files = {{"c.swf", swf_job(1, 0, 5, 1)}},
                                             .experiments = {{"c", experiment_text("c.swf")}}};
                   },
               .tables =
                   [](const ReproductionRequest&, const ReproductionResults& results) {
                     ReproductionTable table;
                     table.title = "One makespan";
                     table.columns = {"c"};
                     table.rows = {{figure_cell(results.find("c", "fcfs"), makespan_of)}};
                     return std::vector<ReproductionTable>{table};
                   }};
  return one;
}

class ReproductionRun : public ::testing::Test {
 protected:
  FinishedReproduction run(const ReproductionOptions& options) {
    return run_reproduction(small_reproduction(), test::schedulers(), options, observer_);
  }
  ReproductionOptions options() const {
    ReproductionOptions chosen;
    chosen.output = folder_.path() / "out";
    chosen.repetitions = 2;
    chosen.parallel = 1;
    return chosen;
  }

  TemporaryFolder folder_;
  SilentObserver observer_;
};

// Jobs of four processors follow one another: 10 s and 10 s.
TEST_F(ReproductionRun, RunsEveryExperimentAndMakesItsTables) {
  const FinishedReproduction finished = run(options());
  ASSERT_EQ(finished.results.all().size(), 8u);  // two experiments, schedulers and repetitions
  ASSERT_EQ(finished.tables.size(), 1u);
  EXPECT_EQ(finished.tables[0].rows[0][1].value, 20);
  EXPECT_EQ(finished.tables[0].rows[1][2].value, 10);
  const std::string text = to_text(small_reproduction(), finished);
  EXPECT_THAT(text, HasSubstr("2 repetitions with seed 1 and following"));
  EXPECT_THAT(text, HasSubstr("length = 10: seconds of each job\n"));
  EXPECT_THAT(text, HasSubstr("fcfs       20 (20..20)  10 (10..10)"));
  EXPECT_EQ(contents(folder_.path() / "out/reproduction.txt"), text);
  const json record = json::parse(contents(folder_.path() / "out/reproduction.json"));
  EXPECT_EQ(record.at("format"), "tracebed-reproduction");
  EXPECT_EQ(record.at("settings").at("length"), "10");
  EXPECT_EQ(record.at("runs")[0].at("folder"), "runs/a/fcfs/r1");
  EXPECT_EQ(record.at("tables")[0].at("rows")[0][1].at("value"), 20);
  for (const char* file : {"a.toml", "b.toml", "runs/a/experiment.json", "runs/b/spread/r2"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "out" / file)) << file;
  }
  EXPECT_THAT(observer_.names, ::testing::Contains("a, fcfs"));
}

TEST_F(ReproductionRun, RunsTheRealPartInsteadWhereThatIsRequested) {
  ReproductionOptions chosen = options();
  chosen.is_real = true;
  const FinishedReproduction finished = run(chosen);
  ASSERT_EQ(finished.tables.size(), 1u);
  EXPECT_EQ(finished.tables[0].title, "One makespan");
  EXPECT_EQ(finished.tables[0].rows[0][0].value, 5);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out/a.toml"));
  EXPECT_THAT(to_text(small_reproduction(), finished),
              HasSubstr("As processes on agents of this machine"));
  const json record = json::parse(contents(folder_.path() / "out/reproduction.json"));
  EXPECT_EQ(record.at("part"), "local");
}

// What a busy machine does to real runs is said beside their figures.
TEST(ReproductionText, SaysHowBusyTheMachineWasWithOtherThings) {
  FinishedReproduction finished;
  finished.request.repetitions = 1;
  EXPECT_THAT(to_text(small_reproduction(), finished), testing::Not(HasSubstr("note:")));
  MeasuredRun run;
  run.machine_loads = {{"localhost", {.busy = 0.9, .others = 0.5, .stolen = 0}}};
  finished.results.add(run);
  EXPECT_THAT(to_text(small_reproduction(), finished),
              HasSubstr("50.0 % with processes of others"));
  EXPECT_THAT(to_json(small_reproduction(), finished),
              HasSubstr("50.0 % with processes of others"));
}

// Of three repetitions from seed 5 on, the second has seed 6.
TEST_F(ReproductionRun, RunsAnExperimentOfOneRepetitionOnceWithItsSeed) {
  Reproduction drawn = small_reproduction();
  drawn.plan = [plan = drawn.plan](const ReproductionRequest& request) {
    ReproductionPlan planned = plan(request);
    planned.experiments.at(1).repetition = 2;
    return planned;
  };
  ReproductionOptions chosen = options();
  chosen.repetitions = 3;
  chosen.seed = 5;
  const FinishedReproduction finished =
      run_reproduction(drawn, test::schedulers(), chosen, observer_);
  EXPECT_EQ(finished.results.find("a", "fcfs").size(), 3u);
  const auto runs = finished.results.find("b", "fcfs");
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0]->repetition, 2u);
  EXPECT_EQ(runs[0]->seed, 6u);
}

TEST_F(ReproductionRun, SaysWhatWasSetAndWhatWasLeftOut) {
  ReproductionOptions chosen = options();
  chosen.settings = {{"length", "7"}};
  chosen.only = {"b"};
  const FinishedReproduction finished = run(chosen);
  EXPECT_THAT(finished.left_out, ElementsAre("a"));
  EXPECT_EQ(finished.tables[0].rows[0][1].text, "-");
  EXPECT_EQ(finished.tables[0].rows[0][2].value, 7);
  const std::string text = to_text(small_reproduction(), finished);
  EXPECT_THAT(text, HasSubstr("length = 7 (set): seconds of each job\n"));
  EXPECT_THAT(text, HasSubstr("Not run: a\n"));
}

TEST_F(ReproductionRun, RefusesWhatItsRealPartHasNoUseFor) {
  ReproductionOptions chosen = options();
  chosen.is_real = true;
  chosen.settings = {{"length", "7"}};
  try {
    run(chosen);
    FAIL() << "it was run";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--set length: it has no use in the local world"));
  }
}

TEST_F(ReproductionRun, NeverOverwritesAnother) {
  ReproductionOptions chosen = options();
  chosen.only = {"b"};
  run(chosen);
  try {
    run(chosen);
    FAIL() << "it ran";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--output: expected a folder without a reproduction"));
  }
}

TEST_F(ReproductionRun, WritesNothingBeforeItHasCheckedExperimentsAndSettings) {
  ReproductionOptions chosen = options();
  chosen.only = {"b", "c"};
  try {
    run(chosen);
    FAIL() << "it ran";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--only: there is no experiment c"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out"));
  chosen.only.clear();
  chosen.settings = {{"lenght", "7"}};
  EXPECT_THROW(run(chosen), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out"));
}

TEST_F(ReproductionRun, MakesNoTablesWhenItIsCancelled) {
  observer_.is_cancelled = true;
  const FinishedReproduction finished = run(options());
  EXPECT_TRUE(finished.is_cancelled);
  EXPECT_TRUE(finished.tables.empty());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out/reproduction.json"));
}

}  // namespace
}  // namespace tracebed
