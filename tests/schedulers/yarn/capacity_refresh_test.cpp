// Refreshing the Capacity scheduler's queues while it runs, and what it tells of them.
#include "schedulers/explained_figures.h"
#include "schedulers/yarn/capacity_world.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Lines leaves(const std::string& a, const std::string& b, const Lines& more = {}) {
  Lines lines = {{"root.queues", "a,b"},
                 {"root.a.capacity", a},
                 {"root.b.capacity", b},
                 {"user-limit-factor", "10"},
                 {"maximum-am-resource-percent", "1"}};
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

std::string message(const Status& status) {
  return status ? "" : status.error().message;
}

// Proves: A6.2.1.refresh
TEST(CapacityRefresh, OtherCapacitiesHoldAtOnceAndNothingIsLost) {
  CapacityWorld world(leaves("50", "50", {{"root.a.maximum-capacity", "50"}}));
  world.add_nodes(4, 8);
  const ApplicationId application = world.submit("a", "ann");
  world.ask(application, 1, 100);
  world.fill_all();
  EXPECT_EQ(world.used("root.a"), 16);
  EXPECT_EQ(message(world.refresh(leaves("75", "25", {{"root.a.maximum-capacity", "75"}}))), "");
  world.verify();
  EXPECT_EQ(world.use("root.a").figures.guaranteed, gib(24));
  EXPECT_EQ(world.used("root.a"), 16);
  EXPECT_EQ(world.fill_all(), 8u);
  world.end_one(application);
  EXPECT_EQ(world.used("root.a"), 23);
}

TEST(CapacityRefresh, NewQueuesTakeApplications) {
  CapacityWorld world(leaves("50", "50"));
  world.add_nodes(1, 8);
  EXPECT_NE(world.harness().rejection(world.submit("c", "ann")), "");
  EXPECT_EQ(message(world.refresh({{"root.queues", "a,b,c"},
                                   {"root.a.capacity", "50"},
                                   {"root.b.capacity", "25"},
                                   {"root.c.capacity", "25"}})),
            "");
  EXPECT_EQ(world.harness().rejection(world.submit("c", "ann")), "");
}

TEST(CapacityRefresh, HeldAndWaitingApplicationsStartWhereLimitsRise) {
  CapacityWorld world(leaves("50", "50", {{"root.a.max-parallel-apps", "1"}}));
  world.add_nodes(1, 8);
  world.submit("a", "ann");
  const ApplicationId held = world.submit("a", "ann");
  EXPECT_FALSE(world.is_active(held));
  EXPECT_EQ(message(world.refresh(leaves("50", "50"))), "");
  EXPECT_TRUE(world.is_active(held));
}

// Proves: A6.2.1.refresh
TEST(CapacityRefresh, RefusesWhatYarnRefusesAndKeepsTheOldQueues) {
  CapacityWorld world(leaves("50", "50"));
  world.add_nodes(1, 8);
  const ApplicationId application = world.submit("b", "ann");
  world.ask(application, 1, 1);
  const Lines only_a = {{"root.queues", "a"}, {"root.a.capacity", "100"}};
  EXPECT_EQ(message(world.refresh(only_a)),
            "queue root.b cannot be taken out: expected it to be stopped, but it has 1 "
            "application");
  EXPECT_THAT(message(world.refresh(leaves("60", "50"))), HasSubstr("add up to 100"));
  const Lines below_b = leaves("50", "50", {{"root.b.queues", "x"}, {"root.b.x.capacity", "100"}});
  EXPECT_EQ(message(world.refresh(below_b)),
            "queue root.b cannot be given queues of its own: expected it to be stopped, but it "
            "has 1 application");
  EXPECT_EQ(world.use("root.b").figures.guaranteed, gib(4)) << "the old queues hold";
  EXPECT_EQ(world.fill_all(), 1u);
  world.finish(application);
  EXPECT_EQ(message(world.refresh(only_a)),
            "queue root.b cannot be taken out: expected it to be stopped, but it is running");
  EXPECT_EQ(message(world.refresh(leaves("50", "50", {{"root.b.state", "STOPPED"}}))), "");
  EXPECT_EQ(message(world.refresh(only_a)), "");
  EXPECT_EQ(world.state().tree().size(), 2u);
}

TEST(CapacityRefresh, AStoppedQueueStaysUntilItsApplicationsHaveEnded) {
  CapacityWorld world(leaves("50", "50"));
  world.add_nodes(1, 8);
  const ApplicationId application = world.submit("b", "ann");
  EXPECT_EQ(message(world.refresh(leaves("50", "50", {{"root.b.state", "STOPPED"}}))), "");
  const Lines without_b = {
      {"root.queues", "a"}, {"root.a.capacity", "100"}, {"root.b.state", "STOPPED"}};
  EXPECT_THAT(message(world.refresh(without_b)), HasSubstr("it has 1 application"));
  world.finish(application);
  EXPECT_EQ(message(world.refresh(without_b)), "");
}

