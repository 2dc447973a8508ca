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
  void calibrate(const std::string& machine,
                 const std::optional<Calibration::Startup>& startup = std::nullopt) {
    Calibration calibration;
    calibration.machine = machine;
    calibration.processor = "any";
    calibration.isolation = "cgroup-v1";
    calibration.tasks = 100;
    calibration.launch_latency = milliseconds(3);
    calibration.launch_spread = 4.5;
    calibration.task_overhead = microseconds(12'250);
    calibration.task_overhead_spread = 2.5;
    calibration.master_startup = startup;
    folder_.write("calibration.toml", to_toml(calibration));
  }
  ResolvedExperiment resolved(const std::string& world,
                              const std::vector<Override>& overrides = {}) {
    folder_.write("jobs.tsv", "job0\t0\t0\t10\t0\t10\n");
    folder_.write("mine.toml", "name = \"x\"\nworld = \"" + world +
                                   "\"\nschedulers = [\"fifo\"]\n[trace]\nfile = \"jobs.tsv\"\n"
                                   "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"1 GiB\"\n"
                                   "[scale]\ntime = 16\n[virtual]\n"
                                   "calibration = \"calibration.toml\"\n");
    return resolve(test::schedulers(),
                   load_experiment(folder_.path() / "mine.toml", std::nullopt, overrides));
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

TEST_F(CalibratedMachines, TakeTheStartUpOfMastersOrSayThatItWasNotMeasured) {
  const Override in_containers{"--set", "am", "container"};
  const Override startup{"--set", "virtual.master_startup", "6s"};
  calibrate(host_name(), Calibration::Startup{milliseconds(23), 1.5});
  const std::vector<std::vector<Override>> choices{{}, {in_containers, startup}};
  for (const std::vector<Override>& overrides : choices) {
    const ResolvedExperiment experiment = resolved("virtual", overrides);
    EXPECT_EQ(experiment.simulated.master_startup, milliseconds(368));
    EXPECT_EQ(experiment.simulated.master_startup_spread, 1.5);
    EXPECT_THAT(experiment.remarks, IsEmpty());
  }
  calibrate(host_name());
  const ResolvedExperiment own = resolved("virtual", {in_containers, startup});
  EXPECT_EQ(own.simulated.master_startup, seconds(6));
  EXPECT_EQ(own.simulated.master_startup_spread, 1);
  EXPECT_THAT(own.remarks,
              ElementsAre(HasSubstr("has no start-up of masters, so that master_startup is 6s")));
  EXPECT_THAT(resolved("virtual").remarks, IsEmpty());  // its masters are in no containers
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
