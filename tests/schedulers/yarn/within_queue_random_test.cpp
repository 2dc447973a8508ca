// Random leaves, against the rules of within_queue.h written down a second time, as plainly as they
// go: whole numbers of memory, one list per step.
#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

#include "core/random.h"
#include "schedulers/yarn/capacity/preemption/within_queue.h"
#include "schedulers/yarn/memory_only.h"

namespace tracebed {
namespace {

struct PlainApplication {
  std::size_t id = 0;
  std::size_t user = 0;
  std::int32_t priority = 0;
  std::int64_t turn = 0;
  std::int64_t used = 0;
  std::int64_t master = 0;
  std::int64_t pending = 0;
  std::int64_t chosen = 0;

  std::int64_t ideal = 0;
  std::int64_t needed = 0;
  std::int64_t may_give = 0;
  std::int64_t gives = 0;
};

struct PlainLeaf {
  std::vector<PlainApplication> applications;
  std::vector<std::int64_t> limits;  // of users
  std::int64_t guaranteed = 0;
  std::int64_t to_obtain = 0;
  std::int64_t chosen = 0;
  std::int64_t allowed = 0;
  std::int64_t minimum = 0;
  float most_taken = 0;
  bool is_fair = false;
  bool limits_first = false;

  std::int64_t sum(std::int64_t PlainApplication::*figure) const {
    std::int64_t sum = 0;
    for (const PlainApplication& each : applications) sum += each.*figure;
    return sum;
  }
  std::int64_t of_user(std::size_t user, std::int64_t PlainApplication::*figure) const {
    std::int64_t sum = 0;
    for (const PlainApplication& each : applications) sum += each.user == user ? each.*figure : 0;
    return sum;
  }
};

// The most important first.
std::vector<PlainApplication*> by_importance(PlainLeaf& leaf) {
  std::vector<PlainApplication*> order;
  for (PlainApplication& each : leaf.applications) order.push_back(&each);
  const auto use = [&](const PlainApplication* each) {
    return leaf.of_user(each->user, &PlainApplication::used) -
           leaf.of_user(each->user, &PlainApplication::master);
  };
  const auto oldest = [&](const PlainApplication* each) {
    std::size_t first = each->id;
    for (const PlainApplication& other : leaf.applications) {
      if (other.user == each->user) first = std::min(first, other.id);
    }
    return first;
  };
  std::sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
    if (!leaf.is_fair || !leaf.limits_first) {
      return a->priority != b->priority ? a->priority > b->priority : a->id < b->id;
    }
    if (a->user == b->user) return a->turn < b->turn;
    return use(a) != use(b) ? use(a) < use(b) : oldest(a) < oldest(b);
  });
  return order;
}

