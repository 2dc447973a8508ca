// What an agent logs of the way to its coordinator, in made-up time.
#include "agents/agent/coordinator_monitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed::agent {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Watch : public testing::Test {
 protected:
  // Looks ten times a second, as an agent does, and gathers what is logged.
  void pass(seconds time, bool is_welcome, LinkState link, bool waits = false) {
    for (const SteadyTime end = now_ + time; now_ < end; now_ += milliseconds(100)) {
      if (const auto line = watch_.look(now_, is_welcome, waits, link)) {
        (line->is_trouble ? troubles_ : recoveries_).push_back(line->text);
      }
    }
  }

  CoordinatorMonitor watch_{"tcp://10.0.0.1:7414", true};
  SteadyTime now_{};
  std::vector<std::string> troubles_;
  std::vector<std::string> recoveries_;
};

TEST_F(Watch, SaysOnceThatItIsRegistered) {
  pass(seconds(1), false, LinkState::unreachable);
  pass(seconds(100), true, LinkState::connected);
  EXPECT_THAT(troubles_, IsEmpty());
  EXPECT_THAT(recoveries_, ElementsAre("registered with tcp://10.0.0.1:7414"));
}

TEST_F(Watch, NamesEachTroubleOnceAndItsEnd) {
  pass(seconds(60), false, LinkState::unreachable);
  ASSERT_THAT(troubles_,
              ElementsAre(AllOf(HasSubstr("cannot reach the coordinator"),
                                HasSubstr("10.0.0.1:7414"), HasSubstr("retrying every"))));
  pass(seconds(60), false, LinkState::handshake_failed);
  ASSERT_EQ(troubles_.size(), 2u);
  EXPECT_THAT(troubles_.back(), HasSubstr("does not accept this agent's key"));
  pass(seconds(10), true, LinkState::connected);
  EXPECT_THAT(recoveries_, ElementsAre("registered with tcp://10.0.0.1:7414 after 120 s"));
  pass(seconds(30), false, LinkState::connected);
  EXPECT_THAT(troubles_.back(), HasSubstr("does not answer"));
  pass(seconds(1), true, LinkState::connected);
  EXPECT_THAT(recoveries_.back(), HasSubstr("again after 30 s"));
  EXPECT_EQ(troubles_.size(), 3u);
}

TEST_F(Watch, TheWayFromRunToRunIsNoTrouble) {
  pass(seconds(1), true, LinkState::connected);
  for (int run = 0; run < 20; ++run) {
    pass(seconds(2), false, LinkState::connected);
    pass(seconds(5), true, LinkState::connected);
  }
  EXPECT_THAT(troubles_, IsEmpty());
  EXPECT_EQ(recoveries_.size(), 1u);
}

TEST_F(Watch, AnAgentThatDoesNotAskHasNoTroubleWithItsCoordinator) {
  pass(seconds(60), false, LinkState::unreachable, true);
  EXPECT_THAT(troubles_, IsEmpty());
}

}  // namespace
}  // namespace tracebed::agent
