// DRF (Ghodsi et al., NSDI 2011) and the policies that its paper compares, on the paper's examples;
// the paper's four properties on random demands, where tasks are so small beside the machine that
// it is nearly divided without a rest.
#include <algorithm>
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "schedulers/hadoop1/slot_story.h"
#include "schedulers/multi_resource/market_shares.h"
#include "schedulers/multi_resource/share_scheduler.h"

namespace tracebed {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

// Tasks that each user has when no more fit on the one machine; all want more than there is. Jobs
// and users have the numbers of their demands.
std::vector<std::int64_t> divided(const char* policy, const Resources& machine,
                                  const std::vector<Resources>& demands,
                                  const std::string& weights = "") {
  SlotStory story("drf", {{"policy", policy}, {"weights", weights}});
  const NodeId node = story.harness().add_node(machine);
  story.harness().decide();
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const ApplicationId id = story.submit({.user = "u" + std::to_string(i)});
    story.maps_of(id, {.demand = demands[i], .pending = 1'000'000});
  }
  story.beat(node);
  EXPECT_EQ(story.beat(node), "") << "a heartbeat gives as many tasks as fit";
  std::vector<std::int64_t> tasks;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const Resources& used = story.harness().cluster().applications[ApplicationId(i)].used;
    const std::size_t d = demands[i][0] > 0 ? 0 : 1;
    tasks.push_back(used[d] / demands[i][d]);
  }
  return tasks;
}

// ---- the paper's example: 9 CPUs and 18 GB, <1, 4> and <3, 1> ----

const std::vector<Resources> example{Resources(1, 4), Resources(3, 1)};

// Table 1 of the paper, where the second user comes first of equal ones.
TEST(Drf, DividesThePapersExample) {
  EXPECT_THAT(divided("drf", Resources(9, 18), example), ElementsAre(3, 2));
}

