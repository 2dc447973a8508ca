// The formulas of both generations of Hadoop 1's Fair Scheduler, worked by hand.
#include <gtest/gtest.h>

#include "schedulers/hadoop1/fair/deficit_shares.h"
#include "schedulers/hadoop1/fair/ratio_shares.h"
#include "schedulers/hadoop1/map_delay.h"

namespace tracebed {
namespace {

DeficitFigures deficit_job(double weight, std::int64_t tasks, std::int64_t deficit = 0) {
  DeficitFigures job;
  job.is_runnable = true;
  job.needed = tasks;
  job.weight = weight;
  job.deficit = deficit;
  return job;
}

// Proves: 9.deficit
TEST(Deficit, GrowsByShareLessRunningTimesTheTime) {
  DeficitFigures job = deficit_job(1, 10);
  job.share = 3;
  job.running = 1;
  add_deficit(job, milliseconds(500));
  EXPECT_EQ(job.deficit, 1000);
  job.running = 5;
  add_deficit(job, milliseconds(250));
  EXPECT_EQ(job.deficit, 500);
  job.share = 5.9991;
  add_deficit(job, milliseconds(10));
  EXPECT_EQ(job.deficit, 509) << "cut to whole ones";
}

// Proves: 9.deficit
TEST(Deficit, IsLookedAtAfterTheMinimum) {
  DeficitFigures owed = deficit_job(1, 10, 5000);
  DeficitFigures needy = deficit_job(1, 10, -5000);
  const auto comes_first = [](const DeficitFigures& a, std::int64_t running_of_a,
                              const DeficitFigures& b, std::int64_t running_of_b) {
    return rank_by_deficit(a, running_of_a) < rank_by_deficit(b, running_of_b);
  };
  EXPECT_TRUE(comes_first(owed, 0, needy, 0));
  needy.minimum = 2;
  EXPECT_TRUE(comes_first(needy, 1, owed, 0));
  EXPECT_FALSE(comes_first(owed, 0, needy, 1));
  EXPECT_TRUE(comes_first(owed, 0, needy, 2)) << "its minimum is met";
  owed.minimum = 1;
  EXPECT_TRUE(comes_first(owed, 0, needy, 1)) << "both are below: the deficit decides";
}

TEST(PoolWeights, OfJobsAddUpToThePools) {
  DeficitFigures a = deficit_job(1, 4);
  DeficitFigures b = deficit_job(3, 4);
  DeficitFigures idle = deficit_job(2, 0);
  DeficitFigures* jobs[] = {&a, &b, &idle};
  normalise_weights(jobs, 2);
  EXPECT_EQ(a.weight, 0.5);
  EXPECT_EQ(b.weight, 1.5);
  EXPECT_EQ(idle.weight, 1) << "by the same factor, but it shares in nothing";
}

struct MinimumCase {
  std::int64_t slots;
  std::vector<DeficitFigures> jobs;
  std::vector<std::int64_t> expected;
  const char* why;
};

// Proves: 9.pool-minimum
TEST(PoolMinimum, IsDividedByFloorsThenByCeilings) {
  const std::vector<MinimumCase> cases{
      {4, {deficit_job(1, 9), deficit_job(3, 9)}, {1, 3}, "by weight"},
      {5, {deficit_job(1, 9), deficit_job(1, 9, 7)}, {2, 3}, "2.5 each: the one to the deficit"},
      {5,
       {deficit_job(2, 9), deficit_job(1, 9, 7)},
       {4, 1},
       "floors 3 and 1 leave 1, whose floors are 0; its ceiling goes to the heavier"},
      {5, {deficit_job(1, 1), deficit_job(1, 9)}, {1, 4}, "no more than it has tasks"},
      {9, {deficit_job(1, 2), deficit_job(1, 3)}, {2, 3}, "all tasks have a slot"},
      {1, {deficit_job(1, 9), deficit_job(1, 9)}, {1, 0}, "equal: by submission"},
  };
  for (const MinimumCase& one : cases) {
    std::vector<DeficitFigures> jobs = one.jobs;
    std::vector<DeficitFigures*> pointers;
    for (DeficitFigures& job : jobs) pointers.push_back(&job);
    divide_minimum(pointers, one.slots);
    std::vector<std::int64_t> minima;
    for (const DeficitFigures& job : jobs) minima.push_back(job.minimum);
    EXPECT_EQ(minima, one.expected) << one.why;
  }
}

// Proves: 9.deficit
TEST(DeficitShares, AreByWeightButAtLeastTheMinimum) {
  DeficitFigures a = deficit_job(1, 1);
  DeficitFigures b = deficit_job(1, 9);
  DeficitFigures c = deficit_job(2, 9);
  DeficitFigures* jobs[] = {&a, &b, &c};
  divide_slots(jobs, 10);
  EXPECT_EQ(a.share, 2.5) << "the demand of one task does not cap it";
  EXPECT_EQ(b.share, 2.5);
  EXPECT_EQ(c.share, 5);
  b.minimum = 4;
  divide_slots(jobs, 10);
  EXPECT_EQ(b.share, 4);
  EXPECT_EQ(a.share, 2) << "6 are left, 1 : 2";
  EXPECT_EQ(c.share, 4);
}

struct RatioCase {
  double slots;
  std::vector<RatioFigures> entries;
  std::vector<double> expected;
  const char* why;
};

RatioFigures ratio(double weight, std::int64_t demand, std::int64_t minimum = 0,
                   std::int64_t running = 0) {
  RatioFigures figures;
  figures.weight = weight;
  figures.demand = demand;
  figures.minimum = minimum;
  figures.running = running;
  return figures;
}

// Proves: 9.ratio
TEST(RatioShares, AreBisectedAndCappedByDemand) {
  const std::vector<RatioCase> cases{
      {8, {ratio(1, 20), ratio(3, 20)}, {2, 6}, "by weight"},
      {8, {ratio(1, 20), ratio(1, 2)}, {6, 2}, "demand caps the share"},
      {8, {ratio(1, 20, 6), ratio(1, 20)}, {6, 2}, "the minimum is a floor"},
      {8, {ratio(1, 3, 6), ratio(1, 20)}, {3, 5}, "demand caps the minimum, too"},
      {8, {ratio(1, 2), ratio(1, 3)}, {2, 3}, "less is wanted than there is"},
      {4, {ratio(1, 9, 4), ratio(1, 9, 4)}, {4, 4}, "minima may add up to more"},
      {8, {ratio(0, 9), ratio(1, 9)}, {0, 8}, "no weight"},
  };
  for (const RatioCase& one : cases) {
    std::vector<RatioFigures> entries = one.entries;
    std::vector<RatioFigures*> pointers;
    for (RatioFigures& entry : entries) pointers.push_back(&entry);
    divide_by_ratio(pointers, one.slots);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      EXPECT_NEAR(entries[i].share, one.expected[i], 1e-5) << one.why;
    }
  }
}

// Proves: 9.ratio
TEST(RatioOrder, IsBelowTheMinimumFirstThenByRunningOverWeight) {
  const auto before = [](const RatioFigures& a, const RatioFigures& b) {
    return rank_by_ratio(a) < rank_by_ratio(b);
  };
  EXPECT_TRUE(before(ratio(1, 9, 2, 1), ratio(9, 9, 0, 0))) << "needy against not";
  EXPECT_TRUE(before(ratio(9, 9, 0, 0), ratio(1, 1, 2, 1))) << "it wants no more than it has";
  EXPECT_TRUE(before(ratio(1, 9, 4, 1), ratio(1, 9, 2, 1)))
      << "1/4 is met of one, 1/2 of the other";
  EXPECT_TRUE(before(ratio(2, 9, 0, 3), ratio(1, 9, 0, 2))) << "3/2 against 2";
  EXPECT_TRUE(rank_by_ratio(ratio(2, 9, 0, 4)) == rank_by_ratio(ratio(1, 9, 0, 2)));
  EXPECT_TRUE(before(ratio(1, 9, 0, 100), ratio(0, 9, 0, 1))) << "no weight: last";
}

// Proves: 9.larger-not-sum
TEST(SlotStarvation, IsTheLargerOfBothKindsNotTheirSum) {
  RatioFigures pool = ratio(1, 10, 4, 1);
  pool.share = 6.9;
  EXPECT_EQ(tasks_to_preempt(pool, false, false), 0);
  EXPECT_EQ(tasks_to_preempt(pool, true, false), 3);  // 4 − 1
  EXPECT_EQ(tasks_to_preempt(pool, false, true), 5);  // int(6.9) − 1
  EXPECT_EQ(tasks_to_preempt(pool, true, true), 5);   // not 8
  pool.demand = 3;
  EXPECT_EQ(tasks_to_preempt(pool, true, true), 2) << "no more than it wants";
  pool.running = 9;
  EXPECT_EQ(tasks_to_preempt(pool, true, true), 0);
}

// Proves: 9.larger-not-sum
TEST(SlotStarvation, BeginsBelowTheMinimumOrBelowHalfTheShare) {
  RatioFigures pool = ratio(1, 10, 4, 3);
  EXPECT_TRUE(lacks_minimum(pool));
  pool.demand = 3;
  EXPECT_FALSE(lacks_minimum(pool));
  pool.share = 5;
  pool.demand = 10;
  pool.running = 2;
  EXPECT_FALSE(lacks_half_share(pool)) << "floor(2.5)";
  pool.running = 1;
  EXPECT_TRUE(lacks_half_share(pool));
}

// Proves: 9.delay
TEST(MapDelays, GoByTheLevelOfTheLastMap) {
  const MapDelays delays{.node = seconds(2), .rack = seconds(3)};
  MapDelay delay;
  EXPECT_EQ(delay.allowed(delays), Locality::node);
  EXPECT_EQ(delay.until_next_level(delays), seconds(2));
  delay.beat(seconds(9));
  EXPECT_EQ(delay.allowed(delays), Locality::node) << "it was not passed over";
  delay.skip();
  delay.beat(seconds(2));
  EXPECT_EQ(delay.allowed(delays), Locality::rack);
  EXPECT_EQ(delay.until_next_level(delays), seconds(3));
  delay.skip();
  delay.beat(milliseconds(2'999));
  EXPECT_EQ(delay.allowed(delays), Locality::rack);
  delay.skip();
  delay.beat(milliseconds(1));
  EXPECT_EQ(delay.allowed(delays), Locality::off_switch) << "after both";
  delay.launched(Locality::rack);
  EXPECT_EQ(delay.allowed(delays), Locality::rack);
  delay.skip();
  delay.beat(seconds(3));
  EXPECT_EQ(delay.allowed(delays), Locality::off_switch) << "from a rack, after the second alone";
  delay.launched(Locality::node);
  EXPECT_EQ(delay.allowed(delays), Locality::node);
  delay.launched(Locality::off_switch);
  EXPECT_EQ(delay.allowed(delays), Locality::off_switch) << "at once";
}

}  // namespace
}  // namespace tracebed
