// A calibration's wall time becomes trace time, on the machines of the virtual world only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/calibration_file.h"
#include "coordinator/config/load_experiment.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "core/input_error.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"
#include "system/own_machine.h"

namespace tracebed {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CalibratedMachines : public ::testing::Test {
 protected:
  void calibrate(const std::string& machine) {
    Calibration calibration;
    calibration.machine = machine;
    calibration.processor = "any";
    calibration.isolation = "cgroup-v1";
    calibration.tasks = 100;
    calibration.launch_latency = milliseconds(3);
    calibration.launch_spread = 4.5;
    calibration.task_overhead = microseconds(12'250);
    calibration.task_overhead_spread = 2.5;
    folder_.write("calibration.toml", to_toml(calibration));
  }
  ResolvedExperiment resolved(const std::string& world) {
    folder_.write("jobs.tsv", "job0\t0\t0\t10\t0\t10\n");
    folder_.write("mine.toml", "name = \"x\"\nworld = \"" + world +
                                   "\"\nschedulers = [\"fifo\"]\n[trace]\nfile = \"jobs.tsv\"\n"
                                   "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"1 GiB\"\n"
                                   "[scale]\ntime = 16\n[virtual]\n"
                                   "calibration = \"calibration.toml\"\n");
    return resolve(test::schedulers(),
                   load_experiment(folder_.path() / "mine.toml", std::nullopt, {}));
  }
  std::string refusal() {
    try {
      (void)resolved("virtual");
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
};

TEST_F(CalibratedMachines, TakeItsTimesTimesTheScaleOfTime) {
  calibrate(host_name());
  const ResolvedExperiment experiment = resolved("virtual");
  EXPECT_EQ(experiment.simulated.launch_latency, milliseconds(48));
  EXPECT_EQ(experiment.simulated.launch_spread, 4.5);
  EXPECT_EQ(experiment.simulated.task_overhead, milliseconds(196));
  EXPECT_EQ(experiment.simulated.task_overhead_spread, 2.5);
  EXPECT_EQ(experiment.calibrated_machine, host_name());
  EXPECT_THAT(experiment.remarks, IsEmpty());
}

TEST_F(CalibratedMachines, OfAnotherHostAreRemarkedOnWithBothNames) {
  calibrate("somewhere-else");
  EXPECT_THAT(resolved("virtual").remarks,
              ElementsAre(AllOf(HasSubstr("mine.toml:13: virtual.calibration: "),
                                HasSubstr("somewhere-else"), HasSubstr(host_name()))));
}

TEST_F(CalibratedMachines, AreNoneOfRealWorlds) {
  const ResolvedExperiment experiment = resolved("local");  // for which the file is not read
  EXPECT_EQ(experiment.calibrated_machine, "");
}

TEST_F(CalibratedMachines, NameTheKeyAndTheFileThatCannotBeUsed) {
  EXPECT_THAT(refusal(), AllOf(HasSubstr("mine.toml:13: virtual.calibration: "),
                               HasSubstr("calibration.toml")));
  folder_.write("calibration.toml", "format = \"tracebed-calibration\"\n");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("mine.toml:13: virtual.calibration: "),
                               HasSubstr("calibration.toml:1: version: this key is missing")));
}

}  // namespace
}  // namespace tracebed
