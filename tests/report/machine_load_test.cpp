#include "report/machine_load.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

RunFolder run_with(const char* world, std::optional<ProcessorLoad> load) {
  RunFolder run;
  run.description.world = world;
  run.end.machine_load = load;
  return run;
}

TEST(MachineLoadNote, HasTheMeansAndTheWorstRun) {
  std::vector<RunFolder> runs;
  runs.push_back(run_with("local", ProcessorLoad{.busy = 0.5, .others = 0.02, .stolen = 0}));
  runs.push_back(run_with("local", ProcessorLoad{.busy = 0.7, .others = 0.04, .stolen = 0.01}));
  runs.push_back(run_with("virtual", std::nullopt));
  EXPECT_EQ(machine_load_note(runs, "local"),
            "during the runs the machine's processors were busy for 60.0 % of their time, 3.0 % "
            "with processes that are not the runs'; a hypervisor gave 0.5 % to others; both "
            "together took at most 5.0 % of a run");
  EXPECT_FALSE(machine_load_note(runs, "virtual").has_value());
}

}  // namespace
}  // namespace tracebed
