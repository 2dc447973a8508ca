// The limits of leaf queues and their users, against figures worked by hand.
#include "schedulers/yarn/capacity/leaf_limits.h"

#include <gtest/gtest.h>
#include <optional>

#include "schedulers/yarn/memory_only.h"

namespace tracebed {
namespace {

// A leaf with half of 100 GiB, in steps of 1 GiB.
LeafBasis half() {
  return {.calculator = ResourceCalculator(ResourceCalculator::Kind::memory),
          .partition = memory_only(102'400),
          .guaranteed = memory_only(51'200),
          .maximum = memory_only(92'160),
          .minimum_allocation = {1'000, 1'024}};
}

LeafBasis half(float user_limit_percent, float user_limit_factor) {
  LeafBasis leaf = half();
  leaf.user_limit_percent = user_limit_percent;
  leaf.user_limit_factor = user_limit_factor;
  return leaf;
}

// ---- applications ----

// Proves: 3.3.maximum-of-queue, 3.3.maximum-of-all-queues
TEST(MaximumApplications, AreTheLeafsOwnOrAPartOfTheSystems) {
  CapacityConfiguration configuration;
  CapacityQueue leaf;
  EXPECT_EQ(maximum_applications(configuration, leaf, 0.75F), 7'500);
  EXPECT_EQ(maximum_applications(configuration, leaf, 0.33333F), 3'333) << "cut";
  configuration.global_queue_maximum_applications = 400;
  EXPECT_EQ(maximum_applications(configuration, leaf, 0.75F), 400) << "not scaled";
  configuration.maximum_system_applications = 300;
  EXPECT_EQ(maximum_applications(configuration, leaf, 0.75F), 300);
  leaf.maximum_applications = 20'000;
  EXPECT_EQ(maximum_applications(configuration, leaf, 0.75F), 20'000);
}

// Of three forms of capacities: a percentage, a weight, an amount.
// Proves: 3.3.maximum-of-queue, 3.3.maximum-of-all-queues, 3.3.maximum-of-amounts
// Proves: 3.3.maximum-without-nodes
TEST(MaximumApplications, OfAllQueuesAreScaledWhereCapacitiesAreAmounts) {
  using Form = ConfiguredCapacity::Form;
  struct Row {
    std::int64_t of_system;
    std::optional<std::int64_t> of_all_queues;
    Form form;
    std::optional<float> capacity;  // none: a cluster without nodes
    std::int64_t expected;
  };
  const Row table[] = {
      {10'000, {}, Form::percent, 0.25F, 2'500},   {10'000, {}, Form::weight, 0.25F, 2'500},
      {10'000, {}, Form::absolute, 0.25F, 2'500},  {10'000, 1'000, Form::percent, 0.25F, 1'000},
      {10'000, 1'000, Form::weight, 0.25F, 1'000}, {10'000, 1'000, Form::absolute, 0.25F, 250},
      {600, 1'000, Form::percent, 0.25F, 600},     {600, 1'000, Form::absolute, 0.25F, 150},
      {600, 0, Form::absolute, 0.25F, 150},        {10'000, 1'000, Form::absolute, 0.3333F, 333},
      {10'000, 1'000, Form::absolute, 0.0F, 0},    {10'000, {}, Form::percent, {}, 10'000},
      {10'000, {}, Form::absolute, {}, 10'000},    {10'000, 1'000, Form::absolute, {}, 1'000},
  };
  for (const Row& row : table) {
    CapacityConfiguration configuration;
    configuration.maximum_system_applications = row.of_system;
    configuration.global_queue_maximum_applications = row.of_all_queues;
    CapacityQueue leaf;
    leaf.partitions[""].capacity.form = row.form;
    EXPECT_EQ(maximum_applications(configuration, leaf, row.capacity), row.expected)
        << row.of_system << " " << row.of_all_queues.value_or(-1) << " "
        << row.capacity.value_or(-1);
    leaf.maximum_applications = 7;
    EXPECT_EQ(maximum_applications(configuration, leaf, row.capacity), 7) << "its own";
  }
}

// Proves: 3.3.maximum-of-user
TEST(MaximumApplications, OfAUserAreAtMostTheLeafs) {
  CapacityQueue leaf;
  leaf.user_limit_percent = 30;
  EXPECT_EQ(maximum_applications_of_user(leaf, 99), 29) << "29.7, cut";
  leaf.user_limit_factor = 2;
  EXPECT_EQ(maximum_applications_of_user(leaf, 99), 59);
  leaf.user_limit_factor = 10;
  EXPECT_EQ(maximum_applications_of_user(leaf, 99), 99);
  leaf.user_limit_factor = -1;
  EXPECT_EQ(maximum_applications_of_user(leaf, 99), 99);
  leaf.user_limit_percent = 125;
  leaf.user_limit_factor = 1;
  EXPECT_EQ(maximum_applications_of_user(leaf, 99), 99);
  leaf.user_limit_factor = 0.5F;
  EXPECT_EQ(maximum_applications_of_user(leaf, 99), 61) << "125 % of 99, halved";
}

// The YARN analysis, section 6.2.2: a screen of the ResourceManager. Ten nodes of 4096 MiB,
// 512 MiB the minimum allocation, 75 % capacity, user limit factor 10.
// Proves: G1.count-of-masters, G1.count-of-user, G3.uncapped, A6.2.2.screen
TEST(HadoopTwo, CountsAsTheScreenOfTheAnalysisShows) {
  LeafBasis leaf;
  leaf.partition = memory_only(10 * 4'096);
  leaf.minimum_allocation = {1'000, 512};
  leaf.user_limit_factor = 10;
  EXPECT_EQ(maximum_active_applications(leaf, 1.0F), 8);
  EXPECT_EQ(maximum_active_applications_of_user(leaf, 0.75F), 60);
  CapacityQueue queue;
  queue.maximum_applications = 200;
  queue.user_limit_factor = 10;
  const std::int64_t of_leaf = maximum_applications(CapacityConfiguration(), queue, 0.75F);
  EXPECT_EQ(of_leaf, 200);
  EXPECT_EQ(uncapped_maximum_applications_of_user(queue, of_leaf), 2'000);
}

TEST(HadoopTwo, LetsOneApplicationBeActiveAlways) {
  LeafBasis leaf = half();
  leaf.application_master_share = 0;
  EXPECT_EQ(maximum_active_applications(leaf, 0.5F), 1);
  EXPECT_EQ(maximum_active_applications_of_user(leaf, 0.5F), 1);
  leaf.application_master_share = 0.101F;  // of 100: 5.05
  EXPECT_EQ(maximum_active_applications(leaf, 0.5F), 6) << "rounded up";
}

// ---- application masters ----

// Proves: 3.3.master-limit
TEST(ApplicationMasterLimit, IsAShareOfTheCurrentLimitButAtLeastOfTheGuarantee) {
  EXPECT_EQ(application_master_limit(half(), memory_only(92'160)), memory_only(9'216));
  EXPECT_EQ(application_master_limit(half(), memory_only(51'200)), memory_only(5'120));
  EXPECT_EQ(application_master_limit(half(), memory_only(40'960)), memory_only(5'120));
  EXPECT_EQ(application_master_limit(half(), memory_only(61'439)), memory_only(6'144))
      << "6143.9, to the nearest, then up to the step";
  EXPECT_EQ(application_master_limit(half(), memory_only(61'460)), memory_only(7'168)) << "6146";
}

// Proves: 3.3.master-limit-of-user, 3.3.master-limit-capped
TEST(ApplicationMasterLimit, OfAUserFollowsTheUserLimit) {
  const Resources of_leaf = memory_only(9'216);
  // A tenth of 51,200 is 5,120; a quarter of that 1,280.
  EXPECT_EQ(application_master_limit_of_user(half(25, 1), of_leaf, 8, 1), memory_only(2'048));
  EXPECT_EQ(application_master_limit_of_user(half(25, 1), of_leaf, 2, 1), memory_only(3'072))
      << "half, for two active users";
  EXPECT_EQ(application_master_limit_of_user(half(25, 1), of_leaf, 0, 1), memory_only(5'120))
      << "nobody is active: all of it";
  EXPECT_EQ(application_master_limit_of_user(half(25, 1), of_leaf, 8, 3), memory_only(4'096))
      << "three quarters, by the weight";
  EXPECT_EQ(application_master_limit_of_user(half(25, 1), of_leaf, 2, 3), memory_only(5'120))
      << "the weight does not lift it above the whole";
  EXPECT_EQ(application_master_limit_of_user(half(100, 4), of_leaf, 1, 1), of_leaf)
      << "20,480 by the factor, but no more than the leaf's";
  EXPECT_EQ(application_master_limit_of_user(half(25, -1), of_leaf, 8, 1), memory_only(5'120))
      << "without user limit and factor";
}

// ---- users ----

// Proves: 3.3.user-percent
TEST(UserLimit, IsTheUserLimitPercentOfAQueueThatIsNotFull) {
  const UsersUsage idle{.weights_of_active = 2};
  EXPECT_EQ(user_limit(half(50, 1), idle), memory_only(25'600));
}

// Hadoop takes it as it is: what is divided × percent, as far as the factor lets it.
// Proves: 3.3.user-percent-above
TEST(UserLimit, MayBeMoreThanAHundredPercent) {
  const UsersUsage idle{.weights_of_active = 2};
  EXPECT_EQ(user_limit(half(150, 1), idle), memory_only(51'200)) << "held by the factor";
  EXPECT_EQ(user_limit(half(150, 2), idle), memory_only(76'800));
  EXPECT_EQ(user_limit(half(150, -1), idle), memory_only(76'800));
  EXPECT_EQ(application_master_limit_of_user(half(150, 1), memory_only(92'160), 4, 1),
            memory_only(5'120))
      << "of masters no more than the whole";
}

// Proves: 3.3.user-even-part, 3.3.user-rounding
TEST(UserLimit, IsAnEvenPartOfWhatActiveUsersUseWhereThatIsMore) {
  // (40,960 + 1,024) / 2 is 20,992, up to 21,504; a quarter of the capacity is 12,800.
  const UsersUsage users{
      .usage_ratio = 0.4F, .used_by_active = memory_only(40'960), .weights_of_active = 2};
  EXPECT_EQ(user_limit(half(25, 1), users), memory_only(21'504));
}

// Proves: 3.3.user-current, 3.3.user-factor
TEST(UserLimit, GrowsWithAQueueThatIsAboveItsCapacity) {
  // 61,440 are consumed; the current capacity is one minimum allocation more.
  const UsersUsage users{.usage_ratio = 0.6F, .used_by_active = memory_only(10'240)};
  EXPECT_EQ(user_limit(half(100, 2), users), memory_only(62'464));
  EXPECT_EQ(user_limit(half(100, 1), users), memory_only(51'200)) << "at most capacity × factor";
  EXPECT_EQ(user_limit(half(100, 0.5F), users), memory_only(25'600));
}

// Proves: 3.3.user-current
TEST(UserLimit, AtExactlyTheCapacityItCountsAsFull) {
  const UsersUsage users{.usage_ratio = 0.5F, .used_by_active = memory_only(10'240)};
  EXPECT_EQ(user_limit(half(100, 2), users), memory_only(52'224));
}

// Proves: 3.3.user-without-factor
TEST(UserLimit, WithoutAFactorTheMaximumOfTheQueueHolds) {
  const UsersUsage users{.usage_ratio = 0.95F, .used_by_active = memory_only(97'280)};
  EXPECT_EQ(user_limit(half(100, -1), users), memory_only(92'160));
  EXPECT_EQ(user_limit(half(100, 5), users), memory_only(98'304));
}

// Proves: 3.3.user-without-factor
TEST(UserLimit, OfAQueueWithoutGuaranteeReachesItsMaximum) {
  LeafBasis leaf = half();
  leaf.guaranteed = Resources();
  // The capacity counts as 1,024; 4,096 are consumed, so 5,120 are current.
  const UsersUsage users{.usage_ratio = 0.04F, .used_by_active = memory_only(4'096)};
  EXPECT_EQ(user_limit(leaf, users), memory_only(5'120));
  EXPECT_EQ(user_limit(leaf, UsersUsage{}), memory_only(1'024)) << "one container always";
}

// Proves: 3.3.user-capacity
TEST(UserLimit, OfATinyQueueStartsFromTheMinimumAllocation) {
  LeafBasis leaf = half(100, 2);
  leaf.guaranteed = memory_only(512);
  const UsersUsage users{.usage_ratio = 0.02F, .used_by_active = memory_only(2'048)};
  EXPECT_EQ(user_limit(leaf, users), memory_only(2'048)) << "twice 1,024, not twice 512";
}

// Proves: 16.two-user-limits
TEST(UserLimit, ForPreemptionAllUsersCount) {
  // 51,200 among four users, against a fifth of it by percent.
  const UsersUsage users{.usage_ratio = 0.4F,
                         .used_by_active = memory_only(40'960),
                         .weights_of_active = 1,
                         .weights_of_all = 4};
  EXPECT_EQ(user_limit(half(20, 1), users, true), memory_only(13'312)) << "12,800 up to the step";
  EXPECT_EQ(user_limit(half(20, 1), users), memory_only(41'984));
}

// Proves: 3.3.user-rounding
TEST(UserLimit, IsWeightedDownToTheStep) {
  EXPECT_EQ(weighted_user_limit(half(), memory_only(25'600), 0.5F), memory_only(12'288))
      << "12,800";
  EXPECT_EQ(weighted_user_limit(half(), memory_only(25'600), 1), memory_only(25'600));
  EXPECT_EQ(weighted_user_limit(half(), memory_only(25'600), 2), memory_only(51'200));
}

TEST(UserLimit, WithTheDominantCalculatorCountsVcoresToo) {
  LeafBasis leaf;
  leaf.calculator = ResourceCalculator(ResourceCalculator::Kind::dominant);
  leaf.partition = {100'000, 102'400};
  leaf.guaranteed = {50'000, 51'200};
  leaf.maximum = leaf.partition;
  leaf.minimum_allocation = {1'000, 1'024};
  leaf.user_limit_percent = 25;
  EXPECT_EQ(user_limit(leaf, UsersUsage{.weights_of_active = 4}), Resources(13'000, 13'312))
      << "a quarter is 12.5 vcores and 12,800 MiB, both up to the step";
}

}  // namespace
}  // namespace tracebed
