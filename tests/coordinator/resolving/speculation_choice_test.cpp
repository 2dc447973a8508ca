// In which worlds masters may have a rule of speculative execution.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/load_experiment.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "core/input_error.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

class SpeculationChoice : public testing::Test {
 protected:
  std::string fault_of(const std::string& world, const std::string& policy) {
    folder_.write("jobs.tsv", "job0\t0\t0\t10\t0\t10\n");
    folder_.write("mine.toml", "name = \"x\"\nworld = \"" + world +
                                   "\"\nschedulers = [\"fifo\"]\n[trace]\nfile = "
                                   "\"jobs.tsv\"\n[cluster]\nnodes = 2\nvcores = 2\n"
                                   "memory = \"1 GiB\"\n[masters]\nspeculation.policy = \"" +
                                   policy + "\"\n");
    try {
      (void)resolve(test::schedulers(),
                    load_experiment(folder_.path() / "mine.toml", std::nullopt, {}));
    } catch (const InputError& error) {
      const std::string text = error.what();
      return text.substr(text.find("mine.toml") + 9);
    }
    return "none";
  }
  TemporaryFolder folder_;
};

TEST_F(SpeculationChoice, IsRefusedWhereNoTaskReportsItsProgress) {
  EXPECT_EQ(fault_of("virtual", "late"), "none");
  EXPECT_EQ(fault_of("local", "none"), "none");
  EXPECT_EQ(fault_of("local", "late"),
            ":11: masters.speculation.policy: expected \"none\" in the local world, whose tasks "
            "report no progress while they run, got \"late\"");
}

TEST_F(SpeculationChoice, NamesTheLineOfAnUnknownRule) {
  EXPECT_THAT(fault_of("virtual", "early"), testing::StartsWith(":11: masters.speculation.policy"));
}

}  // namespace
}  // namespace tracebed
