// `tracebed calibrate`, as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/cli/program.h"
#include "coordinator/config/calibration_file.h"
#include "support/temporary_folder.h"
#include "system/own_machine.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

TEST(CalibrateCommand, MeasuresThisMachineAndWritesAFileThatAnExperimentTakes) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "calibration.toml";
  const ProgramEnd end = tracebed_program({"calibrate", "--quiet", "--output", file},
                                          {"TMPDIR=" + folder.path().string()});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  const Calibration calibration = read_calibration(file);
  EXPECT_EQ(calibration.machine, host_name());
  EXPECT_GT(calibration.tasks, 100);
  EXPECT_GT(calibration.launch_latency, Duration::zero());
  EXPECT_GE(calibration.launch_spread, 1);
  EXPECT_GE(calibration.task_overhead_spread, 1);
  ASSERT_TRUE(calibration.master_startup);
  EXPECT_GT(calibration.master_startup->median, Duration::zero());
  EXPECT_GE(calibration.master_startup->spread, 1);
  EXPECT_THAT(end.out, HasSubstr("[virtual] calibration = \"" + file + "\""));
  // The runs are not kept.
  std::size_t entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    (void)entry;
    ++entries;
  }
  EXPECT_EQ(entries, 1u);
}

TEST(CalibrateCommand, ThatCouldNotWriteItsResultMeasuresNothing) {
  const ProgramEnd end = tracebed_program({"calibrate", "--output", "/nowhere/at/all.toml"});
  EXPECT_NE(end.exit_code, 0);
  EXPECT_THAT(end.error, HasSubstr("/nowhere/at"));
  EXPECT_THAT(end.error, Not(HasSubstr("jobs")));
}

}  // namespace
}  // namespace tracebed
