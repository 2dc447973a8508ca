// The figures of limits that the Capacity scheduler shows: in the reasons why something waits, and
// on the page of queues.
#include "core/random.h"
#include "schedulers/yarn/capacity/admission.h"
#include "schedulers/yarn/capacity_world.h"

namespace tracebed {
namespace {

// Of masters of some memory and vcores, one of which runs already: the reason names what binds, of
// a limit of 4 GiB, 4 vcores and 4 accelerators, and nothing else.
TEST(CapacityMasterLimit, NamesTheResourceThatBinds) {
  struct Row {
    Resources master;
    const char* expected;
  };
  Resources with_accelerators{1'000, 1'024};
  with_accelerators[2] = 3;
  const Row table[] = {
      {{1'000, 3'072}, "use 3072 MiB, and with 3072 MiB more would be above 4096 MiB"},
      {{3'000, 1'024}, "use 3 vcores, and with 3 vcores more would be above 4 vcores"},
      {{2'500, 1'024}, "use 2.5 vcores, and with 2.5 vcores more would be above 4 vcores"},
      {{3'000, 3'072},
       "use 3072 MiB and 3 vcores, and with 3072 MiB and 3 vcores more would be above 4096 MiB and "
       "4 vcores"},
      {with_accelerators, "use 3 gpu, and with 3 gpu more would be above 4 gpu"},
  };
  const Lines dominant = with(
      halves,
      {{"maximum-am-resource-percent", "0.1"},
       {"resource-calculator", "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator"}});
  for (const Row& row : table) {
    CapacityWorld world(dominant, {}, ResourceDimensions({"gpu"}));
    for (int i = 0; i < 4; ++i) {
      Resources node = gib(8);
      node[2] = 8;
      world.harness().add_node(node, RackId(0u), {});
    }
    world.harness().decide();
    world.submit("a", "ann", 0, row.master);
    const ApplicationId second = world.submit("a", "ann", 0, row.master);
    EXPECT_EQ(world.why(second), "masters of queue root.a " + std::string(row.expected));
  }
}

// The same of other limits: of a queue, of a user, and of machines.
TEST(CapacityReasons, NameTheResourceThatBinds) {
  const Lines dominant = with(
      halves,
      {{"root.a.maximum-capacity", "50"},
       {"resource-calculator", "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator"}});
  CapacityWorld world(dominant);
  world.add_nodes(2, 8);
  const ApplicationId cores = world.submit("a", "ann");
  world.harness().ask(cores, {.demand = {4'000, 512}, .pending = 9});
  EXPECT_EQ(world.fill_all(), 2u);
  EXPECT_EQ(
      world.why(cores),
      "queue root.a uses 8 vcores of at most 8 vcores, and the next container takes 4 vcores");
  const ApplicationId large = world.submit("b", "bob");
  world.harness().ask(large, {.demand = {1'000, 10'240}, .pending = 1});
  EXPECT_EQ(world.fill_all(), 0u);
  EXPECT_THAT(world.why(large),
              testing::HasSubstr("no node is as large as a container of 10240 MiB"));
}

// What the page shows is what holds now: of a queue that can use no more than its half, masters may
// have 1.6 up to 2 GiB, and no user more, whatever his factor; and each of two users a part.
// Proves: 3.3.master-limit-shown
TEST(CapacityMasterLimit, ThePageShowsWhatHoldsNow) {
  const auto pages = [](CapacityWorld& world) {
    return world.figure("root.a", "Max Application Master Resources") + "; " +
           world.figure("root.a", "Max Application Master Resources Per User");
  };
  CapacityWorld world(with(halves, {{"maximum-am-resource-percent", "0.1"}}));
  world.add_nodes(4, 8);
  EXPECT_EQ(pages(world), "memory: 4096; memory: 4096") << "16 of its guarantee, by the factor";
  world.ask(world.submit("b", "bob"), 1, 16);
  EXPECT_EQ(world.fill_all(), 16u);
  world.ask(world.submit("a", "ann"), 1, 20);
  EXPECT_EQ(world.fill_all(), 16u);
  EXPECT_EQ(pages(world), "memory: 2048; memory: 2048");

  const Lines parts = {{"maximum-am-resource-percent", "0.5"},
                       {"root.a.minimum-user-limit-percent", "25"},
                       {"root.a.user-limit-factor", "1"}};
  CapacityWorld shared(with(halves, parts));
  shared.add_nodes(4, 8);
  for (const char* user : {"ann", "bob", "cid"}) shared.ask(shared.submit("a", user), 1, 30);
  shared.harness().decide();
  EXPECT_EQ(pages(shared), "memory: 16384; memory: 3072") << "16 × 0.5 / 3 is 2.7";
}

// Whatever the settings and whoever runs: a user's figure is never above the queue's, and is the
// limit by which applications start.
TEST(CapacityMasterLimit, AUsersFigureIsNeverAboveTheQueues) {
  Random random(5);
  const auto draw = [&](std::uint64_t below) {
    return static_cast<std::uint32_t>(random.below(below));
  };
  const auto mib = [](const std::string& text) {
    return std::stoll(text.substr(std::string("memory: ").size()));
  };
  for (int run = 0; run < 60; ++run) {
    CapacityWorld world(
        with(halves, {{"maximum-am-resource-percent", std::to_string(0.05 + 0.1 * draw(10))},
                      {"root.a.minimum-user-limit-percent", std::to_string(1 + draw(150))},
                      {"root.a.user-limit-factor", std::to_string(0.5 + draw(12))},
                      {"root.a.maximum-capacity", std::to_string(50 + draw(51))}}));
    world.add_nodes(static_cast<int>(1 + draw(8)), 8);
    for (std::uint32_t i = draw(8); i-- > 0;) {
      world.ask(world.submit(draw(2) ? "a" : "b", i % 3 == 0 ? "ann" : "bob"), 1, 1 + draw(30));
      if (draw(2) == 0) world.fill_all();
    }
    const std::int64_t of_queue = mib(world.figure("root.a", "Max Application Master Resources"));
    const std::int64_t of_user =
        mib(world.figure("root.a", "Max Application Master Resources Per User"));
    EXPECT_LE(of_user, of_queue);
    EXPECT_EQ(of_user,
              master_limit_of_user(world.state(), world.index_of("root.a"), 0, 1).memory_mib());
  }
}

// The amounts of two queues on clusters of other sizes; and without nodes nothing is scaled.
// Proves: 3.3.maximum-of-amounts, 3.3.maximum-without-nodes
TEST(CapacityMaximumApplications, FollowAmountsAndTheCluster) {
  CapacityWorld world({{"root.queues", "a,b"},
                       {"root.a.capacity", "[memory=20480,vcores=20]"},
                       {"root.b.capacity", "[memory=61440,vcores=60]"},
                       {"global-queue-max-application", "1000"},
                       {"maximum-am-resource-percent", "1"}});
  const auto maxima = [&] {
    return std::to_string(world.state().leaf(world.index_of("root.a")).maximum_applications) + " " +
           std::to_string(world.state().leaf(world.index_of("root.b")).maximum_applications);
  };
  EXPECT_EQ(maxima(), "1000 1000");
  world.add_nodes(10, 8);
  EXPECT_EQ(maxima(), "250 750");
  world.add_nodes(10, 8);
  EXPECT_EQ(maxima(), "125 375");
  EXPECT_EQ(world.figure("root.a", "Max Applications"), "125");
  EXPECT_EQ(world.figure("root.a", "Max Applications Per User"), "125");
}

}  // namespace
}  // namespace tracebed