TEST(CapacityRefresh, AStoppedQueueMayGetQueuesOfItsOwn) {
  CapacityWorld world(leaves("50", "50", {{"root.b.state", "STOPPED"}}));
  world.add_nodes(1, 8);
  EXPECT_EQ(message(world.refresh(
                leaves("50", "50", {{"root.b.queues", "x"}, {"root.b.x.capacity", "100"}}))),
            "");
  EXPECT_EQ(world.harness().rejection(world.submit("x", "ann")), "");
}

TEST(CapacityRefresh, TheMaximumAllocationIsNotLowered) {
  CapacityWorld world(leaves("50", "50"), {{"maximum_allocation_mib", "4096"}});
  EXPECT_EQ(message(world.refresh(leaves("50", "50"), {{"maximum_allocation_mib", "2048"}})),
            "queue root.a: its maximum allocation cannot be lowered: masters were told 4096 MiB, "
            "and not 2048 MiB");
  EXPECT_EQ(message(world.refresh(leaves("50", "50"), {{"maximum_allocation_mib", "8192"}})), "");
}

// Proves: 3.3.maximum-allocation-grows
TEST(CapacityRefresh, NoLeafsMaximumAllocationIsLowered) {
  const std::string key = "root.a.maximum-allocation-mb";
  CapacityWorld world(leaves("50", "50", {{key, "2048"}}), {{"maximum_allocation_mib", "4096"}});
  const auto refresh = [&](const std::string& mib) {
    return message(
        world.refresh(leaves("50", "50", {{key, mib}}), {{"maximum_allocation_mib", "4096"}}));
  };
  EXPECT_EQ(
      refresh("1024"),
      "queue root.a: its maximum allocation cannot be lowered: masters were told 2048 MiB, and "
      "not 1024 MiB");
  EXPECT_EQ(refresh("3072"), "");
  EXPECT_EQ(message(world.refresh(leaves("50", "50"), {{"maximum_allocation_mib", "4096"}})), "")
      << "the scheduler's own is larger";
  EXPECT_EQ(
      refresh("3072"),
      "queue root.a: its maximum allocation cannot be lowered: masters were told 4096 MiB, and "
      "not 3072 MiB");
}

// What the scheduler's own maximum becomes counts only in leaves without a lower one of theirs.
// Proves: 3.3.maximum-allocation-of-scheduler
TEST(CapacityRefresh, TheSchedulersMaximumAllocationIsLoweredWhereNoLeafHasIt) {
  struct Row {
    const char* what;
    Lines before;
    SettingValues settings_before;
    Lines after;
    SettingValues settings_after;
    const char* refused;  // a part; empty: it is not
  };
  const std::string a = "root.a.maximum-allocation";
  const std::string b = "root.b.maximum-allocation";
  const Lines small = {{a + "-mb", "1024"}, {b, "memory-mb=2048,vcores=2"}};
  const SettingValues four = {{"maximum_allocation_mib", "4096"}};
  const SettingValues three = {{"maximum_allocation_mib", "3072"}};
  const Row table[] = {
      {"of yarn-site.xml, above all leaves'", small, four, small, three, ""},
      {"of yarn-site.xml, one leaf has it",
       {{a + "-mb", "1024"}},
       four,
       {{a + "-mb", "1024"}},
       three,
       "queue root.b: its maximum allocation cannot be lowered: masters were told 4096 MiB"},
      {"none before",
       {},
       {},
       {},
       three,
       "queue root.a: its maximum allocation cannot be lowered: "
       "masters were told that there is none"},
      {"none after", {}, four, {}, {}, ""},
      {"of a parent, which its children inherit",
       {{"root.maximum-allocation-vcores", "4"}},
       four,
       {{"root.maximum-allocation-vcores", "3"}},
       four,
       "queue root.a: its maximum allocation cannot be lowered: masters were told 4 vcores, and "
       "not 3 vcores"},
      {"in the other form",
       {{a + "-mb", "2048"}},
       four,
       {{a, "memory-mb=1536"}},
       four,
       "masters were told 2048 MiB, and not 1536 MiB"},
      {"vcores lowered, memory raised",
       {{b, "memory-mb=2048,vcores=2"}},
       four,
       {{b, "memory-mb=3072,vcores=1"}},
       four,
       "queue root.b: its maximum allocation cannot be "
       "lowered: masters were told 2 vcores, and not 1"},
  };
  for (const Row& row : table) {
    CapacityWorld world(leaves("50", "50", row.before), row.settings_before);
    const std::string said =
        message(world.refresh(leaves("50", "50", row.after), row.settings_after));
    if (*row.refused == '\0') {
      EXPECT_EQ(said, "") << row.what;
    } else {
      EXPECT_THAT(said, HasSubstr(row.refused)) << row.what;
    }
  }
}

