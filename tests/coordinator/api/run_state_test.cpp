#include "coordinator/api/run_state.h"

#include <gtest/gtest.h>
#include <set>

#include "coordinator/api/control_client.h"
#include "coordinator/api/control_conversions.h"

namespace tracebed {
namespace {

// state.json of earlier coordinators is read by these names, and clients by these numbers.
TEST(RunStates, HaveTheSameNameInFilesAndForClients) {
  std::set<std::string_view> names;
  int number = 0;
  for (const RunState state : run_states) {
    names.insert(name(state));
    EXPECT_EQ(run_state_of(name(state)), state);
    EXPECT_EQ(name(to_wire(state)), name(state));
    EXPECT_EQ(to_wire(state), ++number);
    EXPECT_EQ(index_of(state) + 1, static_cast<std::size_t>(number));
  }
  EXPECT_EQ(names,
            (std::set<std::string_view>{"waiting", "running", "finished", "failed", "cancelled"}));
}

TEST(RunStates, OfRunsThatEndedAreTheirOutcomes) {
  EXPECT_EQ(RunState::waiting.outcome(), std::nullopt);
  EXPECT_FALSE(RunState::running.has_ended());
  EXPECT_EQ(RunState(RunOutcome::failed).outcome(), RunOutcome::failed);
  EXPECT_EQ(name(RunState(RunOutcome::complete)), "finished");
}

TEST(RunStates, OfOtherProgramsAreUnknown) {
  EXPECT_EQ(run_state_of("done"), std::nullopt);
  EXPECT_EQ(name(static_cast<control::RunState::type>(6)), "unknown");
}

TEST(RunStatesDeathTest, ASubmittedRunNeverStalls) {
  EXPECT_EXIT(name(RunState(RunOutcome::stalled)), testing::ExitedWithCode(70),
              "a submitted run is in one of the listed states");
}

}  // namespace
}  // namespace tracebed
