// Schedulers that measure how long they decide, in worlds in which time does and does not pass.
#include <gtest/gtest.h>

#include "coordinator/resolving/experiment_fault.h"

namespace tracebed {
namespace {

std::string fault_in(const std::string& world, const std::string& decision_time) {
  return experiment_fault(
      "world = \"" + world + "\"",
      "[[scheduler]]\nname = \"shared_state\"\ndecision_time = \"" + decision_time + "\"");
}

TEST(DecisionTimes, AreMeasuredOnRealMachinesOnly) {
  EXPECT_EQ(fault_in("virtual", "modelled"), "none");
  EXPECT_EQ(fault_in("local", "measured"), "none");
  EXPECT_EQ(fault_in("virtual", "measured"),
            ":11: scheduler[0].name: decision_time = \"measured\" needs real machines, but the "
            "experiment's world is virtual");
}

TEST(DecisionTimes, AreOneOfTheTwo) {
  EXPECT_NE(fault_in("local", "guessed").find("decision_time"), std::string::npos);
}

}  // namespace
}  // namespace tracebed
