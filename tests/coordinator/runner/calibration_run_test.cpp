// What a calibration takes of runs, and what it refuses.
#include "coordinator/runner/calibration_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/load_experiment.h"
#include "core/input_error.h"
#include "support/temporary_folder.h"
#include "system/own_machine.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

// On three machines of four vcores, ten times as fast as its trace.
RunFolder run_in(std::string_view world) {
  RunFolder run;
  run.folder = "runs/some";
  run.description.experiment_name = "calibration";
  run.description.world = world;
  run.description.isolation = "cgroup-v2";
  run.description.time_scale = 10;
  for (const char* name : {"lab1", "lab2", "lab3"}) {
    Machine machine;
    machine.name = name;
    machine.capacity = Resources(4'000, 8'192);
    run.description.machines.push_back(machine);
  }
  run.attempts.launched = 120;
  run.attempts.launch_latency = {.count = 120, .mean = 0.05, .p50 = 0.03, .p95 = 0.06};
  run.attempts.contention = {.count = 120, .mean = 0.1, .p50 = 0.12, .p95 = 0.3};
  return run;
}

RunFolder with_masters() {
  RunFolder run = run_in("cluster");
  run.description.experiment_name = "calibration-masters";
  run.attempts.masters = 60;
  run.attempts.master_startup = {.count = 60, .mean = 0.3, .p50 = 0.2, .p95 = 0.5};
  return run;
}

std::string refusal(const RunFolder& tasks, const RunFolder* masters = nullptr) {
  try {
    (void)calibration_of(tasks, masters);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(CalibrationOfRuns, IsTheirTraceTimeOverTheirScale) {
  const RunFolder masters = with_masters();
  const Calibration calibration = calibration_of(run_in("cluster"), &masters);
  EXPECT_EQ(calibration.machine, "lab1, lab2, lab3");
  EXPECT_EQ(calibration.processor, "");
  EXPECT_EQ(calibration.processors, 12);
  EXPECT_EQ(calibration.isolation, "cgroup-v2");
  EXPECT_EQ(calibration.tasks, 120);
  EXPECT_EQ(calibration.launch_latency, milliseconds(3));
  EXPECT_DOUBLE_EQ(calibration.launch_spread, 2);
  EXPECT_EQ(calibration.task_overhead, milliseconds(12));
  EXPECT_DOUBLE_EQ(calibration.task_overhead_spread, 2.5);
  ASSERT_TRUE(calibration.master_startup);
  EXPECT_EQ(calibration.master_startup->median, milliseconds(20));
  EXPECT_DOUBLE_EQ(calibration.master_startup->spread, 2.5);
  EXPECT_FALSE(calibration_of(run_in("cluster"), nullptr).master_startup);
}

TEST(CalibrationOfRuns, OfALocalWorldIsThisMachines) {
  const Calibration calibration = calibration_of(run_in("local"), nullptr);
  EXPECT_EQ(calibration.machine, host_name());
  EXPECT_EQ(calibration.processor, processor_model());
}

TEST(CalibrationOfRuns, NamesEightMachinesAtMost) {
  RunFolder run = run_in("cluster");
  run.description.machines.resize(1'000, run.description.machines.front());
  EXPECT_EQ(calibration_of(run, nullptr).machine,
            "lab1, lab2, lab3, lab1, lab1, lab1, lab1, lab1 and 992 more");
}

TEST(CalibrationOfRuns, RefusesRunsThatAreNotSuch) {
  EXPECT_THAT(refusal(run_in("virtual")), HasSubstr("runs/some: expected a run of real machines"));
  RunFolder failed = run_in("cluster");
  failed.attempts.lost = 2;
  EXPECT_THAT(refusal(failed), HasSubstr("expected all tasks to succeed, but 2 of 120 did not"));
  failed = run_in("cluster");
  failed.end.outcome = RunOutcome::cancelled;
  EXPECT_THAT(refusal(failed), HasSubstr("the run's outcome is cancelled"));
  const RunFolder masters = with_masters();
  EXPECT_THAT(refusal(masters), HasSubstr("expected a run of the experiment calibration, got one "
                                          "of calibration-masters"));
  RunFolder changed = with_masters();
  changed.description.experiment_name = "calibration";
  EXPECT_THAT(refusal(changed), HasSubstr("expected a run without masters in containers"));
  const RunFolder tasks = run_in("cluster");
  EXPECT_THAT(refusal(tasks, &tasks),
              HasSubstr("expected a run of the experiment calibration-masters, got one of "));
  changed = run_in("cluster");
  changed.description.experiment_name = "calibration-masters";
  EXPECT_THAT(refusal(tasks, &changed), HasSubstr("expected a run with masters in containers"));
  EXPECT_EQ(refusal(tasks, &masters), "");
}

// As a coordinator would read them.
TEST(CalibrationExperiments, AreExperimentsOfTheClusterWorldAndTheirTrace) {
  const TemporaryFolder folder;
  const std::vector<std::filesystem::path> files = write_calibration_experiments(folder.path());
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0].filename(), "calibration.swf");
  for (const std::size_t file : {1u, 2u}) {
    const Experiment experiment = load_experiment(files[file], folder.path());
    EXPECT_EQ(experiment.world, World::cluster);
    EXPECT_EQ(experiment.trace.file, files[0]);
    EXPECT_EQ(experiment.master.in_containers, file == 2);
  }
}

}  // namespace
}  // namespace tracebed
