// The parts of the Fair Scheduler that are worked on alone: keys of the order, waiting for places,
// and every sum after many rounds of everything.
#include <gtest/gtest.h>

#include "core/random.h"
#include "schedulers/yarn/fair/locality_delay.h"
#include "schedulers/yarn/fair/share_order.h"
#include "schedulers/yarn/fair_story.h"

namespace tracebed {
namespace {

// The keys are held to the comparison that is written as the original's is.
TEST(ShareKeys, OrderAsTheComparisonOfTheSchedulablesDoes) {
  Random random(7);
  const auto amounts = [&](std::size_t dimensions) {
    Resources resources(1'000 * random.between(0, 4), 1'024 * random.between(0, 4));
    if (dimensions > 2) resources[2] = random.between(0, 3);
    return resources;
  };
  for (int round = 0; round < 20'000; ++round) {
    const std::size_t dimensions = random.chance(0.5) ? 2 : 3;
    Resources cluster(16'000, 16'384);
    if (dimensions > 2) cluster[2] = 6;
    const auto policy = static_cast<SharePolicy>(random.below(3));
    const auto draw = [&](std::uint32_t id) {
      Schedulable drawn;
      drawn.demand = amounts(dimensions);
      drawn.usage = amounts(dimensions);
      drawn.minimum = amounts(dimensions);
      drawn.weight = static_cast<float>(random.between(0, 3));
      drawn.priority = static_cast<std::int32_t>(random.between(-1, 1));
      drawn.start = TraceTime(seconds(random.between(0, 1)));
      drawn.name = random.chance(0.5) ? "a" : "b";
      drawn.id = id;
      return drawn;
    };
    const auto key = [&](const Schedulable& s) {
      return ShareKey({s.demand, s.usage, s.minimum, s.weight, s.priority, s.start, s.name, s.id},
                      policy, cluster);
    };
    const Schedulable a = draw(0);
    const Schedulable b = draw(1);
    ASSERT_EQ(key(a) <=> key(b), compare(a, b, policy, cluster)) << "round " << round;
  }
}

// Figures of TestFSAppAttempt.testDelayScheduling: 10 nodes, thresholds 0.5 and 0.6.
// Proves: 5.5.delay, 5.5.delay-tightens
TEST(LocalityDelays, Section55CountOffersAtEachLevel) {
  using Level = LocalityDelay::Level;
  LocalityDelay delay;
  const auto offer = [&] {
    delay.count_offer();
    return delay.by_offers(10, 0.5, 0.6);
  };
  for (int i = 0; i < 5; ++i) EXPECT_EQ(offer(), Level::node) << i;
  EXPECT_EQ(offer(), Level::rack);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(offer(), Level::rack) << i;
  EXPECT_EQ(offer(), Level::off_switch);
  delay.placed_at(Level::off_switch);
  EXPECT_EQ(offer(), Level::off_switch);
  delay.placed_at(Level::rack);
  EXPECT_EQ(delay.level(), Level::rack);
}

// Proves: 5.5.delay-by-time
TEST(LocalityDelays, Section55CountTimeAtEachLevel) {
  using Level = LocalityDelay::Level;
  LocalityDelay delay;
  const auto at = [&](std::int64_t ms) {
    return delay.by_time(TraceTime(milliseconds(ms)), milliseconds(50), milliseconds(30));
  };
  EXPECT_EQ(at(1'000), Level::node);
  EXPECT_EQ(at(1'050), Level::node);
  EXPECT_EQ(at(1'051), Level::rack);
  EXPECT_EQ(at(1'081), Level::rack);
  EXPECT_EQ(at(1'082), Level::off_switch);
}

constexpr const char* everything =
    "<userMaxAppsDefault>4</userMaxAppsDefault>"
    "<queue name='p'><maxResources>20480 mb, 20 vcores</maxResources><maxRunningApps>5"
    "</maxRunningApps><queue name='x'><minResources>4096 mb, 4 vcores</minResources></queue>"
    "<queue name='y'><schedulingPolicy>fifo</schedulingPolicy></queue></queue>"
    "<queue name='d'><weight>2</weight><maxAMShare>0.3</maxAMShare></queue>";

// Applications of all kinds come, ask, are served, refused and end; every sum is checked after each
// step, and that no queue was given anything above its maximum.
TEST(FairSums, HoldAfterEveryStep) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    SettingValues settings{{"assign_multiple", random.chance(0.5) ? "true" : "false"},
                           {"size_based_weight", random.chance(0.5) ? "true" : "false"},
                           {"semantics", random.chance(0.3) ? "hadoop-2.0" : "hadoop-3"},
                           {"continuous_scheduling", random.chance(0.2) ? "true" : "false"},
                           {"weight_adjuster", random.chance(0.3) ? "new" : "none"}};
    if (random.chance(0.5)) {
      settings["locality_threshold_node"] = "0.5";
      settings["locality_threshold_rack"] = "0.5";
    }
    FairStory story(everything, settings);
    PolicyHarness& harness = story.harness();
    for (std::uint32_t i = 0; i < 6; ++i) harness.add_node({8'000, 8'192}, RackId(i % 2));
    std::vector<ApplicationId> open;
    std::vector<Placement> running;
    const auto settle = [&] {
      for (const Placement& placed : harness.decide()) running.push_back(placed);
      story.scheduler().verify();
      harness.verify();
    };
    for (int step = 0; step < 300; ++step) {
      const std::uint64_t what = random.below(8);
      if (what == 0) {
        const char* queues[] = {"p.x", "p.y", "d", "e.f", ""};
        const bool has_master = random.chance(0.5);
        const ApplicationId id =
            story.submit({.user = random.chance(0.5) ? "u" : "v",
                          .queue = queues[random.below(5)],
                          .master = has_master ? Resources(1'000, 1'024) : Resources()});
        if (!harness.is_accepted(id)) continue;
        open.push_back(id);
        if (has_master) harness.ask(id, {.priority = -1, .is_master = true});
        for (std::uint64_t asks = random.below(3) + 1; asks > 0; --asks) {
          AskFigures figures{.demand = {1'000 * random.between(1, 3), 512 * random.between(1, 8)},
                             .pending = static_cast<std::uint32_t>(random.between(1, 6)),
                             .kind = random.chance(0.1) ? StageKind::gang : StageKind::map};
          if (figures.kind != StageKind::gang && random.chance(0.4)) {
            const NodeId node(static_cast<std::uint32_t>(random.below(6)));
            figures.nodes = {{node, 2}};
            figures.racks = {{RackId(node.value() % 2), 2}};
          }
          harness.ask(id, figures);
        }
      } else if (what == 1 && !open.empty()) {
        const std::size_t i = random.below(open.size());
        harness.finish(open[i]);
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
      } else if (what == 2 && !running.empty()) {
        const std::size_t i = random.below(running.size());
        if (harness.cluster().containers.contains(running[i].container)) {
          harness.end(running[i].container);
        }
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      } else if (what == 3) {
        harness.refuse_next(1);
      } else if (what == 4) {
        harness.advance(milliseconds(random.between(1, 900)));
      } else if (what == 5 && random.chance(0.1)) {
        ASSERT_TRUE(story.reconfigure(random.chance(0.5) ? everything : "<queue name='d'/>"));
      } else {
        harness.heartbeat(NodeId(static_cast<std::uint32_t>(random.below(6))));
      }
      settle();
      if (settings["semantics"] == "hadoop-3" && story.has_queue("root.p") &&
          story.figure("root.p", "Created On Demand") == "false") {
        EXPECT_TRUE(story.queue("root.p").used.fits_in({20'000, 20'480})) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace tracebed
