// Shares, weights and ties of the Fair Scheduler in a run, against figures worked by hand.
#include <gmock/gmock.h>

#include "schedulers/explained_figures.h"
#include "schedulers/yarn/fair_story.h"

namespace tracebed {
namespace {

// ---- shares ----

// Section 5.3: a queue without runnable applications gets no instantaneous share, but a steady one.
// 9 GiB among three equal queues: 3072 each; among the two that run: 4608.
// Proves: 5.3.fixed-inactive, 5.3.demand-is-ignored, 5.3.steady
TEST(FairSharesInARun, Section53OnlyQueuesThatRunShareInstantaneously) {
  FairStory story("<queue name='a'/><queue name='b'/><queue name='c'/>");
  story.nodes(1, {9'000, 9'216});
  story.run({.queue = "a"});
  story.run({.queue = "b"});
  EXPECT_EQ(story.figure("root.a", "Instantaneous Fair Share"), "memory: 4608");
  EXPECT_EQ(story.figure("root.c", "Instantaneous Fair Share"), "memory: 0");
  EXPECT_EQ(story.figure("root.c", "Steady Fair Share"), "memory: 3072");
  EXPECT_EQ(story.queue("root.c").entitled, Resources(0, 3'072));
}

// 12 GiB: a has twice the weight of b; below a, x and y share its 8 GiB.
// Proves: 5.3.down-the-tree
TEST(FairSharesInARun, Section53SharesGoDownTheTree) {
  FairStory story(
      "<queue name='a'><weight>2</weight><queue name='x'/><queue name='y'/></queue>"
      "<queue name='b'/>");
  story.nodes(1, {12'000, 12'288});
  story.run({.queue = "a.x"});
  story.run({.queue = "a.y"});
  story.run({.queue = "b"});
  EXPECT_EQ(story.figure("root.a", "Instantaneous Fair Share"), "memory: 8192");
  EXPECT_EQ(story.figure("root.a.x", "Instantaneous Fair Share"), "memory: 4096");
  EXPECT_EQ(story.figure("root.b", "Instantaneous Fair Share"), "memory: 4096");
}

// Section 5.3: the demand of queues counts waiting applications too, and stops at the maximum.
// Proves: 5.3.demand-of-waiting, 5.3.demand-is-capped
TEST(FairSharesInARun, Section53DemandCountsWaitingApplicationsUpToTheMaximum) {
  FairStory story(
      "<queue name='a'><maxRunningApps>1</maxRunningApps></queue>"
      "<queue name='b'><maxResources>2048 mb, 2 vcores</maxResources></queue>");
  story.nodes(1, {9'000, 9'216});
  story.run({.queue = "a"}, {.pending = 2});
  story.run({.queue = "a"}, {.pending = 3});
  story.run({.queue = "b"}, {.pending = 4});
  EXPECT_EQ(story.figure("root.a", "Demand Resources"), "memory: 5120, vCores: 5");
  EXPECT_EQ(story.figure("root.b", "Demand Resources"), "memory: 2048, vCores: 2");
  EXPECT_EQ(story.figure("root", "Demand Resources"), "memory: 7168, vCores: 7");
}

// hadoop-2.0: a demands 1 GiB, so b's share is what it demands, too, of the 9 GiB.
// Proves: G7.demand-caps
TEST(FairSharesInARun, Hadoop20SharesStopAtTheDemand) {
  FairStory story("<queue name='a'/><queue name='b'/>", {{"semantics", "hadoop-2.0"}});
  story.nodes(1, {9'000, 9'216});
  story.run({.queue = "a"}, {.pending = 1});
  story.run({.queue = "b"}, {.pending = 20});
  EXPECT_EQ(story.figure("root.a", "Instantaneous Fair Share"), "memory: 1024");
  EXPECT_EQ(story.figure("root.b", "Instantaneous Fair Share"), "memory: 8192");
}

// DRF over three resources: 4 GPUs, of which each queue gets two; and half of the others.
// Proves: 5.3.drf, 5.4.drf-by-weight
TEST(FairSharesInARun, Section53DrfSharesEveryResource) {
  FairStory story(
      "<queue name='root'><schedulingPolicy>drf</schedulingPolicy>"
      "<queue name='a'><schedulingPolicy>drf</schedulingPolicy></queue>"
      "<queue name='b'><schedulingPolicy>drf</schedulingPolicy></queue></queue>");
  Resources capacity(8'000, 8'192);
  capacity[2] = 4;
  const NodeId node = story.nodes(1, capacity)[0];
  Resources with_gpu(1'000, 1'024);
  with_gpu[2] = 1;
  story.run({.queue = "a"}, {.demand = with_gpu, .pending = 9});
  story.run({.queue = "b"}, {.demand = {2'000, 1'024}, .pending = 9});
  // With one container each, both have a dominant share of 1/4, a of GPUs and b of cores, and one
  // of 1/8 next; of the third a has 1/8 and b nothing, so b is first.
  EXPECT_EQ(story.beat(node, 4), "0 1 1 0");
  EXPECT_EQ(story.queue("root.a").entitled[2], 2);
  EXPECT_EQ(story.queue("root.a").entitled[0], 4'000);
}

// ---- weights ----

// Size-based: log2(1 + 1023) = 10 against log2(1 + 15) = 4 in MiB. With a container of 1023 MiB
// each in use, the first's quotient is smaller.
// Proves: 5.3.weight-of-application
TEST(FairWeights, Section53SizeBasedWeightIsTheLogarithmOfTheDemand) {
  FairStory story("", {{"size_based_weight", "true"}});
  story.nodes(1, {8'000, 8'192});
  const ApplicationId large = story.run({.queue = "a"}, {.demand = {1'000, 1'023}});
  const SchedulerView view = story.scheduler().view(story.harness().cluster());
  const auto weight = [&](ApplicationId id) {
    return test::text_of(view.applications[id.index()].figures, "weight");
  };
  EXPECT_EQ(weight(large), "10.0");
}

// Proves: G8.plain-logarithm
TEST(FairWeights, Hadoop20TakesThePlainLogarithm) {
  FairStory story("", {{"size_based_weight", "true"}, {"semantics", "hadoop-2.0"}});
  story.nodes(1, {8'000, 8'192});
  story.run({.queue = "a"}, {.demand = {1'000, 1'024}});
  const auto figures =
      story.scheduler().view(story.harness().cluster()).applications.front().figures;
  EXPECT_EQ(test::text_of(figures, "weight"), "10.0");
}

// The second application is submitted when the first is five minutes old and has one container.
// With `new` it weighs three times as much, so three of its containers go with one; in a tie the
// first is first. With `old` it is the other way round.
// Proves: G8.adjuster
TEST(FairWeights, TheAdjusterBoostsNewOrOldApplications) {
  for (const auto& [adjuster, order] :
       {std::pair{"new", "1 1 1 0 1 1"}, std::pair{"old", "1 0 0 0 1 0"},
        std::pair{"none", "1 0 1 0 1 0"}}) {
    FairStory story("", {{"weight_adjuster", adjuster}});
    const NodeId node = story.nodes(1, {16'000, 16'384})[0];
    story.run({.queue = "a"}, {.pending = 9});
    EXPECT_EQ(story.beat(node), "0");
    story.harness().advance(std::chrono::minutes(5) + seconds(1));
    story.run({.queue = "a"}, {.pending = 9});
    story.harness().advance(seconds(1));
    EXPECT_EQ(story.beat(node, 6), order) << adjuster;
  }
}

// Section 9 of yarn_generations: queues that rank the same go by name, in hadoop-2.0 by their
// earliest application.
// Proves: 5.4.ties, G9.ties, A6.3.2.sort
TEST(FairTies, QueuesGoByNameOrBySubmission) {
  for (const auto& [semantics, order] :
       {std::pair{"hadoop-3", "1 0"}, std::pair{"hadoop-2.0", "0 1"}}) {
    FairStory story("", {{"semantics", semantics}});
    const NodeId node = story.nodes(1, {8'000, 8'192})[0];
    story.run({.queue = "z"});
    story.harness().advance(seconds(1));
    story.run({.queue = "a"});
    story.harness().advance(seconds(1));
    EXPECT_EQ(story.beat(node, 2), order) << semantics;
  }
}

// Of the cluster's 9 GiB the earliest application of a queue with fifo has all.
// Proves: 5.3.fifo
TEST(FairSharesInARun, Section53FifoGivesAllToTheEarliest) {
  FairStory story("<queue name='q'><schedulingPolicy>fifo</schedulingPolicy></queue>");
  story.nodes(1, {9'000, 9'216});
  story.run({.queue = "q"});
  story.harness().advance(seconds(1));
  story.run({.queue = "q"});
  story.harness().advance(seconds(1));
  const SchedulerView view = story.scheduler().view(story.harness().cluster());
  const auto share = [&](std::size_t application) {
    return test::text_of(view.applications[application].figures, "Fair Share");
  };
  EXPECT_EQ(share(0), "memory: 9216");
  EXPECT_EQ(share(1), "memory: 0");
}

// The more important application gets as much as the other, and no turn before it.
// Proves: 5.3.priority-of-application
TEST(FairSharesInARun, Section53AnApplicationsPriorityCountsForNothing) {
  for (const char* policy : {"fair", "fifo"}) {
    FairStory story("<queue name='q'><schedulingPolicy>" + std::string(policy) +
                    "</schedulingPolicy></queue>");
    const NodeId node = story.nodes(1, {8'000, 8'192})[0];
    story.run({.queue = "q"}, {.pending = 2});
    story.run({.queue = "q", .priority = 9}, {.pending = 2});
    EXPECT_EQ(story.beat(node, 4), std::string(policy) == "fair" ? "0 1 0 1" : "0 0 1 1");
  }
}

// A parent's maximum caps the sum of what its children demand.
// Proves: 5.3.demand-is-capped
TEST(FairSharesInARun, Section53ADemandIsCappedAtEveryLevel) {
  FairStory story(
      "<queue name='p'><maxResources>3072 mb, 9 vcores</maxResources>"
      "<queue name='x'><maxResources>2048 mb, 9 vcores</maxResources></queue><queue name='y'/>"
      "</queue>");
  story.nodes(1, {9'000, 9'216});
  story.run({.queue = "p.x"}, {.pending = 5});
  story.run({.queue = "p.y"}, {.pending = 2});
  EXPECT_EQ(story.figure("root.p.x", "Demand Resources"), "memory: 2048, vCores: 5");
  EXPECT_EQ(story.figure("root.p", "Demand Resources"), "memory: 3072, vCores: 7");
  EXPECT_EQ(story.figure("root", "Demand Resources"), "memory: 3072, vCores: 7");
}

// Section 6.3.4 of the analysis of Hadoop 2.0: where every queue claims the whole cluster as its
// minimum, weights count for nothing, and all are served alike; without minima b gets three times
// as much.
// Proves: A6.3.4.minima
TEST(FairSharesInARun, WhereAllMinimaAreTheWholeClusterWeightsCountForNothing) {
  for (const auto& [minimum, order] :
       {std::pair{"8192", "0 1 0 1 0 1 0 1"}, std::pair{"0", "0 1 1 1 0 1 1 1"}}) {
    const std::string own =
        "<minResources>" + std::string(minimum) + " mb, 0 vcores</minResources>";
    FairStory story("<queue name='a'>" + own + "</queue><queue name='b'><weight>3</weight>" + own +
                    "</queue>");
    const NodeId node = story.nodes(1, {8'000, 8'192})[0];
    story.run({.queue = "a"}, {.pending = 9});
    story.run({.queue = "b"}, {.pending = 9});
    EXPECT_EQ(story.beat(node, 8), order) << minimum;
  }
}

// ---- further resources ----

// Of two accelerators that run, of three at most, each figure names them, and so does the reason
// why a third container of two more waits.
TEST(FairFigures, NameFurtherResources) {
  FairStory story(
      "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy><queue name='a'>"
      "<minResources>memory-mb=1024,vcores=1,gpu=1</minResources>"
      "<maxResources>memory-mb=4096,vcores=4,gpu=3</maxResources></queue>",
      {{"update_interval_ms", "0"}}, ResourceDimensions({"gpu"}));
  const auto with_gpu = [](Resources amount, std::int64_t count) {
    amount[2] = count;
    return amount;
  };
  const NodeId node = story.nodes(1, with_gpu({8'000, 8'192}, 4))[0];
  const ApplicationId id =
      story.run({.queue = "a"}, {.demand = with_gpu({1'000, 1'024}, 1), .pending = 2});
  EXPECT_EQ(story.beat(node, 3), "0 0");
  const std::pair<const char*, const char*> table[] = {
      {"Used Resources", "memory: 2048, vCores: 2, gpu: 2"},
      {"Demand Resources", "memory: 2048, vCores: 2, gpu: 2"},
      {"Min Resources", "memory: 1024, vCores: 1, gpu: 1"},
      {"Max Resources", "memory: 4096, vCores: 4, gpu: 3"},
      {"Steady Fair Share", "memory: 4096, vCores: 4, gpu: 3"},
      {"Instantaneous Fair Share", "memory: 4096, vCores: 4, gpu: 3"},
      {"AM Max Resources", "memory: 2048, vCores: 2, gpu: 2"},
  };
  for (const auto& [name, value] : table) EXPECT_EQ(story.figure("root.a", name), value) << name;
  EXPECT_EQ(story.figure("root", "Max Resources"),
            "memory: unlimited, vCores: unlimited, gpu: unlimited");
  const SchedulerView view = story.scheduler().view(story.harness().cluster());
  ASSERT_EQ(view.applications.size(), 1u);
  for (const char* label : {"Used Resources", "Demand Resources"}) {
    EXPECT_EQ(test::text_of(view.applications[0].figures, label,
                            ResourceDimensions({std::string("gpu")})),
              "memory: 2048, vCores: 2, gpu: 2")
        << label;
  }
  story.harness().ask(id, {.demand = with_gpu({1'000, 1'024}, 2), .pending = 1});
  story.harness().decide();
  EXPECT_EQ(story.beat(node), "");
  EXPECT_EQ(story.why(id),
            "queue_room: it asks for (memory: 1024, vCores: 1, gpu: 2), and queue root.a uses "
            "(memory: 2048, vCores: 2, gpu: 2) of at most (memory: 4096, vCores: 4, gpu: 3)\n");
  ASSERT_TRUE(story.reconfigure("<queue name='a'/>"));
  EXPECT_EQ(story.figure("root.a", "Used Resources"), "memory: 2048, vCores: 2, gpu: 2");
}

}  // namespace
}  // namespace tracebed
