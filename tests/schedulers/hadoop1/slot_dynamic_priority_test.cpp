// Users who bid for slots, interval by interval.
#include <gtest/gtest.h>

#include "schedulers/hadoop1/slot_story.h"

namespace tracebed {
namespace {

SettingValues bidding(const char* budgets) {
  return {{"map_slots", "4"}, {"reduce_slots", "1"}, {"bids", "alice=3"}, {"budgets", budgets}};
}

// Until the first interval has ended nobody has a share, and slots go to jobs in their order. Then
// alice has three of four map slots, and bob, who bids 1, has one.
TEST(SlotDynamicPriority, SharesSlotsInProportionToBids) {
  SlotStory story("slot_dynamic_priority", bidding(""));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 10);
  story.run({.user = "bob"}, 10);
  EXPECT_EQ(story.beat(node), "0 0 0 0");
  story.harness().advance(seconds(20));
  story.end(0);
  EXPECT_EQ(story.figure("alice", "Share"), "75.0%");
  EXPECT_EQ(story.figure("alice", "Quota (map)"), "3");
  EXPECT_EQ(story.figure("alice", "Quota (reduce)"), "1");
  EXPECT_EQ(story.figure("bob", "Quota (map)"), "1");
  EXPECT_EQ(story.figure("bob", "Quota (reduce)"), "0");
  EXPECT_EQ(story.beat(node), "1");
  story.end(1);
  EXPECT_EQ(story.beat(node), "0") << "alice runs two of her three";
}

// Slots that nobody has a quota for are not left idle.
TEST(SlotDynamicPriority, GivesWhatOthersLeaveInTheOrderOfSubmission) {
  SlotStory story("slot_dynamic_priority", bidding(""));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 1);
  story.run({.user = "bob"}, 9);
  story.harness().advance(seconds(20));
  EXPECT_EQ(story.beat(node), "0 1 1 1");
  EXPECT_EQ(story.figure("bob", "Occupied (map)"), "3");
}

// Alice pays 3 credits for each of three slots: of 24, 9 after each interval; with 6 left she
// cannot pay the third, and has no share in the interval that follows.
TEST(SlotDynamicPriority, TakesBidsFromBudgetsAtEachInterval) {
  SlotStory story("slot_dynamic_priority", bidding("alice=24"));
  const NodeId node = story.nodes(1).front();
  story.run({.user = "alice"}, 10);
  story.run({.user = "bob"}, 10);
  EXPECT_EQ(story.beat(node), "0 0 0 0");
  struct After {
    int at;
    const char* budget;
    const char* quota;
    const char* of_bob;
  };
  for (const After& after : {After{20, "24.0", "3", "1"}, After{40, "15.0", "3", "1"},
                             After{60, "6.0", "3", "1"}, After{80, "6.0", "0", "1"}}) {
    story.harness().advance(seconds(20));
    EXPECT_EQ(story.beat(node), "");
    EXPECT_EQ(story.figure("alice", "Budget"), after.budget) << after.at;
    EXPECT_EQ(story.figure("alice", "Quota (map)"), after.quota) << after.at;
    EXPECT_EQ(story.figure("bob", "Quota (map)"), after.of_bob) << after.at;
  }
  EXPECT_EQ(story.figure("bob", "Budget"), "unlimited");
}

// A bid of 3 with a budget of 2: her jobs wait with that reason, and get what bob leaves.
TEST(SlotDynamicPriority, OfABidAboveTheBudgetTellsWhyItsJobsWait) {
  SlotStory story("slot_dynamic_priority", bidding("alice=2"));
  const NodeId node = story.nodes(1).front();
  const ApplicationId poor = story.run({.user = "alice"}, 10);
  story.run({.user = "bob"}, 3);
  story.harness().advance(seconds(20));
  EXPECT_EQ(story.beat(node), "1 1 1 0");
  EXPECT_EQ(story.figure("bob", "Share"), "100.0%");
  EXPECT_EQ(story.why(poor),
            "budget: user alice bids 3 credits for a slot and interval, and has 2 left: the job "
            "gets the slots that others leaveroom: 4 of 4 map slots are taken");
}

TEST(SlotDynamicPriority, RefusesBidsAndBudgetsThatAreNone) {
  const auto refusal = [](const char* setting, const char* value) {
    SchedulerParameters parameters;
    parameters.settings = {{setting, value}};
    const auto made = test::schedulers().make("slot_dynamic_priority", parameters);
    return made ? std::string() : made.error().message;
  };
  EXPECT_EQ(refusal("bids", "alice=0"),
            "scheduler slot_dynamic_priority, setting bids: expected names with bids from 0.001 to "
            "1000, such as \"alice=2,bob=0.5\", got \"alice=0\"");
  EXPECT_EQ(refusal("budgets", "alice"),
            "scheduler slot_dynamic_priority, setting budgets: expected names with budgets from "
            "0.001 to 1000000000, such as \"alice=1000\", got \"alice\"");
}

}  // namespace
}  // namespace tracebed