void settle(PlainLeaf& leaf) {
  const std::vector<PlainApplication*> order = by_importance(leaf);
  // What each should have, from the most important on.
  std::vector<std::int64_t> left_of_user;
  for (std::size_t user = 0; user < leaf.limits.size(); ++user) {
    left_of_user.push_back(leaf.limits[user] - leaf.of_user(user, &PlainApplication::master));
  }
  std::vector<std::int64_t> chosen_of_user(leaf.limits.size());
  std::int64_t left =
      leaf.sum(&PlainApplication::used) - leaf.to_obtain - leaf.sum(&PlainApplication::master);
  for (PlainApplication* each : order) {
    if (left <= 0) break;
    chosen_of_user[each->user] += each->chosen;
    if (left_of_user[each->user] <= 0) continue;
    const std::int64_t keeps = each->used - each->master - each->chosen;
    each->ideal = std::min({left, left_of_user[each->user], keeps + each->pending});
    each->needed = std::max<std::int64_t>(each->ideal - keeps, 0);
    left -= each->ideal;
    left_of_user[each->user] -= each->ideal;
  }
  // What each could give, from the least important on.
  std::int64_t most = std::min(
      std::max<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(leaf.guaranteed) *
                                                       static_cast<double>(leaf.most_taken)) -
                                 leaf.to_obtain,
                             0),
      leaf.allowed);
  for (auto each = order.rbegin(); each != order.rend(); ++each) {
    PlainApplication& giver = **each;
    std::int64_t spare = giver.used - giver.ideal - giver.chosen - giver.master;
    if (leaf.limits_first) spare -= leaf.minimum;
    giver.may_give = std::min(most, std::max<std::int64_t>(spare, 0));
    most -= giver.may_give;
  }
  // Who gives to whom.
  std::vector<bool> has_given_all(leaf.limits.size());
  for (PlainApplication* taker : order) {
    for (auto each = order.rbegin(); each != order.rend(); ++each) {
      PlainApplication& giver = **each;
      std::int64_t could = giver.may_give - giver.gives;
      if (taker->needed <= 0 || could <= 0) continue;
      const bool is_own = giver.user == taker->user;
      if (is_own && giver.priority >= taker->priority) continue;
      const std::int64_t above =
          leaf.of_user(giver.user, &PlainApplication::used) - leaf.limits[giver.user];
      if (!is_own && leaf.limits_first && above <= 0) continue;
      if (!is_own && giver.priority == taker->priority && above > 0) {
        const std::int64_t quota =
            has_given_all[giver.user] ? 0 : above - chosen_of_user[giver.user];
        if (quota < could) {
          has_given_all[giver.user] = true;
          could = std::max<std::int64_t>(quota, 0);
        }
      }
      const std::int64_t given = std::min(could, taker->needed);
      taker->needed -= given;
      giver.gives += given;
    }
  }
  for (PlainApplication& each : leaf.applications) {
    each.gives = std::max<std::int64_t>(each.gives - leaf.chosen, 0);
  }
}

PlainLeaf draw_leaf(Random& random) {
  const auto draw = [&](std::int64_t below) {
    return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(below)));
  };
  PlainLeaf leaf;
  leaf.is_fair = draw(2) == 0;
  leaf.limits_first = draw(3) > 0;
  leaf.minimum = draw(4);
  leaf.most_taken = static_cast<float>(1 + draw(10)) / 10;
  leaf.guaranteed = draw(120);
  leaf.allowed = draw(3) == 0 ? draw(30) : 1'000;
  const std::int64_t users = 1 + draw(4);
  for (std::int64_t i = 0; i < users; ++i) leaf.limits.push_back(draw(80));
  const std::int64_t count = 1 + draw(8);
  for (std::int64_t i = 0; i < count; ++i) {
    PlainApplication& added = leaf.applications.emplace_back();
    added.id = static_cast<std::size_t>(i);
    added.user = static_cast<std::size_t>(draw(users));
    added.priority = static_cast<std::int32_t>(draw(3));
    added.used = draw(3) == 0 ? 0 : draw(50);
    added.master = std::min(added.used, draw(3));
    added.pending = draw(2) == 0 ? 0 : draw(60);
    added.chosen = draw(4) == 0 ? draw(added.used - added.master + 1) : 0;
    leaf.chosen += added.chosen;
    added.turn = i;
  }
  for (PlainApplication& each : leaf.applications) {
    std::swap(each.turn, leaf.applications[static_cast<std::size_t>(draw(count))].turn);
  }
  leaf.to_obtain = leaf.chosen + (draw(3) == 0 ? draw(5) : 0);
  return leaf;
}

