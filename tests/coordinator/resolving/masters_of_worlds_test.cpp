// Settings of masters that only modelled machines obey.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/resolving/experiment_fault.h"

namespace tracebed {
namespace {

std::string fault_of_masters(const std::string& world, const std::string& setting) {
  return experiment_fault("world = \"" + world + "\"", "[masters]\n" + setting);
}

TEST(MastersOfWorlds, SpeculateOnlyWhereTasksReportTheirProgress) {
  const std::string on_kernels = "\n[trace.rules]\nmix.input = \"kernels\"\n";
  EXPECT_EQ(fault_of_masters("virtual", R"(speculation.policy = "late")" + on_kernels), "none");
  EXPECT_EQ(fault_of_masters("local", R"(speculation.policy = "none")" + on_kernels), "none");
  EXPECT_EQ(fault_of_masters("local", R"(speculation.policy = "late")"), "none");
  EXPECT_EQ(fault_of_masters("local", R"(speculation.policy = "late")" + on_kernels),
            ":11: masters.speculation.policy: expected \"none\" with mix.input = kernels in the "
            "local world, whose tasks that compute on data state no progress while they run, got "
            "\"late\"");
}

TEST(MastersOfWorlds, KeepInputInMemoryWhereMachinesHaveShuffleServers) {
  EXPECT_EQ(fault_of_masters("virtual", "executor_cache_mib = 64"), "none");
  EXPECT_EQ(fault_of_masters("local", "executor_cache_mib = 0"), "none");
  EXPECT_EQ(fault_of_masters("local", "executor_cache_mib = 64"),
            ":11: masters.executor_cache_mib: expected \"0\" without storage.shuffle in the local "
            "world, whose machines keep it in the memory of their shuffle servers, got \"64\"");
  EXPECT_EQ(fault_of_masters("local", "executor_cache_mib = 64\n[storage]\nshuffle = true"),
            "none");
}

TEST(MastersOfWorlds, AreNamedByTheLineOfAnUnknownRule) {
  EXPECT_THAT(fault_of_masters("virtual", R"(speculation.policy = "early")"),
              testing::StartsWith(":11: masters.speculation.policy"));
}

}  // namespace
}  // namespace tracebed
