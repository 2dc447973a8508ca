// What the applications of a leaf have to give to each other, with figures worked by hand. The leaf
// is of 100 MiB, all of them used, unless a test says otherwise.
#include "schedulers/yarn/capacity/preemption/within_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedulers/yarn/memory_only.h"

namespace tracebed {
namespace {

struct ApplicationFigures {
  std::size_t user = 0;
  std::int32_t priority = 0;
  std::int64_t used = 0;
  std::int64_t pending = 0;
  std::int64_t master = 0;
};

LeafBalance leaf_with(const std::vector<std::int64_t>& user_limits,
                      const std::vector<ApplicationFigures>& applications) {
  LeafBalance leaf;
  leaf.used = leaf.guaranteed = memory_only(100);
  for (const std::int64_t limit : user_limits) leaf.users.emplace_back().limit = memory_only(limit);
  for (const ApplicationFigures& figures : applications) {
    ApplicationBalance& added = leaf.applications.emplace_back();
    added.id = ApplicationId(leaf.applications.size() - 1);
    added.user = figures.user;
    added.priority = figures.priority;
    added.used = memory_only(figures.used);
    added.pending = memory_only(figures.pending);
    added.master = memory_only(figures.master);
    leaf.users[figures.user].used += added.used;
    leaf.users[figures.user].masters += added.master;
  }
  return leaf;
}

WithinRules rules(bool spares_users_below_limit) {
  return {.cluster = memory_only(1000),
          .allowed = memory_only(1000),
          .minimum_allocation = memory_only(1),
          .most_taken = 0.5F,
          .spares_users_below_limit = spares_users_below_limit};
}

const ApplicationBalance& balance_of(const LeafBalance& leaf, std::size_t application) {
  for (const ApplicationBalance& each : leaf.applications) {
    if (each.id == ApplicationId(application)) return each;
  }
  ADD_FAILURE() << "there is no application " << application;
  return leaf.applications.front();
}
std::int64_t obtained(const LeafBalance& leaf, std::size_t application) {
  return balance_of(leaf, application).to_obtain.memory_mib();
}

// The more important one should have 70 and the other the 30 that are left of its 50.
// Proves: 4.within-queue
TEST(WithinQueue, TheLessImportantGiveToTheMoreImportant) {
  LeafBalance leaf = leaf_with({100}, {{0, 1, 50}, {0, 2, 50, 20}});
  balance_within(leaf, rules(false));
  EXPECT_EQ(balance_of(leaf, 1).ideal, memory_only(70));
  EXPECT_EQ(balance_of(leaf, 0).ideal, memory_only(30));
  EXPECT_EQ(obtained(leaf, 0), 20);
  EXPECT_EQ(leaf.applications.front().id, ApplicationId(0u)) << "the least important is first";
}

TEST(WithinQueue, AMinimumAllocationIsLeftWhereUsersBelowTheirLimitAreSpared) {
  LeafBalance leaf = leaf_with({100}, {{0, 1, 50}, {0, 2, 50, 20}});
  balance_within(leaf, rules(true));
  EXPECT_EQ(obtained(leaf, 0), 19);
}

// Proves: 4.within-queue
TEST(WithinQueue, NobodyGivesToHisOwnEquallyImportantApplications) {
  LeafBalance leaf = leaf_with({100}, {{0, 1, 50, 50}, {0, 1, 50, 20}});
  balance_within(leaf, rules(false));
  EXPECT_EQ(obtained(leaf, 0), 0);
  EXPECT_EQ(obtained(leaf, 1), 0);
}

// Half of the guarantee at most, and never more than the round allows.
TEST(WithinQueue, TakesNoMoreThanItsPartOfTheGuarantee) {
  LeafBalance leaf = leaf_with({100}, {{0, 1, 80}, {0, 2, 20, 80}});
  WithinRules narrow = rules(false);
  balance_within(leaf, narrow);
  EXPECT_EQ(obtained(leaf, 0), 50);
  leaf = leaf_with({100}, {{0, 1, 80}, {0, 2, 20, 80}});
  leaf.to_obtain = memory_only(15);
  balance_within(leaf, narrow);
  EXPECT_EQ(obtained(leaf, 0), 35);
  leaf = leaf_with({100}, {{0, 1, 80}, {0, 2, 20, 80}});
  narrow.allowed = memory_only(7);
  balance_within(leaf, narrow);
  EXPECT_EQ(obtained(leaf, 0), 7);
}

// Limits are 50 each: the first user has 25 too much, and one minimum allocation stays.
// Proves: 4.within-queue
TEST(WithinQueue, AUserAboveHisLimitGivesToOneBelow) {
  LeafBalance leaf = leaf_with({50, 50}, {{0, 1, 75}, {1, 1, 25, 50}});
  balance_within(leaf, rules(true));
  EXPECT_EQ(balance_of(leaf, 0).ideal, memory_only(50));
  EXPECT_EQ(balance_of(leaf, 1).ideal, memory_only(50));
  EXPECT_EQ(obtained(leaf, 0), 24);
}

// By priority alone a user at his limit gives too; if such users are spared he does not.
TEST(WithinQueue, AUserAtHisLimitIsSparedIfLimitsComeFirst) {
  for (const bool spares : {true, false}) {
    LeafBalance leaf = leaf_with({50, 100}, {{0, 1, 50}, {1, 2, 50, 30}});
    balance_within(leaf, rules(spares));
    EXPECT_EQ(obtained(leaf, 0), spares ? 0 : 30);
  }
}

// 10 of the first one's are its master's, and what is divided is 90.
TEST(WithinQueue, MastersStayOutOfIt) {
  LeafBalance leaf = leaf_with({100}, {{0, 1, 50, 0, 10}, {0, 2, 50, 60}});
  balance_within(leaf, rules(false));
  EXPECT_EQ(balance_of(leaf, 1).ideal, memory_only(90));
  EXPECT_EQ(balance_of(leaf, 0).ideal, memory_only(0));
  EXPECT_EQ(obtained(leaf, 0), 40);
}

TEST(WithinQueue, WhatWasChosenBeforeIsNotChosenAgain) {
  LeafBalance leaf = leaf_with({100}, {{0, 1, 50}, {0, 2, 50, 20}});
  leaf.applications[0].chosen = memory_only(5);
  balance_within(leaf, rules(false));
  EXPECT_EQ(obtained(leaf, 0), 15);
}

}  // namespace
}  // namespace tracebed