LeafBalance balanced(const PlainLeaf& plain) {
  LeafBalance leaf;
  leaf.used = memory_only(plain.sum(&PlainApplication::used));
  leaf.guaranteed = memory_only(plain.guaranteed);
  leaf.to_obtain = memory_only(plain.to_obtain);
  leaf.chosen = memory_only(plain.chosen);
  leaf.is_fair = plain.is_fair;
  for (const std::int64_t limit : plain.limits)
    leaf.users.emplace_back().limit = memory_only(limit);
  for (const PlainApplication& each : plain.applications) {
    ApplicationBalance& added = leaf.applications.emplace_back();
    added.id = ApplicationId(each.id);
    added.user = each.user;
    added.priority = each.priority;
    added.turn = static_cast<std::size_t>(each.turn);
    added.used = memory_only(each.used);
    added.master = memory_only(each.master);
    added.pending = memory_only(each.pending);
    added.chosen = memory_only(each.chosen);
    leaf.users[each.user].used += added.used;
    leaf.users[each.user].masters += added.master;
  }
  balance_within(leaf, {.cluster = memory_only(1'000),
                        .allowed = memory_only(plain.allowed),
                        .minimum_allocation = memory_only(plain.minimum),
                        .most_taken = plain.most_taken,
                        .spares_users_below_limit = plain.limits_first});
  return leaf;
}

std::string text_of(const PlainLeaf& leaf) {
  std::ostringstream text;
  text << "fair " << leaf.is_fair << ", limits first " << leaf.limits_first << ", minimum "
       << leaf.minimum << ", guaranteed " << leaf.guaranteed << " × " << leaf.most_taken
       << ", to obtain " << leaf.to_obtain << ", allowed " << leaf.allowed << ", limits";
  for (const std::int64_t limit : leaf.limits) text << " " << limit;
  for (const PlainApplication& each : leaf.applications) {
    text << "\n  " << each.id << ": user " << each.user << ", priority " << each.priority
         << ", turn " << each.turn << ", used " << each.used << ", master " << each.master
         << ", pending " << each.pending << ", chosen " << each.chosen << " → ideal " << each.ideal
         << ", gives " << each.gives;
  }
  return text.str();
}

// Proves: 4.within-queue, 4.within-fair, 4.within-deduction
TEST(WithinQueueRandom, AgreesWithThePlainRules) {
  Random random(2031);
  std::size_t giving = 0;
  std::size_t giving_by_use = 0;
  for (int run = 0; run < 20'000; ++run) {
    PlainLeaf plain = draw_leaf(random);
    const LeafBalance leaf = balanced(plain);
    settle(plain);
    std::int64_t given = 0;
    for (const ApplicationBalance& each : leaf.applications) {
      const PlainApplication& expected = plain.applications[each.id.value()];
      ASSERT_EQ(each.ideal.memory_mib(), expected.ideal) << each.id.value() << text_of(plain);
      ASSERT_EQ(each.to_obtain.memory_mib(), expected.gives) << each.id.value() << text_of(plain);
      given += expected.gives;
    }
    giving += given > 0 ? 1 : 0;
    giving_by_use += given > 0 && plain.is_fair && plain.limits_first ? 1 : 0;
  }
  EXPECT_GT(giving, 1'000u) << "the leaves give something";
  EXPECT_GT(giving_by_use, 300u);
}

// Whatever the leaf: no more is given than is wanted, than the part of the guarantee or than the
// round allows; nobody gives what he does not have; where limits come first nobody but a user above
// his limit gives to others.
TEST(WithinQueueRandom, NeverTakesMoreThanIsNeededOrAllowed) {
  Random random(77);
  for (int run = 0; run < 20'000; ++run) {
    const PlainLeaf plain = draw_leaf(random);
    const LeafBalance leaf = balanced(plain);
    std::int64_t given = 0;
    std::int64_t given_by_spared = 0;
    for (const ApplicationBalance& each : leaf.applications) {
      const std::int64_t gives = each.to_obtain.memory_mib();
      const PlainApplication& before = plain.applications[each.id.value()];
      ASSERT_GE(gives, 0);
      ASSERT_LE(gives, std::max<std::int64_t>(before.used - before.master - before.chosen, 0))
          << text_of(plain);
      given += gives;
      const std::int64_t use = plain.of_user(before.user, &PlainApplication::used);
      const bool has_more_important =
          std::any_of(plain.applications.begin(), plain.applications.end(), [&](const auto& other) {
            return other.user == before.user && other.priority > before.priority;
          });
      if (use <= plain.limits[before.user] && !has_more_important) given_by_spared += gives;
    }
    ASSERT_LE(given, plain.sum(&PlainApplication::pending)) << text_of(plain);
    ASSERT_LE(given, plain.allowed) << text_of(plain);
    ASSERT_LE(given, std::max<std::int64_t>(
                         static_cast<std::int64_t>(static_cast<double>(plain.guaranteed) *
                                                   static_cast<double>(plain.most_taken)) -
                             plain.to_obtain,
                         0))
        << text_of(plain);
    if (plain.limits_first) {
      ASSERT_EQ(given_by_spared, 0) << text_of(plain);
    }
  }
}

}  // namespace
}  // namespace tracebed
