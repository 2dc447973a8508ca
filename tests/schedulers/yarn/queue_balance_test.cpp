// What queues should have and have to give, with figures worked by hand. Queues are in one
// partition of 100 unless a test says otherwise; amounts are MiB, or GPU-less vectors of whole
// cores and MiB where the dominant calculator is meant.
#include "schedulers/yarn/capacity/preemption/queue_balance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedulers/yarn/memory_only.h"

namespace tracebed {
namespace {

using testing::ElementsAre;

Resources cores_and_mib(std::int64_t cores, std::int64_t amount) {
  return {cores * 1000, amount};
}

struct Figures {
  std::int64_t guaranteed = 0;
  std::int64_t used = 0;
  std::int64_t pending = 0;
  std::int64_t maximum = 100;
};

QueueBalance queue_of(const Figures& figures) {
  QueueBalance queue;
  queue.guaranteed = memory_only(figures.guaranteed);
  queue.absolute_capacity = static_cast<float>(figures.guaranteed) / 100;
  queue.maximum = memory_only(figures.maximum);
  queue.used = memory_only(figures.used);
  queue.pending = queue.pending_less_reserved = memory_only(figures.pending);
  return queue;
}

// A root with these leaves.
std::vector<QueueBalance> root_with(const std::vector<Figures>& leaves) {
  std::vector<QueueBalance> queues{queue_of({.guaranteed = 100})};
  for (const Figures& figures : leaves) {
    queues[0].children.push_back(queues.size());
    queues.push_back(queue_of(figures));
    queues[0].used += queues.back().used;
    queues[0].pending += queues.back().pending;
  }
  return queues;
}

// Everything at once, so that the parts can be looked at one by one.
BalanceRules rules() {
  return {.cluster = memory_only(100),
          .allowed = memory_only(100),
          .ignored_over_capacity = 0,
          .natural_termination = 1};
}

std::vector<std::int64_t> of_leaves(const std::vector<QueueBalance>& queues,
                                    Resources QueueBalance::*field) {
  std::vector<std::int64_t> amounts;
  for (const QueueBalance& queue : queues) {
    if (queue.is_leaf()) amounts.push_back((queue.*field).memory_mib());
  }
  return amounts;
}

// C begins at half of its guarantee and is served first, then A and B in turn with 10/50 and 40/50
// of what is left: 4 and 17, 2, 3, and the last 4 for A, once B has what it uses.
// Proves: 4.ideal
TEST(QueueBalance, TheMostUnderServedAreServedFirstUntilNobodyTakesMore) {
  auto queues = root_with({{10, 30, 20}, {40, 60, 5}, {20, 10, 20}, {30, 0, 0}});
  const auto under_served = balance_queues(queues, rules());
  EXPECT_THAT(of_leaves(queues, &QueueBalance::ideal), ElementsAre(20, 60, 20, 0));
  EXPECT_THAT(of_leaves(queues, &QueueBalance::to_preempt), ElementsAre(10, 0, 0, 0));
  EXPECT_THAT(under_served, ElementsAre(3, 1, 2));
}

TEST(QueueBalance, TakesNothingWhereNobodyWantsIt) {
  auto queues = root_with({{40, 0, 0}, {40, 60, 0}, {20, 40, 0}});
  balance_queues(queues, rules());
  EXPECT_THAT(of_leaves(queues, &QueueBalance::to_obtain), ElementsAre(0, 0, 0));
}

// Of the 40 that are left above guarantees A takes the 10 that it wants; of 30, B is offered
// 30 × 40/60 = 20, which is all that it uses, and C 10.
TEST(QueueBalance, WhatIsLeftIsDividedByGuarantees) {
  auto queues = root_with({{40, 0, 10}, {40, 60, 0}, {20, 40, 0}});
  balance_queues(queues, rules());
  EXPECT_THAT(of_leaves(queues, &QueueBalance::ideal), ElementsAre(10, 60, 30));
  EXPECT_THAT(of_leaves(queues, &QueueBalance::to_obtain), ElementsAre(0, 0, 10));
}

// Of ten cores and 100 MiB.
QueueBalance small_queue(float capacity, const Resources& guaranteed, const Resources& used) {
  QueueBalance queue;
  queue.guaranteed = guaranteed;
  queue.absolute_capacity = capacity;
  queue.maximum = cores_and_mib(10, 100);
  queue.used = used;
  return queue;
}

// YARN-11073. 1 % of ten cores is none, so nothing of the cores would be offered to a queue that
// has 1 % and uses four, and its containers would be killed though nobody wants anything.
TEST(QueueBalance, WhatIsLeftGoesAlsoToAQueueWhoseGuaranteeIsRoundedToZero) {
  const Resources whole = cores_and_mib(10, 100);
  BalanceRules by_dominant = rules();
  by_dominant.calculator = ResourceCalculator{ResourceCalculator::Kind::dominant};
  by_dominant.cluster = by_dominant.allowed = whole;
  for (const bool is_alone : {true, false}) {
    std::vector<QueueBalance> queues{small_queue(1, whole, {})};
    if (is_alone) {
      queues.push_back(small_queue(0.01F, cores_and_mib(0, 1), cores_and_mib(4, 40)));
      queues.push_back(small_queue(0.99F, cores_and_mib(9, 99), {}));
    } else {
      // Both have more than they are guaranteed. A is offered 0.01 / 0.21 of the eight cores and 79
      // MiB that are left, which is a core and 4 MiB when normalised up.
      queues.push_back(small_queue(0.01F, cores_and_mib(0, 1), cores_and_mib(2, 20)));
      queues.push_back(small_queue(0.20F, cores_and_mib(2, 20), cores_and_mib(8, 80)));
    }
    queues[0].children = {1, 2};
    queues[0].used = queues[1].used + queues[2].used;
    balance_queues(queues, by_dominant);
    for (const QueueBalance& queue : queues) {
      EXPECT_EQ(queue.to_preempt, Resources()) << is_alone;
      if (!queue.is_leaf()) continue;
      EXPECT_EQ(queue.ideal, queue.used) << is_alone;
    }
  }
}

// As above, but what B has above its guarantee cannot be taken, so C has to give all 10 of 20.
// Proves: 4.untouchable
TEST(QueueBalance, WhatALeafMayKeepIsUntouchable) {
  auto queues = root_with({{40, 0, 10}, {30, 60, 0}, {30, 40, 0}});
  queues[2].is_disabled = true;
  balance_queues(queues, rules());
  EXPECT_EQ(queues[2].untouchable, memory_only(30));
  EXPECT_EQ(queues[3].preemptable, memory_only(10));
  EXPECT_THAT(of_leaves(queues, &QueueBalance::ideal), ElementsAre(10, 60, 30));
  EXPECT_THAT(of_leaves(queues, &QueueBalance::to_obtain), ElementsAre(0, 0, 10));
}

// P has 20 more than its guarantee. X, above its own by 20, may keep that, and Y is above by 10: of
// P's 20, 10 are preemptable and 10 are not.
// Proves: 4.untouchable
TEST(QueueBalance, AParentsExtraIsPreemptableAsFarAsItsChildrensIs) {
  std::vector<QueueBalance> queues{queue_of({.guaranteed = 100}), queue_of({50, 70}),
                                   queue_of({20, 40}), queue_of({20, 30}), queue_of({50, 0, 50})};
  queues[0].children = {1, 4};
  queues[1].children = {2, 3};
  queues[2].is_disabled = true;
  balance_queues(queues, rules());
  EXPECT_EQ(queues[1].preemptable, memory_only(10));
  EXPECT_EQ(queues[1].untouchable, memory_only(10));
}

// E is far above its guarantee, but its parent D is not above its own: A's child gives.
TEST(QueueBalance, ParentsAreBalancedBeforeTheirChildren) {
  std::vector<QueueBalance> queues{queue_of({200, 200, 10, 200}), queue_of({100, 110, 0, 200}),
                                   queue_of({50, 60, 0, 200}),    queue_of({50, 50, 0, 200}),
                                   queue_of({100, 90, 10, 200}),  queue_of({10, 90, 0, 200}),
                                   queue_of({90, 0, 10, 200})};
  queues[0].children = {1, 4};
  queues[1].children = {2, 3};
  queues[4].children = {5, 6};
  BalanceRules all = rules();
  all.cluster = all.allowed = memory_only(200);
  balance_queues(queues, all);
  EXPECT_THAT(of_leaves(queues, &QueueBalance::to_obtain), ElementsAre(10, 0, 0, 0));
}

// A takes its 30 of the 80 that are left, and of the 50 after it two queues without a guarantee
// are offered half each.
// Proves: 4.guaranteed-first
TEST(QueueBalance, QueuesWithoutAGuaranteeShareWhatIsLeftEvenly) {
  auto queues = root_with({{100, 20, 30}, {0, 50, 20}, {0, 30, 40}});
  balance_queues(queues, rules());
  EXPECT_THAT(of_leaves(queues, &QueueBalance::ideal), ElementsAre(50, 25, 25));
  EXPECT_THAT(of_leaves(queues, &QueueBalance::to_obtain), ElementsAre(0, 25, 5));
}

// Between unequal priorities below their guarantees the more important takes all 10 that are left,
// though the other is the more under-served: 5, 3, 1 and 1, rounded to the nearest.
TEST(QueueBalance, AMoreImportantQueueBelowItsGuaranteeIsServedFirst) {
  auto queues = root_with({{40, 10, 30}, {40, 20, 20}, {20, 60, 0}});
  queues[2].priority = 2;
  queues[1].priority = 1;
  queues[3].is_disabled = true;
  balance_queues(queues, rules());
  EXPECT_THAT(of_leaves(queues, &QueueBalance::ideal), ElementsAre(10, 30, 60));
}

// B and C should give 10 each, and 10 may be taken: half of each.
// Proves: 4.per-round
TEST(QueueBalance, AllGiveLessWhereMoreIsNeededThanMayBeTaken) {
  auto queues = root_with({{40, 0, 20}, {30, 50, 0}, {30, 50, 0}});
  BalanceRules scarce = rules();
  scarce.allowed = memory_only(10);
  balance_queues(queues, scarce);
  EXPECT_THAT(of_leaves(queues, &QueueBalance::to_preempt), ElementsAre(0, 5, 5));
}

// With a tenth ignored, B may have 55 of its 50, and no more.
// Proves: 4.over-capacity
TEST(QueueBalance, ALittleAboveItsGuaranteeAQueueIsLeftAlone) {
  for (const auto& [used, obtained] : {std::pair(55, 0), std::pair(56, 6)}) {
    auto queues = root_with({{50, 40, 60}, {50, used, 0}});
    BalanceRules tolerant = rules();
    tolerant.ignored_over_capacity = 0.1;
    balance_queues(queues, tolerant);
    EXPECT_EQ(queues[2].to_preempt, memory_only(used - 50));
    EXPECT_EQ(queues[2].to_obtain, memory_only(obtained)) << used;
  }
}

// 0.2 × 2 is 0.4, the nearest to which is 0; × 3 is 0.6, and 1. What is counted with reservations
// is not damped.
// Proves: 4.termination
TEST(QueueBalance, APartIsLeftToContainersThatEndByThemselves) {
  for (const auto& [above, obtained] : {std::pair(2, 0), std::pair(3, 1), std::pair(50, 10)}) {
    auto queues = root_with({{50, 0, 100}, {50, 50 + above, 0}});
    BalanceRules damped = rules();
    damped.natural_termination = 0.2;
    balance_queues(queues, damped);
    EXPECT_EQ(queues[2].to_obtain, memory_only(obtained)) << above;
    damped.counts_reserved = true;
    balance_queues(queues, damped);
    EXPECT_EQ(queues[2].to_obtain, memory_only(above));
  }
}

// Of 5 cores and 50 MiB A is offered halves, up to whole ones: 3 and 25, 1 and 13, 1 and 6. It has
// its cores then, and of the 6 MiB that are left both are offered 3. Of the 2 cores and 7 MiB that
// B has too many, a fifth is 1 and 2: the dominant calculator takes the ceiling in each dimension.
// Proves: 4.termination
TEST(QueueBalance, TheDominantCalculatorAsksForAtLeastOne) {
  std::vector<QueueBalance> queues(3);
  queues[0].guaranteed = cores_and_mib(10, 100);
  queues[0].children = {1, 2};
  queues[1].guaranteed = queues[2].guaranteed = cores_and_mib(5, 50);
  queues[1].maximum = queues[2].maximum = cores_and_mib(10, 100);
  queues[1].pending = queues[1].pending_less_reserved = cores_and_mib(10, 100);
  queues[2].used = cores_and_mib(7, 60);
  BalanceRules both = rules();
  both.calculator = ResourceCalculator(ResourceCalculator::Kind::dominant);
  both.cluster = both.allowed = cores_and_mib(10, 100);
  both.natural_termination = 0.2;
  balance_queues(queues, both);
  EXPECT_EQ(queues[1].ideal, cores_and_mib(5, 47));
  EXPECT_EQ(queues[2].to_preempt, cores_and_mib(2, 7));
  EXPECT_EQ(queues[2].to_obtain, cores_and_mib(1, 2));
}

// Beyond guarantees A and B end with 50 each, where otherwise B would stop at its 30.
TEST(QueueBalance, QueuesAreEvenedOutBeyondTheirGuaranteesIfThatIsWanted) {
  auto queues = root_with({{30, 80, 20}, {30, 20, 40}, {40, 0, 0}});
  balance_queues(queues, rules());
  EXPECT_THAT(of_leaves(queues, &QueueBalance::ideal), ElementsAre(70, 30, 0));
  BalanceRules even = rules();
  even.goes_beyond_guarantee = true;
  balance_queues(queues, even);
  EXPECT_THAT(of_leaves(queues, &QueueBalance::ideal), ElementsAre(50, 50, 0));
  EXPECT_THAT(of_leaves(queues, &QueueBalance::to_preempt), ElementsAre(30, 0, 0));
}

// Half of A's wish is reserved already; it counts for the reserved selector alone.
TEST(QueueBalance, WhatIsReservedIsNotWantedOnceMore) {
  auto queues = root_with({{50, 20, 20}, {50, 80, 0}});
  queues[1].pending_less_reserved = memory_only(10);
  balance_queues(queues, rules());
  EXPECT_EQ(queues[1].ideal, memory_only(30));
  BalanceRules reserved = rules();
  reserved.counts_reserved = true;
  balance_queues(queues, reserved);
  EXPECT_EQ(queues[1].ideal, memory_only(40));
}

// B should give 30, and 10 of that are on their way out.
TEST(QueueBalance, WhatLeavesAlreadyIsNotAskedForAgain) {
  auto queues = root_with({{50, 20, 80}, {50, 80, 0}});
  queues[2].leaving = memory_only(10);
  balance_queues(queues, rules());
  EXPECT_EQ(queues[2].to_obtain, memory_only(20));
}

TEST(QueueBalance, NobodyGetsMoreThanItsMaximum) {
  auto queues = root_with({{50, 20, 80, 40}, {50, 80, 0}});
  balance_queues(queues, rules());
  EXPECT_THAT(of_leaves(queues, &QueueBalance::ideal), ElementsAre(40, 60));
}

}  // namespace
}  // namespace tracebed
