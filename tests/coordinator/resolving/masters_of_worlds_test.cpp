// Settings of masters that only modelled machines obey.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/load_experiment.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "core/input_error.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

class MastersOfWorlds : public testing::Test {
 protected:
  std::string fault_of(const std::string& world, const std::string& setting) {
    folder_.write("jobs.tsv", "job0\t0\t0\t10\t0\t10\n");
    folder_.write("mine.toml", "name = \"x\"\nworld = \"" + world +
                                   "\"\nschedulers = [\"fifo\"]\n[trace]\nfile = "
                                   "\"jobs.tsv\"\n[cluster]\nnodes = 2\nvcores = 2\n"
                                   "memory = \"1 GiB\"\n[masters]\n" +
                                   setting + "\n");
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

TEST_F(MastersOfWorlds, SpeculateOnlyWhereTasksReportTheirProgress) {
  EXPECT_EQ(fault_of("virtual", R"(speculation.policy = "late")"), "none");
  EXPECT_EQ(fault_of("local", R"(speculation.policy = "none")"), "none");
  EXPECT_EQ(fault_of("local", R"(speculation.policy = "late")"),
            ":11: masters.speculation.policy: expected \"none\" in the local world, whose tasks "
            "report no progress while they run, got \"late\"");
}

TEST_F(MastersOfWorlds, KeepInputInMemoryOnlyOfModelledExecutors) {
  EXPECT_EQ(fault_of("virtual", "executor_cache_mib = 64"), "none");
  EXPECT_EQ(fault_of("local", "executor_cache_mib = 0"), "none");
  EXPECT_EQ(fault_of("local", "executor_cache_mib = 64"),
            ":11: masters.executor_cache_mib: expected \"0\" in the local world, whose containers "
            "run one task each and keep nothing in memory for the next, got \"64\"");
}

TEST_F(MastersOfWorlds, TheLineOfAnUnknownRuleIsNamed) {
  EXPECT_THAT(fault_of("virtual", R"(speculation.policy = "early")"),
              testing::StartsWith(":11: masters.speculation.policy"));
}

}  // namespace
}  // namespace tracebed
