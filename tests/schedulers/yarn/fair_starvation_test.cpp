// Who starves under the Fair Scheduler, and by how much.
#include "schedulers/yarn/fair_preemption_story.h"

namespace tracebed {
namespace {

// Proves: 6.starved-by-share
TEST(FairStarvation, IsToHaveLessThanThePartOfTheShareForTheTimeOut) {
  PreemptionStory story(two_queues);
  const NodeId node = story.nodes(1, {8000, 8192})[0];
  story.fill("a", node, 8);
  const ApplicationId poor = story.run({.queue = "b"}, {.pending = 8});
  // Half of 4096 MiB are due to it from its arrival at 0.5 s on.
  EXPECT_EQ(story.after(milliseconds(9900)), "");
  EXPECT_EQ(story.after(milliseconds(100)), "ask 7, ask 6");
  EXPECT_EQ(story.application_figure(poor, "Fair Share Starvation"), "memory: 2048");
  EXPECT_EQ(story.harness().now(), trace_time(10'500'000));
}

// Proves: 6.starved-by-share
TEST(FairStarvation, IsOfNoMoreThanTheDemand) {
  PreemptionStory story(two_queues);
  const NodeId node = story.nodes(1, {8000, 8192})[0];
  story.fill("a", node, 8);
  const ApplicationId poor = story.run({.queue = "b"}, {.pending = 1});
  EXPECT_EQ(story.after(seconds(11)), "ask 7");
  EXPECT_EQ(story.application_figure(poor, "Fair Share Starvation"), "memory: 1024");
}

struct ThresholdCase {
  std::string threshold;
  std::size_t victims;
};
// Proves: 6.starved-by-share
TEST(FairStarvation, ThePartIsTheThreshold) {
  // Of a share of 4096 MiB, in containers of 1024 MiB: cut to whole ones.
  const std::vector<ThresholdCase> cases{
      {"0.2", 0}, {"0.25", 1}, {"0.5", 2}, {"0.99", 3}, {"1", 4}};
  for (const ThresholdCase& the : cases) {
    PreemptionStory story(two_queues + "<defaultFairSharePreemptionThreshold>" + the.threshold +
                          "</defaultFairSharePreemptionThreshold>");
    const NodeId node = story.nodes(1, {8000, 8192})[0];
    story.fill("a", node, 8);
    story.run({.queue = "b"}, {.pending = 8});
    story.after(seconds(11));
    EXPECT_EQ(story.harness().preemptions().size(), the.victims) << the.threshold;
  }
}

TEST(FairStarvation, UnderDrfIsOfTheDominantResource) {
  PreemptionStory story(two_queues +
                        "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>");
  const NodeId node = story.nodes(1, {8000, 16384})[0];
  story.fill("a", node, 8);  // all cores, half of the memory
  const ApplicationId poor = story.run({.queue = "b"}, {.pending = 8});
  story.after(seconds(11));
  // Share: 8192 MiB and 4 cores; due: half of that; it can be given two cores.
  EXPECT_EQ(story.application_figure(poor, "Fair Share Starvation"), "memory: 4096, vCores: 2");
  EXPECT_EQ(story.harness().preemptions().size(), 4u);
}

// Proves: 6.starved-by-minimum
TEST(FairStarvation, OfALeafIsToHaveLessThanItsMinimumForTheTimeOut) {
  PreemptionStory story(
      "<queue name='a'/><queue name='b'><minResources>3072 mb, 0 vcores</minResources>"
      "<minSharePreemptionTimeout>5</minSharePreemptionTimeout></queue>");
  const NodeId node = story.nodes(1, {8000, 8192})[0];
  story.fill("a", node, 8);
  story.after(seconds(2));
  const ApplicationId poor = story.run({.queue = "b"}, {.pending = 8});
  // The update of 2.5 s is the first that sees it want something; that of 2 s did not.
  EXPECT_EQ(story.after(milliseconds(4400)), "");
  EXPECT_EQ(story.after(milliseconds(100)), "ask 7, ask 6, ask 5");
  EXPECT_EQ(story.harness().now(), trace_time(7'000'000));
  EXPECT_EQ(story.application_figure(poor, "Min Share Starvation"), "memory: 3072");
  EXPECT_EQ(story.application_figure(poor, "Fair Share Starvation"), "memory: 0");
}

// Proves: 6.starved-by-minimum
TEST(FairStarvation, OfALeafIsOfNoMoreThanItsDemand) {
  PreemptionStory story(
      "<queue name='a'/><queue name='b'><minResources>3072 mb, 0 vcores</minResources>"
      "<minSharePreemptionTimeout>5</minSharePreemptionTimeout></queue>");
  const NodeId node = story.nodes(1, {8000, 8192})[0];
  story.fill("a", node, 8);
  story.run({.queue = "b"}, {.pending = 2});
  EXPECT_EQ(story.after(seconds(6)), "ask 7, ask 6");
}

// Proves: 6.starved-by-minimum
TEST(FairStarvation, OfALeafIsSpreadOverItsApplicationsByWhatTheyWant) {
  PreemptionStory story(
      "<queue name='a'/><queue name='b'><minResources>4096 mb, 0 vcores</minResources>"
      "<minSharePreemptionTimeout>5</minSharePreemptionTimeout></queue>");
  const NodeId node = story.nodes(1, {8000, 8192})[0];
  story.fill("a", node, 8);
  const ApplicationId first = story.run({.queue = "b"}, {.pending = 1});
  const ApplicationId second = story.run({.queue = "b"}, {.pending = 9});
  const ApplicationId third = story.run({.queue = "b"}, {.pending = 2});
  story.after(seconds(6));
  // The first wants 1024 MiB, so that 3072 are left for the second, which wants 9216, and none for
  // the third. (The original would give the second 9216 − 3072.)
  const auto figure = [&](ApplicationId id) {
    return story.application_figure(id, "Min Share Starvation");
  };
  EXPECT_EQ(figure(first), "memory: 1024, vCores: 1");
  EXPECT_EQ(figure(second), "memory: 3072");
  EXPECT_EQ(figure(third), "memory: 0");
  EXPECT_EQ(story.harness().preemptions().size(), 4u);
}

// Proves: 6.starved-by-minimum
TEST(FairStarvation, OfALeafIsLessWhatItsApplicationsLackByShare) {
  PreemptionStory story(
      "<queue name='a'/><queue name='b'><minResources>3072 mb, 0 vcores</minResources>"
      "<minSharePreemptionTimeout>5</minSharePreemptionTimeout>"
      "<fairSharePreemptionTimeout>5</fairSharePreemptionTimeout></queue>",
      {{"update_interval_ms", "2000"}});
  const NodeId node = story.nodes(1, {8000, 8192})[0];
  story.run({.queue = "a"}, {.pending = 8});
  story.after(seconds(2));
  story.beat(node, 8);
  story.after(milliseconds(2'500));
  const ApplicationId poor = story.run({.queue = "b"}, {.pending = 8});
  // It lacks its share from 4.5 s on, its leaf the minimum from 4 s on: the update of 10 s sees
  // both.
  EXPECT_EQ(story.after(milliseconds(5'400)), "");
  EXPECT_EQ(story.after(milliseconds(100)), "ask 7, ask 6, ask 5");
  EXPECT_EQ(story.application_figure(poor, "Fair Share Starvation"), "memory: 2048");
  EXPECT_EQ(story.application_figure(poor, "Min Share Starvation"), "memory: 1024");
}

// Proves: 6.loop-ends
TEST(FairStarvation, IsNotSeenOfThoseBehindTheFirstThatHasItsPart) {
  PreemptionStory story(two_queues +
                        "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
                        "<defaultFairSharePreemptionThreshold>1"
                        "</defaultFairSharePreemptionThreshold>");
  const NodeId node = story.nodes(1, {20'000, 20'480})[0];
  // It uses a tenth of the memory and wants as much of the cores, so that it has all that it is
  // due; and it comes before the other, which uses 0.15 of the cores and is due 0.25.
  const ApplicationId modest = story.fill("b", node, 1, {1000, 2048});
  const AskId cores = story.harness().ask(modest, {.demand = {1000, 0}, .priority = 1});
  const ApplicationId poor = story.run({.queue = "b"}, {.demand = {3000, 1024}});
  const AskId wish = story.last_ask();
  story.harness().advance(milliseconds(500));
  story.harness().set_pending(cores, 0);
  story.harness().advance(milliseconds(500));
  ASSERT_EQ(story.beat(node), "1");
  story.fill("a", node, 16);
  story.harness().set_pending(cores, 1);
  story.harness().set_pending(wish, 5);
  EXPECT_EQ(story.after(seconds(30)), "");
  // Its clock stands where it came, so without the other it is helped at once.
  story.harness().close(cores);
  // By memory it lacks four containers, of which two can be had: six cores are above the share.
  EXPECT_EQ(story.after(milliseconds(500)), "ask 17, ask 16, ask 15, ask 14, ask 13, ask 12");
  EXPECT_EQ(story.application_figure(poor, "Fair Share Starvation"), "memory: 4096, vCores: 2");
}

TEST(FairStarvation, IsNotLookedForWhileLittleOfTheClusterIsUsed) {
  PreemptionStory story(two_queues);
  const std::vector<NodeId> nodes = story.nodes(2, {8000, 8192});
  story.fill("a", nodes[0], 8);
  // Nobody else may use the other node: half of the cluster is used.
  story.run({.queue = "b"}, {.pending = 2, .relax_locality = false, .nodes = {{nodes[0], 2}}});
  EXPECT_EQ(story.after(seconds(60)), "");
  story.set("preemption.cluster_utilization_threshold", "0.5");
  ASSERT_TRUE(story.reconfigure(two_queues));
  story.run({.queue = "a"});
  EXPECT_EQ(story.after(seconds(1)), "") << "it must be more than the threshold";
  story.set("preemption.cluster_utilization_threshold", "0.49");
  ASSERT_TRUE(story.reconfigure(two_queues));
  story.run({.queue = "a"});
  // The clock of who was never seen to have its share stands at its arrival.
  EXPECT_EQ(story.after(seconds(1)), "ask 7, ask 6");
}

// Hadoop takes any number: from 1 on nothing is ever preempted, and below 0 always.
// Proves: 6.threshold-of-any-size
TEST(FairStarvation, TheThresholdMayBeAnyNumber) {
  for (const auto& [threshold, expected] :
       {std::pair("1.5", ""), std::pair("1", ""), std::pair("-1", "ask 7, ask 6")}) {
    PreemptionStory story(two_queues, {{"preemption.cluster_utilization_threshold", threshold}});
    const NodeId node = story.nodes(1, {8000, 8192})[0];
    story.fill("a", node, 8);
    story.run({.queue = "b"}, {.pending = 8});
    EXPECT_EQ(story.after(seconds(11)), expected) << threshold;
  }
}

TEST(FairStarvation, WithNobodyStarvingNothingWakesTheScheduler) {
  PreemptionStory story(two_queues);
  const NodeId node = story.nodes(1, {8000, 8192})[0];
  story.fill("a", node, 8);
  story.after(seconds(30));
  EXPECT_EQ(story.harness().wake_at(), never);
  // And neither if one starves who can be given nothing.
  story.run({.queue = "b"}, {.demand = {1000, 16384}});
  story.after(seconds(30));
  EXPECT_EQ(story.harness().wake_at(), never);
}

}  // namespace
}  // namespace tracebed
