// Stories of preemption within a leaf, and of what it leaves to other selectors. Everything may be
// taken at once; containers are of 1 GiB.
#include <map>

#include "core/random.h"
#include "schedulers/yarn/capacity_starving.h"

namespace tracebed {
namespace {

SettingValues within(SettingValues more = {}) {
  more.emplace("preemption.intra-queue-preemption.enabled", "true");
  more.emplace("preemption.intra-queue-preemption.max-allowable-limit", "1");
  more.emplace("preemption.total_preemption_per_round", "1");
  more.emplace("preemption.natural_termination_factor", "1");
  more.emplace("maximum_application_priority", "10");
  return preempting(std::move(more));
}
SettingValues priority_first(SettingValues more = {}) {
  more.emplace("preemption.intra-queue-preemption.preemption-order-policy", "priority_first");
  return within(std::move(more));
}

// What a round asks of each application, in containers.
std::map<ApplicationId, std::size_t> asked(CapacityWorld& world) {
  world.harness().advance(seconds(3));
  std::map<ApplicationId, std::size_t> counts;
  for (const auto& [container, terms] : world.harness().preemptions()) {
    ++counts[world.harness().cluster().containers[container].application];
  }
  return counts;
}

// An application that runs so many containers.
ApplicationId running(CapacityWorld& world, const std::string& queue, const std::string& user,
                      std::uint32_t containers, std::int32_t priority = 0) {
  const ApplicationId id = world.submit(queue, user, priority);
  world.ask(id, 1, containers);
  EXPECT_EQ(world.fill_all(), containers);
  return id;
}

using Counts = std::map<ApplicationId, std::size_t>;

// A leaf of 100 GiB of which a user is sure of a third: with three users 101 / 3, up to 34.
Lines thirds(const std::string& order) {
  return one_queue(
      {{"root.a.minimum-user-limit-percent", "33"}, {"root.a.ordering-policy", order}});
}

// Ann holds 60, bob 40, and cid asks for 20. Where applications share fairly all comes from ann,
// who uses most; by age bob gives the 5 that he may, down to one above his limit, and ann the rest.
// Proves: 4.within-fair
TEST(CapacityWithinPreemption, InAFairLeafWhoUsesMostGives) {
  for (const bool is_fair : {true, false}) {
    CapacityWorld world(thirds(is_fair ? "fair" : "fifo"), within());
    world.add_nodes(10, 10);
    const ApplicationId ann = running(world, "a", "ann", 60);
    const ApplicationId bob = running(world, "a", "bob", 40);
    world.ask(world.submit("a", "cid"), 1, 20);
    EXPECT_EQ(asked(world), is_fair ? (Counts{{ann, 20}}) : (Counts{{ann, 15}, {bob, 5}}));
  }
}

// Of ann's two applications the one that uses more gives, though it is the older.
// Proves: 4.within-fair
TEST(CapacityWithinPreemption, InAFairLeafAUsersLargestApplicationGivesFirst) {
  CapacityWorld world(thirds("fair"), within());
  world.add_nodes(10, 10);
  const ApplicationId large = running(world, "a", "ann", 35);
  running(world, "a", "ann", 25);
  running(world, "a", "bob", 40);
  world.ask(world.submit("a", "cid"), 1, 20);
  EXPECT_EQ(asked(world), (Counts{{large, 20}}));
}

// The same with size-based weights, by which 34 GiB of an application that wants 60,000 more count
// for less than 26 of one that wants nothing.
TEST(CapacityWithinPreemption, InAFairLeafTheLeafsWeightsCountWithinAUser) {
  const Lines lines =
      with(thirds("fair"), {{"root.a.ordering-policy.fair.enable-size-based-weight", "true"}});
  CapacityWorld world(lines, within());
  world.add_nodes(10, 10);
  const ApplicationId idle = running(world, "a", "ann", 26);
  const ApplicationId busy = running(world, "a", "ann", 34);
  running(world, "a", "bob", 40);
  world.ask(busy, 1, 60'000);
  world.ask(world.submit("a", "cid"), 1, 20);
  EXPECT_EQ(asked(world), (Counts{{idle, 20}})) << "34 / 25.9 is less than 26 / 14.7";
}

// With priorities first the order of the leaf does not count.
TEST(CapacityWithinPreemption, ByPriorityTheLeafsOrderDoesNotCount) {
  for (const char* order : {"fair", "fifo"}) {
    CapacityWorld world(thirds(order), priority_first());
    world.add_nodes(10, 10);
    running(world, "a", "ann", 60, 2);
    const ApplicationId bob = running(world, "a", "bob", 40, 1);
    world.ask(world.submit("a", "cid", 3), 1, 20);
    EXPECT_EQ(asked(world), (Counts{{bob, 20}})) << order;
  }
}

// Queue a has 60 and uses 70, b has 40 and uses 25: a gives 10 to b, and its less important
// application 20 to the more important one in all. The 10 are of the same application, and only 10
// more are taken.
// Proves: 4.within-deduction
TEST(CapacityWithinPreemption, WhatIsTakenForOtherQueuesIsDeducted) {
  const Lines lines = with(halves, {{"root.a.capacity", "60"}, {"root.b.capacity", "40"}});
  CapacityWorld world(
      lines, priority_first({{"preemption.intra-queue-preemption.max-allowable-limit", "0.5"}}));
  world.add_nodes(1, 100);
  const ApplicationId minor = running(world, "a", "ann", 50, 1);
  const ApplicationId major = running(world, "a", "ann", 20, 2);
  const ApplicationId other = running(world, "b", "bob", 25, 4);
  world.ask(minor, 1, 15);
  world.ask(major, 1, 20);
  world.ask(other, 1, 120);
  EXPECT_EQ(asked(world), (Counts{{minor, 20}}));
}

// Who gives how much is decided for all leaves before anything is chosen within one. In b each user
// may have 26. Of ann's 20 that are wanted and 16 that run, 4 would be left to what runs, 12 of
// which could be given, though not to herself; of bob's 34 that leaves him 8, as a round may take
// 20 in all. That a takes 5 changes nothing.
TEST(CapacityWithinPreemption, WhatALeafTakesLeavesTheFiguresOfOthers) {
  const Lines lines = with(halves, {{"root.b.minimum-user-limit-percent", "50"}});
  CapacityWorld world(lines, priority_first({{"preemption.total_preemption_per_round", "0.2"}}));
  world.add_nodes(1, 100);
  const ApplicationId minor = running(world, "a", "ann", 50, 1);
  const ApplicationId wishes = world.submit("b", "ann", 1);
  const ApplicationId bob = running(world, "b", "bob", 34, 1);
  running(world, "b", "ann", 16, 1);
  world.ask(world.submit("a", "ann", 2), 1, 5);
  world.ask(wishes, 1, 20);
  EXPECT_EQ(asked(world), (Counts{{minor, 5}, {bob, 8}}));
}

// ---- a table of leaves ----

struct LeafOfTable {
  const char* queue;
  const char* user;
  std::int32_t priority;
  std::uint32_t runs;  // with its master, of 1 GiB
  std::uint32_t wants;
  std::size_t gives;
};

struct LeavesCase {
  const char* what;
  std::pair<const char*, const char*> capacities;  // of a and b, of 100 GiB
  SettingValues settings;
  Lines lines;
  std::vector<LeafOfTable> applications;
};

// TestProportionalCapacityPreemptionPolicyIntraQueue in other figures.
const LeavesCase leaves_cases[] = {
    {"equally important applications of one user take nothing from each other",
     {"40", "60"},
     within(),
     {},
     {{"a", "ann", 1, 30, 20, 0}, {"a", "ann", 1, 10, 20, 0}}},
    {"an application alone takes nothing",
     {"60", "40"},
     within(),
     {},
     {{"a", "ann", 4, 60, 50, 0}}},
    {"a leaf that uses less than half of its guarantee is left alone",
     {"60", "40"},
     priority_first(),
     {},
     {{"a", "ann", 4, 24, 20, 0}, {"a", "ann", 6, 5, 20, 0}}},
    {"at half of it, it is not",
     {"60", "40"},
     priority_first(),
     {},
     {{"a", "ann", 4, 25, 20, 20}, {"a", "ann", 6, 5, 20, 0}}},
    {"no more is taken than half of the guarantee, where that is the most",
     {"60", "40"},
     priority_first({{"preemption.intra-queue-preemption.max-allowable-limit", "0.5"}}),
     {},
     {{"a", "ann", 4, 40, 0, 30}, {"a", "ann", 6, 5, 90, 0}, {"b", "bob", 1, 10, 0, 0}}},
    {"nor more than a round allows",
     {"60", "40"},
     priority_first({{"preemption.total_preemption_per_round", "0.1"}}),
     {},
     {{"a", "ann", 4, 40, 0, 10}, {"a", "ann", 6, 5, 90, 0}}},
    {"masters are spared, and then the next application gives",
     {"60", "40"},
     priority_first(),
     {},
     {{"a", "ann", 1, 30, 10, 11}, {"a", "ann", 1, 10, 20, 9}, {"a", "ann", 2, 20, 20, 0}}},
    {"the least important gives first, whoever is younger",
     {"50", "50"},
     priority_first(),
     {},
     {{"a", "ann", 1, 9, 0, 8}, {"a", "ann", 2, 31, 0, 4}, {"a", "ann", 3, 10, 12, 0}}},
    {"a user who is above his limit, 41 / 2 up to 21, gives until one container above it",
     {"40", "60"},
     within(),
     {{"root.a.minimum-user-limit-percent", "50"}},
     {{"a", "ann", 4, 35, 20, 13}, {"a", "bob", 6, 5, 30, 0}}},
    {"a user at his limit gives nothing to others, however important",
     {"40", "60"},
     within(),
     {{"root.a.minimum-user-limit-percent", "50"}},
     {{"a", "ann", 4, 21, 20, 0}, {"a", "bob", 6, 19, 30, 0}}},
    {"nor to his own more important application, as he would come below it",
     {"40", "60"},
     within(),
     {{"root.a.minimum-user-limit-percent", "50"}},
     {{"a", "ann", 4, 35, 0, 0}, {"a", "ann", 6, 5, 30, 0}}},
    {"what other queues take of a leaf uses up what may be taken within it",
     {"20", "80"},
     within({{"preemption.intra-queue-preemption.max-allowable-limit", "0.2"}}),
     {},
     {{"a", "ann", 1, 50, 0, 20}, {"a", "ann", 3, 49, 30, 0}, {"b", "bob", 4, 1, 20, 0}}},
};

// Proves: 4.within-queue, 4.within-deduction
TEST(CapacityWithinPreemption, GivesWhatTheTableSays) {
  for (const LeavesCase& the : leaves_cases) {
    Lines lines = halves;
    lines.emplace_back("root.a.capacity", the.capacities.first);
    lines.emplace_back("root.b.capacity", the.capacities.second);
    CapacityWorld world(with(lines, the.lines), the.settings);
    world.add_nodes(1, 100);
    std::vector<ApplicationId> ids;
    for (const LeafOfTable& row : the.applications) {
      const ApplicationId id = world.submit(row.queue, row.user, row.priority, gib(1));
      world.harness().ask(id, {.demand = gib(1), .pending = 1, .is_master = true});
      EXPECT_EQ(world.fill_all(), 1u) << the.what;
      if (row.runs > 1) world.ask(id, 1, row.runs - 1);
      EXPECT_EQ(world.fill_all(), row.runs - 1) << the.what;
      ids.push_back(id);
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (the.applications[i].wants > 0) world.ask(ids[i], 1, the.applications[i].wants);
    }
    Counts expected;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (the.applications[i].gives > 0) expected[ids[i]] = the.applications[i].gives;
    }
    EXPECT_EQ(asked(world), expected) << the.what;
  }
}

// Random leaves with the fair order. Whoever gives is above his limit before and after, and nobody
// who uses less gives while one who uses more keeps something that he could have given: a container
// of his own above the limit, unless the round, or the demand, was used up.
TEST(CapacityWithinPreemption, AFairLeafTakesFromTheLargestUsersFirst) {
  Random random(11);
  const auto draw = [&](std::uint64_t below) {
    return static_cast<std::uint32_t>(random.below(below));
  };
  std::size_t taken_in_all = 0;
  for (int run = 0; run < 40; ++run) {
    CapacityWorld world(thirds("fair"), within());
    world.add_nodes(10, 10);
    std::vector<std::pair<std::int64_t, ApplicationId>> users;
    std::uint32_t left = 100;
    for (const char* user : {"ann", "bob", "cid"}) {
      const std::uint32_t containers = std::min(left, 1 + draw(70));
      if (containers == 0) continue;
      users.emplace_back(containers, running(world, "a", user, containers));
      left -= containers;
    }
    const std::uint32_t wanted = 1 + draw(30);
    world.ask(world.submit("a", "dan"), 1, wanted);
    const Counts counts = asked(world);
    std::sort(users.begin(), users.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second > b.second;
    });
    const auto given_by = [&](ApplicationId id) {
      const auto found = counts.find(id);
      return found == counts.end() ? std::size_t{0} : found->second;
    };
    std::size_t taken = 0;
    for (const auto& [id, count] : counts) taken += count;
    EXPECT_LE(taken, wanted);
    bool is_exhausted = true;  // whoever uses more has given all that he may
    for (const auto& [used, id] : users) {
      const auto gives = static_cast<std::int64_t>(given_by(id));
      const auto limit = world.state()
                             .leaf(world.index_of("root.a"))
                             .users
                             .limit_among_all(*world.state().application(id)->leaf_user, 0,
                                              world.use("root.a").basis)
                             .memory_mib() /
                         1'024;
      if (gives > 0) {
        EXPECT_GT(used - gives, limit) << "stays above the limit";
        EXPECT_TRUE(is_exhausted) << "who uses more gives first";
      }
      is_exhausted &= used - gives <= limit + 1;
    }
    taken_in_all += taken;
  }
  EXPECT_GT(taken_in_all, 100u);
}

}  // namespace
}  // namespace tracebed
