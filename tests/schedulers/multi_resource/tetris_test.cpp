// Tetris (Grandl et al., SIGCOMM 2014), with scores worked by hand.
#include "schedulers/multi_resource/tetris.h"

#include <gtest/gtest.h>

#include "schedulers/hadoop1/slot_story.h"

namespace tracebed {
namespace {

// Without fairness and work unless they are set.
class PackedStory : public SlotStory {
 public:
  explicit PackedStory(const std::string& setting = "barrier", const std::string& value = "1")
      : SlotStory("tetris", with_defaults({{setting, value}})) {}

  NodeId add(const Resources& capacity) {
    const NodeId node = harness().add_node(capacity);
    harness().decide();
    return node;
  }
  AskId job(const Resources& demand, std::uint32_t tasks) {
    return maps_of(submit(), {.demand = demand, .pending = tasks});
  }

 private:
  static SettingValues with_defaults(SettingValues settings) {
    settings.try_emplace("fairness", "0");
    settings.try_emplace("work_weight", "0");
    return settings;
  }
};

// ---- alignment ----

// Of 10 and 10 free, <1, 4> and <4, 1> are worth 0.5 and <2, 2> 0.4; of equal ones the older job
// comes first. Of 9 and 6: 0.33, 0.42 and 0.3. Of 5 and 5 the first two are equal again, and of 4
// and 1 only the second fits.
TEST(Tetris, TakesTheTaskThatIsAlignedWithWhatIsFree) {
  PackedStory story;
  const NodeId node = story.add(Resources(10, 10));
  story.job(Resources(1, 4), 9);
  story.job(Resources(4, 1), 9);
  story.job(Resources(2, 2), 9);
  EXPECT_EQ(story.beat(node), "0 1 0 1");
}

// In amounts, 300 of 1,000 would be worth more than 5 of 10.
TEST(Tetris, NormalisesByTheNodesCapacity) {
  PackedStory story;
  const NodeId node = story.add(Resources(10, 1'000));
  story.job(Resources(1, 300), 9);  // 0.1 + 0.3
  // 0.5 + 0.001; with five cores left 0.25 + 0.001, and the other 0.05 + 0.3.
  story.job(Resources(5, 1), 9);
  EXPECT_EQ(story.beat(node), "1 0 0 0");
}

// 0.5 less a tenth is 0.45 on a node without the input.
TEST(Tetris, PenalisesRemoteInput) {
  for (const auto& [penalty, there, elsewhere] :
       {std::tuple("0.1", "0", "1"), std::tuple("0", "0", "0")}) {
    PackedStory story("remote_penalty", penalty);
    const NodeId home = story.add(Resources(10, 10));
    const NodeId other = story.add(Resources(10, 10));
    story.maps_of(story.submit(), {.demand = Resources(1, 4), .pending = 9, .nodes = {{home, 9}}});
    story.job(Resources(4, 1), 9);
    EXPECT_EQ(story.beat(home).substr(0, 1), there);
    EXPECT_EQ(story.beat(other).substr(0, 1), elsewhere) << penalty;
  }
}

// ---- remaining work ----

// Works are 10 and 2 tasks of the same demand. What runs remains as well: 10 and 2 until the end.
TEST(Tetris, PrefersTheJobWithTheLeastWork) {
  PackedStory story("work_weight", "1");
  const NodeId node = story.add(Resources(4, 4));
  story.job(Resources(1, 1), 10);
  story.job(Resources(1, 1), 2);
  EXPECT_EQ(story.beat(node), "1 1 0 0");
}

// Alignments are 0.5 and 0.4, their mean 0.45. Ten tasks of <4, 1> are 5 of all there is for the
// time of one, two of <2, 2> 0.8, their mean 2.9. With ε = 1, 0.45 / 2.9 of a work counts: 0.5 −
// 0.776 and 0.4 − 0.124. With ε = 0.1 it is 0.5 − 0.078 and 0.4 − 0.012.
TEST(Tetris, WeighsWorkAgainstAlignment) {
  for (const auto& [weight, first] : {std::pair("1", "1"), std::pair("0.1", "0")}) {
    PackedStory story("work_weight", weight);
    const NodeId node = story.add(Resources(10, 10));
    story.job(Resources(4, 1), 10);
    story.job(Resources(2, 2), 2);
    EXPECT_EQ(story.beat(node).substr(0, 1), first) << weight;
  }
}

// A task of the first job took 10 s, one of the second 100 s: 4 × 10 is less than 2 × 100.
TEST(Tetris, LearnsDurationsFromTasksThatEnded) {
  PackedStory story("work_weight", "1");
  const NodeId node = story.add(Resources(1, 1));
  const AskId quick = story.job(Resources(1, 1), 1);
  EXPECT_EQ(story.beat(node), "0");
  story.harness().advance(seconds(10));
  story.end(0);
  const AskId slow = story.job(Resources(1, 1), 1);
  EXPECT_EQ(story.beat(node), "1");
  story.harness().advance(seconds(100));
  story.end(1);
  story.harness().set_pending(quick, 4);
  story.harness().set_pending(slow, 2);
  story.harness().decide();
  EXPECT_EQ(story.beat(node), "0");
}

TEST(TaskDurationsTest, AreOfTheJobThenOfAllThenASecond) {
  TaskDurations durations;
  const ApplicationId job(std::uint32_t{1});
  const ApplicationId other(std::uint32_t{2});
  const AskId ask(std::uint32_t{5});
  const NodeId node(std::uint32_t{3});
  EXPECT_EQ(durations.estimate(job, SlotKind::map), 1'000'000);
  durations.started(ask, node, TraceTime(seconds(1)));
  durations.started(ask, node, TraceTime(seconds(3)));
  durations.ended(ask, node, job, SlotKind::map, TraceTime(seconds(5)));
  EXPECT_EQ(durations.estimate(job, SlotKind::map), 4'000'000);
  EXPECT_EQ(durations.estimate(other, SlotKind::map), 4'000'000);
  EXPECT_EQ(durations.estimate(job, SlotKind::reduce), 1'000'000);
  durations.ended(ask, node, job, SlotKind::map, TraceTime(seconds(5)));
  EXPECT_EQ(durations.estimate(job, SlotKind::map), 3'000'000) << "the mean of 4 and 2";
  durations.started(ask, node, TraceTime(seconds(6)));
  durations.refused(ask);
  durations.ended(ask, node, job, SlotKind::map, TraceTime(seconds(90)));
  EXPECT_EQ(durations.estimate(job, SlotKind::map), 3'000'000) << "it never ran";
}

// ---- fairness ----

// Of 10 and 10, <4, 1> is worth 0.5 and <1, 1> 0.2, and of 6 and 9 0.33 and 0.15. With f = 0.5 only
// one of the two jobs is looked at: the older, then the one without a share until it has as much,
// then the older again, which has no task that fits, so that the other has the rest.
TEST(Tetris, LooksAtTheJobsFurthestBelowTheirShare) {
  for (const auto& [fairness, given] :
       {std::pair("0", "0 0 1 1"), std::pair("0.5", "0 1 1 1 1 1 1")}) {
    PackedStory story("fairness", fairness);
    const NodeId node = story.add(Resources(10, 10));
    story.job(Resources(4, 1), 9);
    story.job(Resources(1, 1), 9);
    EXPECT_EQ(story.beat(node), given);
  }
}

// ⌈(1 − f) J⌉ of five jobs: all, four, three, and one at least.
TEST(Tetris, CountsTheFirstJobsUpwards) {
  for (const auto& [fairness, expected] :
       {std::pair("0", 5), std::pair("0.25", 4), std::pair("0.5", 3), std::pair("0.999", 1)}) {
    PackedStory story("fairness", fairness);
    story.add(Resources(10, 10));
    for (int i = 0; i < 5; ++i) story.job(Resources(1, 1), 1);
    int first = 0;
    for (std::uint32_t i = 0; i < 5; ++i) {
      first += story.figure(ApplicationId(i), "Among the First") == "true" ? 1 : 0;
    }
    EXPECT_EQ(first, expected) << fairness;
  }
}

// ---- barriers ----

// Two of the four maps of the first job have ended, and its reduce waits. <3, 3> of 4 and 4 is
// worth 1.5 and a map 0.5.
TEST(Tetris, TasksBeforeABarrierComeFirst) {
  for (const auto& [barrier, given] : {std::pair("0.5", "0 0"), std::pair("0.75", "1 0")}) {
    PackedStory story("barrier", barrier);
    const NodeId node = story.add(Resources(4, 4));
    const ApplicationId first = story.run({}, 0);
    story.maps_of(first, {.demand = Resources(1, 1), .pending = 4});
    story.reduces_of(first, 1);  // has no room here
    story.job(Resources(3, 3), 5);
    EXPECT_EQ(story.beat(node), "1 0");
    story.end(1);
    EXPECT_EQ(story.beat(node), "0");
    story.end(2);
    story.end(0);
    EXPECT_EQ(story.beat(node), given) << barrier;
  }
}

}  // namespace
}  // namespace tracebed
