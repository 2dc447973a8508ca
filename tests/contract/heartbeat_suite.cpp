// That schedulers state all heartbeats that matter to them: a virtual fleet leaves out the others.
#include <cstdlib>
#include <gtest/gtest.h>

#include "contract/heartbeat_plays.h"
#include "contract/suite_schedulers.h"

namespace tracebed {

std::uint64_t last_seed() {
  const char* text = std::getenv("TRACEBED_STORIES");
  return text == nullptr ? 20 : std::strtoull(text, nullptr, 10);
}

TwoPlays play_twice(Story story, const MakeScheduler& make) {
  story.options.is_ideal = false;
  TwoPlays plays;
  plays.some = play(story, make(story));
  story.options.deliver_every_heartbeat = true;
  plays.all = play(story, make(story));
  return plays;
}

namespace {

class HeartbeatInterestTest : public ::testing::TestWithParam<std::string_view> {};

TEST_P(HeartbeatInterestTest, StatesAllHeartbeatsThatMatter) {
  const MakeScheduler make = [](const Story& story) {
    return make_for_suite(GetParam(), story.seed);
  };
  std::uint64_t refusals = 0;
  std::uint64_t nodes_lost = 0;
  for (const TellStory tell : {&calm_story, &unlucky_story}) {
    for (std::uint64_t seed = 1; seed <= last_seed(); ++seed) {
      SCOPED_TRACE("story " + std::to_string(seed));
      const TwoPlays plays = play_twice(tell(seed), make);
      ASSERT_TRUE(plays.agree());
      EXPECT_LE(plays.some.counters.heartbeats, plays.all.counters.heartbeats);
      refusals += plays.some.counters.refusals;
      nodes_lost += plays.some.counters.nodes_lost;
    }
  }
  EXPECT_GT(refusals, 0u);
  EXPECT_GT(nodes_lost, 0u);
}
INSTANTIATE_TEST_SUITE_P(All, HeartbeatInterestTest, ::testing::ValuesIn(suite_schedulers()),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace tracebed
