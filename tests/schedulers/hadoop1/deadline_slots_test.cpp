// How many slots a deadline takes: the published formulas, by hand.
#include "schedulers/hadoop1/deadline/deadline_slots.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

using LeastOf = PerKind<std::int64_t>;

TEST(SlotsForGoal, AreTheWorkThatIsLeftOverTheTimeThatIsLeft) {
  const PerKind<TasksLeft> maps{.map = {20, 0, seconds(10)}, .reduce = {}};
  EXPECT_EQ(slots_for_goal(maps, seconds(100)), (LeastOf{2, 0}));
  EXPECT_EQ(slots_for_goal(maps, seconds(99)), (LeastOf{3, 0})) << "rounded up";
  EXPECT_EQ(slots_for_goal(maps, seconds(5)), (LeastOf{20, 0})) << "no more slots than tasks";
  EXPECT_EQ(slots_for_goal(maps, seconds(-5)), (LeastOf{20, 0})) << "late";
  EXPECT_EQ(slots_for_goal(maps, seconds(100'000)), (LeastOf{1, 0})) << "one at least";
  const PerKind<TasksLeft> begun{.map = {20, 30e6, seconds(10)}, .reduce = {}};
  EXPECT_EQ(slots_for_goal(begun, seconds(85)), (LeastOf{2, 0})) << "170 s of work are left";
}

// Work of 400 and of 100 s: roots 20 and 10, so that maps have two thirds of the 150 s. Then 4 and
// 2 slots, six in all; halves of the time would take 400 / 75 and 100 / 75, eight.
TEST(SlotsForGoal, DivideTheTimeSoThatMapsAndReducesTakeTheFewestSlots) {
  const PerKind<TasksLeft> left{.map = {40, 0, seconds(10)}, .reduce = {10, 0, seconds(10)}};
  EXPECT_EQ(slots_for_goal(left, seconds(150)), (LeastOf{4, 2}));
}

TEST(SlotsForGoal, OfTasksOfUnknownLengthAreOneToLearnIt) {
  const PerKind<TasksLeft> unknown{.map = {20, 0, {}}, .reduce = {5, 0, {}}};
  EXPECT_EQ(slots_for_goal(unknown, seconds(100)), (LeastOf{1, 1}));
  const PerKind<TasksLeft> half{.map = {20, 0, seconds(10)}, .reduce = {5, 0, {}}};
  EXPECT_EQ(slots_for_goal(half, seconds(100)), (LeastOf{2, 1}));
}

// 8 maps of 10 s and 2 reduces of 5 s within 40 s. With both reduce slots the reduces take 5 s:
// s_r^max is at 35 s, and n_m = 80 / 35 = 2.3. With three the maps end at 26.7 s, and one reduce
// slot is enough for 10 s of work in 13.3 s.
TEST(LeastSlots, AreThoseOfKcAndAnyanwu) {
  const DeadlineTerms terms{.tasks = {8, 2},
                            .lengths = {seconds(10), seconds(5)},
                            .transfer = {},
                            .time_left = seconds(40)};
  EXPECT_EQ(least_slots(terms, 2), (LeastOf{3, 1}));
  EXPECT_EQ(least_slots(terms, 100), (LeastOf{3, 1})) << "a reduce has one slot";
  EXPECT_EQ(least_slots(terms, 1), (LeastOf{3, 1})) << "s_r^max at 30 s: 80 / 30 = 2.7";
  EXPECT_EQ(least_slots(terms, 0), std::nullopt) << "none for its reduces";
  DeadlineTerms transferred = terms;
  transferred.transfer = seconds(9);
  EXPECT_EQ(least_slots(transferred, 2), (LeastOf{4, 1})) << "80 / 26, and 10 s in 11";
}

TEST(LeastSlots, AreNoneWhereATaskOutlastsTheTime) {
  DeadlineTerms terms{
      .tasks = {1, 0}, .lengths = {seconds(10), {}}, .transfer = {}, .time_left = seconds(10)};
  EXPECT_EQ(least_slots(terms, 1), (LeastOf{1, 0}));
  terms.time_left = milliseconds(9'999);
  EXPECT_EQ(least_slots(terms, 1), std::nullopt);
  terms = {.tasks = {0, 4},
           .lengths = {{}, seconds(10)},
           .transfer = seconds(1),
           .time_left = seconds(21)};
  EXPECT_EQ(least_slots(terms, 4), (LeastOf{0, 2}));
  terms.time_left = seconds(10);
  EXPECT_EQ(least_slots(terms, 4), std::nullopt);
}

}  // namespace
}  // namespace tracebed