// Proves: G5.queues-stay
TEST(CapacityRefresh, HadoopTwoTakesOutNoQueue) {
  CapacityWorld world(leaves("50", "50", {{"root.b.state", "STOPPED"}}),
                      {{"removable_queues", "none"}});
  EXPECT_EQ(message(world.refresh({{"root.queues", "a"}, {"root.a.capacity", "100"}},
                                  {{"removable_queues", "none"}})),
            "queue root.b cannot be taken out while the scheduler runs");
}

// Proves: A6.2.2.page, A6.2.2.used-ratio
TEST(CapacityView, ShowsTheQueuePageWithLiveFigures) {
  CapacityWorld world(leaves("75", "25"));
  world.add_nodes(2, 8);
  const ApplicationId first = world.submit("a", "ann");
  world.ask(first, 1, 3);
  const ApplicationId second = world.submit("a", "bob");
  world.fill_all();
  const SchedulerView view = world.scheduler().view(world.harness().cluster());
  ASSERT_EQ(view.queues.size(), 3u);
  EXPECT_EQ(view.queues[1].queue.path, "root.b") << "it uses the smaller part";
  const QueueView& a = view.queues[2];
  EXPECT_EQ(a.queue.path, "root.a");
  EXPECT_EQ(a.entitled, gib(12));
  EXPECT_EQ(a.used, gib(3));
  EXPECT_THAT(a.active, ElementsAre(first, second));
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < 8; ++i) {
    shown.push_back(std::string(a.queue.figures[i].label) + ": " +
                    test::text_of(a.queue.figures[i]));
  }
  EXPECT_THAT(
      shown, ElementsAre("Queue State: RUNNING", "Used Capacity: 25.0%", "Absolute Capacity: 75.0%",
                         "Absolute Max Capacity: 100.0%", "Used Resources: memory: 3072, vCores: 3",
                         "Num Active Applications: 2", "Num Pending Applications: 0",
                         "Num Containers: 3"));
  ASSERT_EQ(view.applications.size(), 2u);
  EXPECT_EQ(view.applications[0].queue, "root.a");
  EXPECT_TRUE(view.applications[0].is_active);
}

TEST(CapacityView, ShowsReservationsByNode) {
  CapacityWorld world(leaves("50", "50"));
  world.add_nodes(2, 8);
  world.ask(world.submit("a", "ann"), 6, 2);
  world.fill_all();
  const ApplicationId large = world.submit("b", "bob");
  const AskId ask = world.ask(large, 4, 1);
  world.beat(1);
  const SchedulerView view = world.scheduler().view(world.harness().cluster());
  ASSERT_EQ(view.reservations.size(), 1u);
  EXPECT_EQ(view.reservations[0].node, NodeId(1u));
  EXPECT_EQ(view.reservations[0].application, large);
  EXPECT_EQ(view.reservations[0].ask, ask);
  EXPECT_EQ(view.reservations[0].resources, gib(4));
}

// Proves: G1.count-of-masters, G2.user-limit, G3.uncapped, G4.no-delay, G4.off-switch-by-hosts
// Proves: G5.queues-stay
TEST(CapacitySemantics, EachDifferenceOfTheGenerationsIsASwitchOfItsOwn) {
  const auto flags = [](const SettingValues& settings) {
    const CapacityWorld world(leaves("50", "50"), settings);
    const CapacitySemantics& semantics = world.state().settings().semantics;
    return std::vector<bool>{semantics.counts_active_applications,
                             semantics.divides_limit_among_users,
                             semantics.uncaps_applications_of_user,
                             world.state().configuration().node_locality_delay == -1,
                             semantics.delays_off_switch_by_hosts,
                             semantics.keeps_queues_for_ever};
  };
  const std::vector<std::pair<const char*, const char*>> switches = {
      {"application_master_limit", "count"}, {"user_limit", "users"},
      {"applications_per_user", "uncapped"}, {"default_node_locality_delay", "-1"},
      {"off_switch_delay", "hosts"},         {"removable_queues", "none"}};
  EXPECT_EQ(flags({}), std::vector<bool>(switches.size(), false));
  EXPECT_EQ(flags({{"semantics", "hadoop-2.0"}}), std::vector<bool>(switches.size(), true));
  for (std::size_t i = 0; i < switches.size(); ++i) {
    std::vector<bool> only(switches.size(), false);
    only[i] = true;
    EXPECT_EQ(flags({{switches[i].first, switches[i].second}}), only) << switches[i].first;
  }
}

// ann may have 2 × 100 % × 5 applications, though the queue takes but 2 in all.
// Proves: G3.uncapped
TEST(CapacitySemantics, HadoopTwoDoesNotHoldAUsersApplicationsToTheQueues) {
  const Lines lines = leaves("50", "50", {{"root.a.maximum-applications", "2"}});
  CapacityWorld today(lines);
  EXPECT_EQ(today.state().leaf(today.index_of("root.a")).maximum_applications_of_user, 2);
  CapacityWorld old(lines, {{"applications_per_user", "uncapped"}});
  EXPECT_EQ(old.state().leaf(old.index_of("root.a")).maximum_applications_of_user, 20);
}

}  // namespace
}  // namespace tracebed
