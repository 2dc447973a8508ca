// What the applications of a leaf have to give to each other, with figures worked by hand. The leaf
// is of 100 MiB, all of them used, unless a test says otherwise.
#include "schedulers/yarn/capacity/preemption/within_queue.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

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

// ---- a leaf whose own order is fair ----

// Three users with limits of 34 each. The first two are above theirs, and the third wants 20. With
// the fair order all of it comes from the user who uses most; by priority and age the younger
// application gives its excess first.
// Proves: 4.within-fair
TEST(WithinQueueFair, WhoUsesMostGivesFirst) {
  for (const bool is_fair : {true, false}) {
    LeafBalance leaf = leaf_with({34, 34, 34}, {{0, 1, 60, 0, 1}, {1, 1, 40, 0, 1}, {2, 1, 0, 20}});
    leaf.is_fair = is_fair;
    balance_within(leaf, rules(true));
    EXPECT_EQ(obtained(leaf, 0), is_fair ? 20 : 15);
    EXPECT_EQ(obtained(leaf, 1), is_fair ? 0 : 5);
    EXPECT_EQ(leaf.applications.front().id, ApplicationId(is_fair ? 0u : 2u)) << "gives first";
  }
}

// In the leaf's own order the first user's application of 35 comes after that of 25, and gives all.
// Proves: 4.within-fair
TEST(WithinQueueFair, OfOneUserTheLastInTheLeafsOrderGivesFirst) {
  LeafBalance leaf = leaf_with({34, 34, 34}, {{0, 1, 35}, {0, 1, 25}, {1, 1, 40}, {2, 1, 0, 20}});
  leaf.is_fair = true;
  const std::vector<std::size_t> turns{2, 1, 3, 0};
  for (std::size_t i = 0; i < turns.size(); ++i) leaf.applications[i].turn = turns[i];
  balance_within(leaf, rules(true));
  EXPECT_EQ(obtained(leaf, 0), 20);
  EXPECT_EQ(obtained(leaf, 1), 0);
  EXPECT_EQ(obtained(leaf, 2), 0);
}

// Ideals are given to those first whose users use least: the last user's 30 are kept, though his
// application is the youngest and least important.
// Proves: 4.within-fair
TEST(WithinQueueFair, IdealsGoFirstToWhoUsesLeast) {
  LeafBalance leaf = leaf_with({100, 100, 100}, {{0, 9, 50, 50}, {1, 5, 20, 40}, {2, 1, 30, 0}});
  leaf.is_fair = true;
  balance_within(leaf, rules(true));
  EXPECT_EQ(balance_of(leaf, 1).ideal, memory_only(60));
  EXPECT_EQ(balance_of(leaf, 2).ideal, memory_only(30));
  EXPECT_EQ(balance_of(leaf, 0).ideal, memory_only(10));
}

// Masters do not count as use, and in a tie the user with the older application comes first.
TEST(WithinQueueFair, TiesGoByTheUsersOldestApplication) {
  LeafBalance leaf = leaf_with({90, 90, 90}, {{0, 1, 30}, {1, 1, 35, 0, 5}, {2, 1, 30}});
  leaf.is_fair = true;
  balance_within(leaf, rules(true));
  std::string order;
  for (const ApplicationBalance& each : leaf.applications) order += std::to_string(each.id.value());
  EXPECT_EQ(order, "210") << "the youngest gives first";
}

// Where priorities come first the leaf's order does not count.
TEST(WithinQueueFair, CountsOnlyWhereUsersBelowTheirLimitAreSpared) {
  LeafBalance leaf = leaf_with({34, 34, 34}, {{0, 1, 60}, {1, 1, 40}, {2, 2, 0, 20}});
  leaf.is_fair = true;
  balance_within(leaf, rules(false));
  EXPECT_EQ(leaf.applications.front().id, ApplicationId(1u));
}

// ---- several resources ----

// 60 containers of 1 GiB and a vcore, half of the memory wanted by somebody who has nothing. Memory
// is above the limit and vcores far below, so that nothing is left of memory after the first.
// Proves: 4.within-conservative
TEST(WithinQueue, OnlyAConservativeLeafStopsWhereOneResourceIsUsedUp) {
  for (const bool is_conservative : {true, false}) {
    LeafBalance leaf;
    leaf.used = leaf.guaranteed = {10'000, 10'240};
    for (int i = 0; i < 3; ++i) leaf.users.emplace_back().limit = {10'000, 10'240};
    const std::array<std::pair<Resources, Resources>, 3> figures{
        {{{0, 0}, {1'000, 10'240}}, {{4'000, 4'096}, {}}, {{6'000, 6'144}, {}}}};
    for (std::size_t i = 0; i < figures.size(); ++i) {
      ApplicationBalance& added = leaf.applications.emplace_back();
      added.id = ApplicationId(i);
      added.user = i;
      added.used = figures[i].first;
      added.pending = figures[i].second;
      leaf.users[i].used = added.used;
    }
    WithinRules by_share = rules(true);
    by_share.calculator = ResourceCalculator(ResourceCalculator::Kind::dominant);
    by_share.cluster = by_share.allowed = {100'000, 102'400};
    by_share.is_conservative = is_conservative;
    balance_within(leaf, by_share);
    EXPECT_EQ(balance_of(leaf, 0).ideal, Resources(1'000, 10'240));
    EXPECT_EQ(balance_of(leaf, 1).ideal, is_conservative ? Resources() : Resources(4'000, 4'096));
  }
}

// ---- what earlier selectors chose ----

// 9 of the first application were chosen for other queues. It should give 20 in all to its more
// important sibling; the 9 are deducted, from each application that gives, and never below nothing.
// Proves: 4.within-deduction
TEST(WithinQueue, WhatOthersChoseOfTheLeafIsDeductedFromEachWhoGives) {
  const auto balanced = [](std::int64_t chosen) {
    LeafBalance leaf = leaf_with({200}, {{0, 1, 50, 15, 1}, {0, 2, 50, 20, 1}});
    leaf.to_obtain = leaf.chosen = leaf.applications[0].chosen = memory_only(chosen);
    balance_within(leaf, rules(false));
    return obtained(leaf, 0);
  };
  EXPECT_EQ(balanced(0), 20);
  EXPECT_EQ(balanced(9), 11);
  EXPECT_EQ(balanced(25), 0);
  LeafBalance two = leaf_with({200}, {{0, 1, 30}, {0, 2, 30}, {0, 3, 40, 50}});
  two.chosen = memory_only(8);
  balance_within(two, rules(false));
  EXPECT_EQ(obtained(two, 0), 22);
  EXPECT_EQ(obtained(two, 1), 12) << "of 30 and 20, 8 each";
}

TEST(WithinQueue, WhatWasChosenBeforeIsNotChosenAgain) {
  LeafBalance leaf = leaf_with({100}, {{0, 1, 50}, {0, 2, 50, 20}});
  leaf.applications[0].chosen = memory_only(5);
  balance_within(leaf, rules(false));
  EXPECT_EQ(obtained(leaf, 0), 15);
}

}  // namespace
}  // namespace tracebed
