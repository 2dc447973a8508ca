// In which worlds masters may have a rule of speculative execution.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/resolving/experiment_fault.h"

namespace tracebed {
namespace {

std::string speculation_fault(const std::string& world, const std::string& policy) {
  return experiment_fault("world = \"" + world + "\"",
                          "[masters]\nspeculation.policy = \"" + policy + "\"");
}

TEST(SpeculationChoice, IsRefusedWhereNoTaskReportsItsProgress) {
  EXPECT_EQ(speculation_fault("virtual", "late"), "none");
  EXPECT_EQ(speculation_fault("local", "none"), "none");
  EXPECT_EQ(speculation_fault("local", "late"),
            ":11: masters.speculation.policy: expected \"none\" in the local world, whose tasks "
            "report no progress while they run, got \"late\"");
}

TEST(SpeculationChoice, NamesTheLineOfAnUnknownRule) {
  EXPECT_THAT(speculation_fault("virtual", "early"),
              testing::StartsWith(":11: masters.speculation.policy"));
}

}  // namespace
}  // namespace tracebed
