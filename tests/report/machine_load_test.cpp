#include "report/machine_load.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

RunFolder run_with(const char* world, std::vector<MachineLoad> loads) {
  RunFolder run;
  run.description.world = world;
  run.end.machine_loads = std::move(loads);
  return run;
}

TEST(MachineLoadNote, HasTheMeansAndTheWorstRun) {
  std::vector<RunFolder> runs;
  runs.push_back(run_with("local", {{"localhost", {.busy = 0.5, .others = 0.02, .stolen = 0}}}));
  runs.push_back(run_with("local", {{"localhost", {.busy = 0.7, .others = 0.04, .stolen = 0.01}}}));
  runs.push_back(run_with("virtual", {}));
  EXPECT_EQ(
      machine_load_note(runs, "local"),
      "during the runs the machine's processors were busy for 60.0 % of their time, 3.0 % with "
      "processes of others; steal time was 0.5 %; both together took at most 5.0 % of a run");
  EXPECT_FALSE(machine_load_note(runs, "virtual").has_value());
}

TEST(MachineLoadNote, NamesTheMachineOfAClusterThatOthersUsedMost) {
  std::vector<RunFolder> runs;
  runs.push_back(run_with("cluster", {{"lab1", {.busy = 0.2, .others = 0.01, .stolen = 0}},
                                      {"lab2", {.busy = 0.6, .others = 0.11, .stolen = 0.02}}}));
  EXPECT_EQ(machine_load_note(runs, "cluster"),
            "during the runs the 2 machines' processors were busy for 40.0 % of their time, 6.0 % "
            "with processes of others; steal time was 1.0 %; both together took at most 13.0 % of "
            "a run, on lab2");
}

TEST(TaskCpuNote, SaysByHowMuchTasksUsedMoreThanTheirWorkHasOverATenth) {
  std::vector<RunFolder> runs;
  const auto add = [&](const char* world, std::uint64_t used, std::uint64_t work) {
    runs.push_back(run_with(world, {}));
    runs.back().end.counters = {
        {task_cpu_counter, used}, {"other", 7}, {task_cpu_work_counter, work}};
  };
  runs.push_back(run_with("local", {}));  // of an earlier version
  add("local", 0, 0);
  EXPECT_FALSE(task_cpu_note(runs, "local"));
  add("local", 1'100, 1'000);
  add("virtual", 9'000, 1'000);
  EXPECT_FALSE(task_cpu_note(runs, "local"));
  add("local", 2'060, 1'000);
  EXPECT_EQ(task_cpu_note(runs, "local").value_or("").substr(0, 50),
            "tasks used 58 % more CPU time than their work has:");
}

}  // namespace
}  // namespace tracebed