// Section 5: 6x = 7y and x + 3y = 9 are 2.52 and 2.16 tasks, of a hundred such machines 252 and
// 216.
TEST(Drf, AssetFairnessEqualsTheSumsOfTheParts) {
  EXPECT_THAT(divided("asset", Resources(900, 1'800), example), ElementsAre(252, 216));
}

// Section 5: the largest xy with x + 3y ≤ 9 and 4x + y ≤ 18 is that of 45/11 and 18/11.
TEST(Drf, TheMarketDividesThePapersExample) {
  const std::vector<MarketUser> users{{example[0], 1}, {example[1], 1}};
  EXPECT_THAT(market_tasks(Resources(9, 18), users),
              ElementsAre(DoubleNear(45.0 / 11, 1e-6), DoubleNear(18.0 / 11, 1e-6)));
  const auto tasks = divided("ceei", Resources(990, 1'980), example);
  EXPECT_NEAR(static_cast<double>(tasks[0]), 450, 1);
  EXPECT_NEAR(static_cast<double>(tasks[1]), 180, 1);
  EXPECT_THAT(divided("drf", Resources(990, 1'980), example), ElementsAre(330, 220));
}

// ---- what the others lack ----

// <30, 30>, <1, 3> and <1, 1>: equal sums are 6 and 12 tasks, by which the second user has 12 of
// each resource, and would have 15 of each with a machine of half the size.
TEST(Drf, AssetFairnessGivesLessThanAnEqualPart) {
  const std::vector<Resources> demands{Resources(1, 3), Resources(1, 1)};
  EXPECT_THAT(divided("asset", Resources(30, 30), demands), ElementsAre(6, 12));
  EXPECT_GE(divided("drf", Resources(30, 30), demands)[1], 15);
}

// <100, 100>, <16, 1> and <1, 2>: 16x + y = 100 and x + 2y = 100 are 100/31 and 1500/31. A first
// user who claims to need <16, 8> gets 25/6 tasks, as 16x + y = 100 and 8x + 2y = 100.
TEST(Drf, AMarketRewardsLies) {
  const Resources total(100, 100);
  const std::vector<MarketUser> honest{{Resources(16, 1), 1}, {Resources(1, 2), 1}};
  EXPECT_THAT(market_tasks(total, honest),
              ElementsAre(DoubleNear(100.0 / 31, 1e-6), DoubleNear(1500.0 / 31, 1e-6)));
  const std::vector<MarketUser> lying{{Resources(16, 8), 1}, {Resources(1, 2), 1}};
  EXPECT_THAT(market_tasks(total, lying),
              ElementsAre(DoubleNear(25.0 / 6, 1e-6), DoubleNear(100.0 / 3, 1e-6)));
}

// ---- the four properties ----

// Section 4's progressive filling, without a rest: dominant shares grow alike until a resource is
// exhausted, and those of the users who do not need it go on.
std::vector<double> filled(const Resources& machine, const std::vector<Resources>& demands) {
  std::vector<double> tasks(demands.size(), 0);
  std::array<double, 2> left{static_cast<double>(machine[0]), static_cast<double>(machine[1])};
  std::array<bool, 2> is_full{};
  const auto grows = [&](const Resources& demand) {
    return (demand[0] == 0 || !is_full[0]) && (demand[1] == 0 || !is_full[1]);
  };
  for (int phase = 0; phase < 2; ++phase) {
    std::array<double, 2> taken{};  // for all of a resource as everybody's dominant share
    std::vector<double> speeds(demands.size(), 0);
    for (std::size_t i = 0; i < demands.size(); ++i) {
      if (!grows(demands[i])) continue;
      speeds[i] = 1 / DominantShare(demands[i], machine, weight_of_one).value();
      for (std::size_t d = 0; d < 2; ++d) {
        taken.at(d) += speeds[i] * static_cast<double>(demands[i][d]);
      }
    }
    double time = -1;
    std::size_t first = 0;
    for (std::size_t d = 0; d < 2; ++d) {
      if (taken.at(d) <= 0 || (time >= 0 && left.at(d) / taken.at(d) >= time)) continue;
      time = left.at(d) / taken.at(d);
      first = d;
    }
    if (time < 0) break;
    for (std::size_t i = 0; i < demands.size(); ++i) tasks[i] += time * speeds[i];
    for (std::size_t d = 0; d < 2; ++d) left.at(d) -= time * taken.at(d);
    is_full.at(first) = true;
  }
  return tasks;
}

std::int64_t tasks_in(const Resources& amount, const Resources& demand) {
  std::int64_t tasks = INT64_MAX;
  for (std::size_t d = 0; d < 2; ++d) {
    if (demand[d] > 0) tasks = std::min(tasks, amount[d] / demand[d]);
  }
  return tasks;
}

// Demands are of at most six units, and what is left at the end is less than a task: others fill it
// with at most six tasks each, and nobody is more than a task ahead.
constexpr std::int64_t rest = 8;

struct DividedMachine {
  Resources machine;
  std::vector<Resources> demands;
};
DividedMachine random_division(std::uint64_t seed) {
  Random random(seed);
  const auto drawn = [&](std::int64_t low, std::int64_t high) {
    return low +
           static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(high - low + 1)));
  };
  DividedMachine made{Resources(drawn(2'000, 4'000), drawn(2'000, 4'000)), {}};
  const std::int64_t users = drawn(2, 4);
  for (std::int64_t i = 0; i < users; ++i) {
    // One in five needs no memory.
    made.demands.emplace_back(drawn(1, 6), drawn(0, 4) == 0 ? 0 : drawn(1, 6));
  }
  return made;
}

constexpr std::uint64_t divisions = 60;

TEST(DrfProperties, TasksAreThoseOfProgressiveFilling) {
  for (std::uint64_t seed = 1; seed <= divisions; ++seed) {
    const DividedMachine made = random_division(seed);
    const auto tasks = divided("drf", made.machine, made.demands);
    const auto expected = filled(made.machine, made.demands);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(tasks[i]), expected[i], rest) << "seed " << seed << ", " << i;
    }
  }
}

// Nobody would have more with an equal part of the machine.
TEST(DrfProperties, SharingIsAnIncentive) {
  for (std::uint64_t seed = 1; seed <= divisions; ++seed) {
    const DividedMachine made = random_division(seed);
    const auto tasks = divided("drf", made.machine, made.demands);
    const auto users = static_cast<std::int64_t>(tasks.size());
    const Resources part(made.machine[0] / users, made.machine[1] / users);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      EXPECT_GE(tasks[i] + rest, tasks_in(part, made.demands[i])) << "seed " << seed << ", " << i;
    }
  }
}

// Nobody could run more with what another has.
TEST(DrfProperties, NobodyEnviesAnother) {
  for (std::uint64_t seed = 1; seed <= divisions; ++seed) {
    const DividedMachine made = random_division(seed);
    const auto tasks = divided("drf", made.machine, made.demands);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      for (std::size_t j = 0; j < tasks.size(); ++j) {
        EXPECT_GE(tasks[i] + rest, tasks_in(made.demands[j] * tasks[j], made.demands[i]))
            << "seed " << seed << ", " << i << " and " << j;
      }
    }
  }
}

// Everybody needs something that there is no more of.
TEST(DrfProperties, NobodyCanHaveMoreWithoutAnother) {
  for (std::uint64_t seed = 1; seed <= divisions; ++seed) {
    const DividedMachine made = random_division(seed);
    for (const char* policy : {"drf", "asset", "ceei"}) {
      const auto tasks = divided(policy, made.machine, made.demands);
      Resources left = made.machine;
      for (std::size_t i = 0; i < tasks.size(); ++i) left -= made.demands[i] * tasks[i];
      for (const Resources& demand : made.demands) {
        EXPECT_EQ(tasks_in(left, demand), 0) << policy << ", seed " << seed;
      }
    }
  }
}

// A user who claims other demands can run no more tasks with what that gives.
TEST(DrfProperties, LiesGainNothing) {
  for (std::uint64_t seed = 1; seed <= divisions; ++seed) {
    const DividedMachine made = random_division(seed);
    const auto honest = divided("drf", made.machine, made.demands);
    const DividedMachine other = random_division(seed + 1'000);
    for (std::size_t i = 0; i < made.demands.size() && i < other.demands.size(); ++i) {
      std::vector<Resources> claimed = made.demands;
      claimed[i] = other.demands[i];
      const auto tasks = divided("drf", made.machine, claimed);
      EXPECT_LE(tasks_in(claimed[i] * tasks[i], made.demands[i]), honest[i] + rest)
          << "seed " << seed << ", " << i;
    }
  }
}

// The market is one: nobody would trade, as each resource that has a price is sold, and no smaller
// share of anything would have a larger product. Compared with what a few tasks more or less give.
TEST(MarketShares, HaveTheLargestProduct) {
  for (std::uint64_t seed = 1; seed <= divisions; ++seed) {
    const DividedMachine made = random_division(seed);
    std::vector<MarketUser> users;
    for (std::size_t i = 0; i < made.demands.size(); ++i) {
      users.push_back({made.demands[i], static_cast<std::int64_t>(1 + i)});
    }
    const auto tasks = market_tasks(made.machine, users);
    const auto worth = [&](const std::vector<double>& of) {
      double sum = 0;
      for (std::size_t i = 0; i < of.size(); ++i) {
        sum += static_cast<double>(users[i].weight) * std::log(of[i]);
      }
      return sum;
    };
    const auto fits = [&](const std::vector<double>& of, double slack) {
      for (std::size_t d = 0; d < 2; ++d) {
        double used = 0;
        for (std::size_t i = 0; i < of.size(); ++i) {
          used += of[i] * static_cast<double>(made.demands[i][d]);
        }
        if (used > static_cast<double>(made.machine[d]) * (1 + slack)) return false;
      }
      return true;
    };
    EXPECT_TRUE(fits(tasks, 1e-6)) << "seed " << seed;
    Random random(seed);
    for (int attempt = 0; attempt < 200; ++attempt) {
      std::vector<double> changed = tasks;
      for (double& of_user : changed) of_user *= 0.97 + 0.06 * random.unit();
      if (fits(changed, 0)) {
        EXPECT_LE(worth(changed), worth(tasks) + 1e-6) << "seed " << seed;
      }
    }
  }
}

// ---- the scheduler ----

// 9 cores: 6 and 3 tasks. Of equal shares the first user's comes first.
TEST(Drf, WeightsDivideShares) {
  const std::vector<Resources> demands{Resources(1, 1), Resources(1, 1)};
  EXPECT_THAT(divided("drf", Resources(9, 9), demands, "u0=2"), ElementsAre(6, 3));
  EXPECT_THAT(divided("asset", Resources(9, 9), demands, "u0=2"), ElementsAre(6, 3));
  EXPECT_THAT(divided("ceei", Resources(9, 9), demands, "u0=2"), ElementsAre(6, 3));
}

// Its first job has more than the second, which would come first under MFS.
TEST(Drf, JobsOfAUserAreServedInTheOrderOfTheirSubmission) {
  SlotStory story("drf", {});
  const auto nodes = story.nodes(1);
  for (const std::uint32_t maps : {3U, 2U}) {
    story.maps_of(story.submit(), {.demand = Resources(1, 1), .pending = maps});
  }
  EXPECT_EQ(story.beat(nodes[0]), "0 0 0 1 1");
}

// Four of six cores are the first user's when the second wants a task of three.
TEST(Drf, TriesTheNextUserWhereTheNeediestHasNoRoom) {
  for (const auto& [order, given] : {std::pair{"skip", "0 0"}, std::pair{"strict", ""}}) {
    SlotStory story("drf", {{"order", order}});
    const NodeId node = story.harness().add_node(Resources(6, 6));
    story.harness().decide();
    const ApplicationId first = story.submit({.user = "a"});
    story.maps_of(first, {.demand = Resources(1, 1), .pending = 4});
    EXPECT_EQ(story.beat(node), "0 0 0 0");
    story.maps_of(story.submit({.user = "b"}), {.demand = Resources(3, 1), .pending = 1});
    story.maps_of(first, {.demand = Resources(1, 1), .pending = 4});
    EXPECT_EQ(story.beat(node), given) << order;
  }
}

// What a user would have in the market changes with who takes part. By hand: alone all 12, of two
// equal ones half.
TEST(Drf, TheMarketIsThatOfThoseWhoWantTasks) {
  SlotStory story("drf", {{"policy", "ceei"}});
  const NodeId node = story.harness().add_node(Resources(12, 12));
  story.harness().decide();
  story.maps_of(story.submit({.user = "a"}), {.demand = Resources(1, 1), .pending = 20});
  EXPECT_EQ(story.figure("a", "Equilibrium Share"), "100.0%");
  story.maps_of(story.submit({.user = "b"}), {.demand = Resources(1, 1), .pending = 20});
  EXPECT_EQ(story.figure("a", "Equilibrium Share"), "50.0%");
  EXPECT_EQ(story.figure("b", "Equilibrium Share"), "50.0%");
  story.beat(node);
  EXPECT_EQ(story.figure("a", "Dominant Share"), "50.0%");
  EXPECT_EQ(story.figure("b", "Weight"), "1.0");
}

// A sixth of the cores and two thirds of the memory.
TEST(Drf, AssetFairnessShowsTheMeanOfTheParts) {
  SlotStory story("drf", {{"policy", "asset"}});
  const NodeId node = story.harness().add_node(Resources(6, 6));
  story.harness().decide();
  const ApplicationId id = story.submit({.user = "a"});
  story.maps_of(id, {.demand = Resources(1, 4), .pending = 1});
  EXPECT_EQ(story.beat(node), "0");
  EXPECT_EQ(story.figure("a", "Aggregate Share"), "41.6667%");
  EXPECT_EQ(story.figure(id, "Aggregate Share"), "41.6667%");
}

}  // namespace
}  // namespace tracebed
