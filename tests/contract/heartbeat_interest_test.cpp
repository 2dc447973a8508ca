// The heartbeats that a scheduler's stated interest leaves out change nothing: whatever was
// refused, lost, drained, reserved or preempted before, the same is decided with all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contract/heartbeat_plays.h"
#include "contract/mutants.h"
#include "contract/random_story.h"
#include "contract/suite_schedulers.h"
#include "coordinator/engine/preemption_livelock.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

// The first story in which heartbeats that were left out matter; 0 if there is none.
std::uint64_t first_difference(TellStory tell, const MakeScheduler& make) {
  for (std::uint64_t seed = 1; seed <= last_seed(); ++seed) {
    if (!play_twice(tell(seed), make).agree()) return seed;
  }
  return 0;
}

// Two queues that may use everything, and preempt each other.
SchedulerParameters preempting_parameters(std::string_view scheduler, const Names& names) {
  SchedulerParameters parameters;
  parameters.names = &names;
  if (scheduler == "capacity") {
    const std::string prefix = "yarn.scheduler.capacity.";
    parameters.settings = {{"preemption.enabled", "true"},
                           {"preemption.total_preemption_per_round", "1"},
                           {"preemption.natural_termination_factor", "1"}};
    parameters.documents["config"] =
        test::hadoop_configuration({{prefix + "root.queues", "a,b"},
                                    {prefix + "root.a.capacity", "50"},
                                    {prefix + "root.b.capacity", "50"},
                                    {prefix + "root.a.user-limit-factor", "10"},
                                    {prefix + "root.b.user-limit-factor", "10"},
                                    {prefix + "maximum-am-resource-percent", "1"}});
    return parameters;
  }
  parameters.settings = {{"preemption.enabled", "true"},
                         {"preemption.cluster_utilization_threshold", "0"}};
  std::vector<XmlElement> queues;
  for (const char* name : {"a", "b"}) {
    XmlElement& queue = queues.emplace_back(
        test::xml_element("queue", "",
                          {test::xml_element("fairSharePreemptionTimeout", "2"),
                           test::xml_element("fairSharePreemptionThreshold", "1")}));
    queue.attributes.emplace_back("name", name);
  }
  parameters.documents["config"] = test::xml_element("allocations", "", queues);
  return parameters;
}

std::unique_ptr<Scheduler> make_preempting(std::string_view scheduler, const Story& story) {
  return test::schedulers().make(scheduler, preempting_parameters(scheduler, *story.names)).value();
}

class HeartbeatInterestOfPreemption : public ::testing::TestWithParam<std::string_view> {};

TEST_P(HeartbeatInterestOfPreemption, StatesAllHeartbeatsThatMatter) {
  std::uint64_t asked_back = 0;
  for (std::uint64_t seed = 1; seed <= last_seed(); ++seed) {
    SCOPED_TRACE("story " + std::to_string(seed));
    const TwoPlays plays = play_twice(
        crowded_story(seed), [](const Story& story) { return make_preempting(GetParam(), story); });
    ASSERT_TRUE(plays.agree());
    asked_back += plays.some.asked_back;
  }
  EXPECT_GT(asked_back, 0u);
}
INSTANTIATE_TEST_SUITE_P(All, HeartbeatInterestOfPreemption,
                         ::testing::Values(std::string_view("capacity"), std::string_view("fair")),
                         [](const auto& parameter) { return std::string(parameter.param); });

// A gang that takes the whole cluster, of which its queue may keep a half, loses a part of itself
// to the other queue, begins anew, and is the first again where both queues have nothing.
TEST(PreemptionLivelock, EndsTheRunInWhichAGangIsPreemptedForEver) {
  std::uint64_t endless = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Story story = crowded_story(seed);
    const StoryResult result = play(story, make_preempting("capacity", story));
    if (result.replay.outcome == RunOutcome::complete) continue;
    ++endless;
    EXPECT_EQ(result.replay.outcome, RunOutcome::stalled);
    EXPECT_GE(result.counters.allocations, PreemptionLivelock::losses_max);
    for (const auto& [id, job] : result.jobs) {
      if (job.record.outcome != JobOutcome::killed) continue;
      EXPECT_THAT(job.record.diagnostics, HasSubstr("livelock")) << id.value();
    }
  }
  EXPECT_GT(endless, 0u);
}

template <class Defect>
MakeScheduler with_defect(std::string_view scheduler) {
  return [scheduler](const Story& story) {
    return std::make_unique<Defect>(make_for_suite(scheduler, story.seed));
  };
}

// That the test finds what is too narrow, which calm stories do not always show.
TEST(TooNarrowInterest, IsFoundAfterRefusals) {
  for (const std::string_view scheduler : {"fcfs", "binpack"}) {
    EXPECT_NE(first_difference(&unlucky_story, with_defect<StatesNoInterest>(scheduler)), 0u)
        << scheduler;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      EXPECT_TRUE(play_twice(calm_story(seed), with_defect<StatesNoInterest>(scheduler)).agree());
    }
  }
  for (const std::string_view scheduler : {"fifo", "capacity"}) {
    EXPECT_NE(first_difference(&unlucky_story, with_defect<DeafAfter<Refused>>(scheduler)), 0u)
        << scheduler;
  }
}

TEST(TooNarrowInterest, IsFoundAfterNodesLeft) {
  for (const std::string_view scheduler : {"fifo", "capacity", "fair"}) {
    EXPECT_NE(first_difference(&unlucky_story, with_defect<DeafAfter<NodeRemoved>>(scheduler)), 0u)
        << scheduler;
  }
}

TEST(TooNarrowInterest, IsFoundUnderPreemption) {
  for (const std::string_view scheduler : {"capacity", "fair"}) {
    const MakeScheduler make = [scheduler](const Story& story) {
      return std::make_unique<DeafWhilePreempting>(make_preempting(scheduler, story));
    };
    EXPECT_NE(first_difference(&crowded_story, make), 0u) << scheduler;
  }
}

TEST(Stories, StartJobsWhoseRunTimeWasRequested) {
  const auto is_found = [](TellStory tell) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Story story = tell(seed);
      try {
        play(story, std::make_unique<FailsAtTimedJobs>(make_for_suite("fifo", seed)));
      } catch (const TimedJobStarted&) {
        return true;
      }
    }
    return false;
  };
  EXPECT_TRUE(is_found(&calm_story));
  EXPECT_TRUE(is_found(&random_story));
  EXPECT_TRUE(is_found(&long_story));
}

}  // namespace
}  // namespace tracebed
