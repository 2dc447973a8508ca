// MFS (Ma et al. 2012), line by line of its figures, and dominant shares.
#include <algorithm>
#include <gtest/gtest.h>

#include "core/random.h"
#include "schedulers/hadoop1/slot_story.h"
#include "schedulers/multi_resource/share_scheduler.h"

namespace tracebed {
namespace {

constexpr std::int64_t gib = 1'024;

// ---- shares ----

// Ten tasks of two cores and 1 GB, of 320 of each, with a weight of 2.
TEST(DominantShareTest, IsTheLargestPartDividedByTheWeight) {
  const Resources total(320'000, 320 * gib);
  const DominantShare share(Resources(2'000, gib) * 10, total, 2 * weight_of_one);
  EXPECT_EQ(share.dimension(), Resources::vcores_dimension);
  EXPECT_DOUBLE_EQ(share.value(), 0.03125);
}

TEST(DominantShareTest, IsComparedExactly) {
  const auto thirds = [](std::int64_t used, std::int64_t total) {
    return DominantShare(Resources(used, 0), Resources(total, 1), weight_of_one);
  };
  EXPECT_EQ(thirds(1, 3), thirds(333'333, 999'999));
  EXPECT_LT(thirds(333'333'333, 1'000'000'000), thirds(1, 3));
  EXPECT_EQ(DominantShare(), thirds(0, 7));
  // What nobody has counts for nothing.
  EXPECT_EQ(DominantShare(Resources(5, 5), Resources(), weight_of_one), DominantShare());
}

// Whatever happened, the order is that of a list which is sorted anew.
TEST(ShareOrderTest, IsThatOfAPlainSort) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    ShareOrder order;
    struct Plain {
      std::size_t id;
      ShareOrder::GroupId group;
      Resources used;
      bool wants;
    };
    std::vector<Plain> plain;
    Resources total(1 + static_cast<std::int64_t>(random.below(50)), 40);
    order.set_total(total);
    std::size_t next = 0;
    for (int step = 0; step < 200; ++step) {
      const std::uint64_t what = random.below(10);
      if (what < 3 || plain.empty()) {
        const auto group = static_cast<ShareOrder::GroupId>(random.below(4));
        order.add(ApplicationId(next), group, 1'000 * (group + 1), TraceTime());
        plain.push_back({next++, group, {}, false});
      } else if (what == 3) {
        total = Resources(1 + static_cast<std::int64_t>(random.below(50)), 40);
        order.set_total(total);
      } else if (what == 4) {
        const std::size_t at = random.below(plain.size());
        order.remove(ApplicationId(plain[at].id));
        plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(at));
      } else {
        Plain& one = plain[random.below(plain.size())];
        one.used = Resources(static_cast<std::int64_t>(random.below(6)),
                             static_cast<std::int64_t>(random.below(6)));
        one.wants = random.below(3) > 0;
        order.update(ApplicationId(one.id), one.used, one.wants);
      }
      std::map<ShareOrder::GroupId, Resources> of_groups;
      for (const Plain& one : plain) of_groups[one.group] += one.used;
      const auto key = [&](const Plain& one) {
        const auto share_of = [&](const Resources& used, std::int64_t weight) {
          return DominantShare(used, total, weight);
        };
        return std::make_tuple(share_of(of_groups[one.group], 1'000 * (one.group + 1)), one.group,
                               share_of(one.used, weight_of_one), one.id);
      };
      std::vector<Plain> expected;
      std::copy_if(plain.begin(), plain.end(), std::back_inserter(expected),
                   [](const Plain& one) { return one.wants; });
      std::sort(expected.begin(), expected.end(),
                [&](const Plain& a, const Plain& b) { return key(a) < key(b); });
      std::vector<std::size_t> found;
      order.visit_in_order([&](ApplicationId id) {
        found.push_back(id.index());
        return true;
      });
      ASSERT_EQ(found.size(), expected.size()) << "seed " << seed << ", step " << step;
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i], expected[i].id) << "seed " << seed << ", step " << step;
      }
    }
  }
}

// ---- figure 3 ----

struct Size {
  std::int64_t vcores;
  std::int64_t gib_of_memory;
};
NodeId node_of(SlotStory& story, const Size& size) {
  const NodeId node =
      story.harness().add_node(Resources(size.vcores * 1'000, size.gib_of_memory * gib));
  story.harness().decide();
  return node;
}
ApplicationId job_of(SlotStory& story, const std::string& user, const Size& demand,
                     std::uint32_t maps) {
  const ApplicationId id = story.submit({.user = user});
  story.maps_of(id, {.demand = Resources(demand.vcores * 1'000, demand.gib_of_memory * gib),
                     .pending = maps});
  return id;
}

// The example of Ghodsi et al.: 9 cores and 18 GB; three tasks of <1, 4> and two of <3, 1>, each of
// which is two thirds.
TEST(Mfs, DividesTheExampleOfDominantResourceFairness) {
  SlotStory story("mfs", {{"tasks_per_heartbeat", "several"}});
  const NodeId node = node_of(story, {9, 18});
  const ApplicationId a = job_of(story, "a", {1, 4}, 10);
  const ApplicationId b = job_of(story, "b", {3, 1}, 10);
  EXPECT_EQ(story.beat(node), "0 1 0 1 0");
  EXPECT_EQ(story.beat(node), "");
  const auto& shares = dynamic_cast<const ShareScheduler&>(story.scheduler()).shares();
  const DominantShare two_thirds(Resources(2, 0), Resources(3, 1), weight_of_one);
  EXPECT_EQ(shares.find(a)->share, two_thirds);
  EXPECT_EQ(shares.find(a)->share.dimension(), Resources::memory_dimension);
  EXPECT_EQ(shares.find(b)->share, two_thirds);
  EXPECT_EQ(shares.find(b)->share.dimension(), Resources::vcores_dimension);
}

TEST(Mfs, GivesOneTaskAHeartbeatAndMapsBeforeReduces) {
  SlotStory story("mfs", {});
  const NodeId node = node_of(story, {8, 8});
  story.run({}, 2, 2);
  EXPECT_EQ(story.beat(node), "0");
  EXPECT_EQ(story.beat(node, 3), "0 0r 0r");
}

TEST(Mfs, TheNeediestJobBlocksANodeThatHasNoRoomForIt) {
  SlotStory story("mfs", {});
  const NodeId node = node_of(story, {4, 8});
  const ApplicationId small = job_of(story, "alice", {1, 1}, 4);
  EXPECT_EQ(story.beat(node, 2), "0 0");
  const ApplicationId large = job_of(story, "bob", {3, 1}, 1);
  EXPECT_EQ(story.beat(node), "") << "bob has nothing, and his task no room";
  EXPECT_EQ(story.why(large), "room: no node has room for one of its tasks");
  EXPECT_EQ(story.why(small),
            "its_turn: others come first: the dominant share of alice is 0.500000, that of the "
            "job 0.500000");
  story.end(0);
  EXPECT_EQ(story.beat(node), "1");
}

TEST(Mfs, SkipsTheNeediestJobIfItIsToldTo) {
  SlotStory story("mfs", {{"order", "skip"}});
  const NodeId node = node_of(story, {4, 8});
  job_of(story, "alice", {1, 1}, 4);
  EXPECT_EQ(story.beat(node, 2), "0 0");
  job_of(story, "bob", {3, 1}, 1);
  EXPECT_EQ(story.beat(node, 2), "0 0");
}

// As printed, the test wants more free than the demand, and a node never fills.
TEST(Mfs, WantsMoreThanTheDemandIfItIsToldTo) {
  for (const auto& [fit, tasks] : {std::pair{"at_least", 8u}, std::pair{"more", 7u}}) {
    SlotStory story("mfs", {{"fit", fit}});
    const NodeId node = node_of(story, {16, 32});
    job_of(story, "alice", {2, 1}, 20);
    const std::string given = story.beat(node, 10);
    EXPECT_EQ(std::count(given.begin(), given.end(), '0'), tasks) << fit;
  }
}

TEST(Mfs, ANodeAsksWhileItsUtilisationIsBelowTheta) {
  SlotStory story("mfs", {{"utilisation_max", "0.5"}});
  const NodeId node = node_of(story, {4, 4});
  job_of(story, "alice", {1, 1}, 4);
  EXPECT_EQ(story.beat(node, 4), "0 0");
}

// Three of four cores are allocated, and a tenth of one is used; then half of the cores are.
TEST(Mfs, UtilisationIsWhatIsMeasuredIfItIsToldTo) {
  SlotStory story("mfs", {{"utilisation_max", "0.5"}, {"utilisation", "measured"}});
  const NodeId node = node_of(story, {4, 4});
  job_of(story, "alice", {1, 1}, 4);
  EXPECT_EQ(story.beat(node, 3), "0 0 0");
  story.harness().heartbeat(node, Resources(2'000, 0));
  EXPECT_EQ(to_text(story.harness().decide()), "");
  story.harness().heartbeat(node, Resources(100, 0));
  EXPECT_EQ(to_text(story.harness().decide()), "a0:n0");
  EXPECT_TRUE(story.scheduler().heartbeat_interest().any);
}

// 9 cores: 6 and 3 tasks. Of equal shares the first group's comes first.
TEST(Mfs, WeightsDivideTheSharesOfGroups) {
  SlotStory story("mfs", {{"weights", "alice=2,carol=0.001"}});
  const NodeId node = node_of(story, {9, 9});
  job_of(story, "alice", {1, 1}, 9);
  job_of(story, "bob", {1, 1}, 9);
  EXPECT_EQ(story.beat(node, 9), "0 1 0 0 1 0 0 1 0");
}

TEST(Mfs, JobsOfAGroupTakeTurnsBeforeOtherGroupsHaveMore) {
  SlotStory story("mfs", {});
  const NodeId node = node_of(story, {8, 8});
  job_of(story, "alice", {1, 1}, 8);
  job_of(story, "alice", {1, 1}, 8);
  job_of(story, "bob", {1, 1}, 8);
  EXPECT_EQ(story.beat(node, 8), "0 2 1 2 0 2 1 2");
}

TEST(Mfs, GroupsMayBeQueues) {
  SlotStory story("mfs", {{"groups", "queue"}});
  const NodeId node = node_of(story, {8, 8});
  for (const char* queue : {"x", "x", "y"}) {
    story.maps_of(story.submit({.user = "alice", .queue = queue}),
                  {.demand = Resources(1'000, gib), .pending = 8});
  }
  EXPECT_EQ(story.beat(node, 4), "0 2 1 2");
  EXPECT_EQ(story.scheduler().leaf_of(ApplicationId(2u)), "y");
}

TEST(Mfs, AJobWithoutATaskForTheNodeIsPassedOver) {
  SlotStory story("mfs", {});
  const NodeId here = node_of(story, {4, 4});
  const NodeId there = node_of(story, {4, 4});
  const ApplicationId bound = story.submit({.user = "alice"});
  AskFigures figures{.demand = Resources(1'000, gib), .pending = 1, .relax_locality = false};
  figures.nodes = {{there, 1}};
  story.maps_of(bound, figures);
  job_of(story, "bob", {1, 1}, 4);
  EXPECT_EQ(story.beat(here), "1");
  EXPECT_EQ(story.beat(there), "0");
}

TEST(Mfs, AMastersContainerComesBeforeTasksAndCounts) {
  SlotStory story("mfs", {});
  const NodeId node = node_of(story, {4, 4});
  job_of(story, "alice", {1, 1}, 4);
  const ApplicationId id = story.submit({.user = "bob"});
  story.harness().ask(id, {.demand = Resources(2'000, gib), .pending = 1, .is_master = true});
  story.harness().decide();
  EXPECT_EQ(story.beat(node), "1 0");
  const auto& shares = dynamic_cast<const ShareScheduler&>(story.scheduler()).shares();
  EXPECT_DOUBLE_EQ(shares.find(id)->share.value(), 0.5);
}

// Whoever leaves, and machines that go, change what all shares are parts of.
TEST(Mfs, SharesFollowWhatEndsAndWhatMachinesThereAre) {
  SlotStory story("mfs", {});
  const NodeId first = node_of(story, {4, 4});
  const NodeId second = node_of(story, {4, 4});
  const ApplicationId id = job_of(story, "alice", {1, 1}, 4);
  EXPECT_EQ(story.beat(first, 2), "0 0");
  const auto& shares = dynamic_cast<const ShareScheduler&>(story.scheduler()).shares();
  EXPECT_DOUBLE_EQ(shares.find(id)->share.value(), 0.25);
  story.harness().remove_node(second);
  story.harness().decide();
  EXPECT_DOUBLE_EQ(shares.find(id)->share.value(), 0.5);
  story.end(0);
  EXPECT_DOUBLE_EQ(shares.find(id)->share.value(), 0.25);
  story.harness().finish(id);
  story.harness().decide();
  EXPECT_EQ(shares.find(id), nullptr);
  EXPECT_TRUE(shares.groups().empty());
}

TEST(Mfs, ShowsSharesWeightsAndWhichResourceIsDominant) {
  SlotStory story("mfs", {{"weights", "alice=2"}});
  const NodeId node = node_of(story, {4, 8});
  const ApplicationId id = job_of(story, "alice", {1, 4}, 1);
  EXPECT_EQ(story.beat(node), "0");
  EXPECT_EQ(story.figure("alice", "Dominant Share"), "25.0%");
  EXPECT_EQ(story.figure("alice", "Weight"), "2.0");
  EXPECT_EQ(story.figure(id, "Dominant Share"), "50.0%");
  EXPECT_EQ(story.figure(id, "Dominant Resource"), "memory");
}

// Room that a node does not offer is none.
TEST(Mfs, WaitsForRoomWhereNodesAreAtTheirUtilisation) {
  SlotStory story("mfs", {{"utilisation_max", "0.5"}});
  const NodeId node = node_of(story, {4, 4});
  const ApplicationId id = job_of(story, "alice", {1, 1}, 4);
  EXPECT_EQ(story.beat(node, 3), "0 0");
  EXPECT_EQ(story.why(id), "room: no node has room for one of its tasks");
}

TEST(Mfs, WeightsAreNamesWithPositiveNumbers) {
  const Names names;
  for (const char* wrong : {"alice", "=2", "alice=0", "alice=-1", "alice=x", "alice=1001",
                            "alice=1,alice=2", "alice=1,", ",alice=1", "alice=nan"}) {
    SchedulerParameters parameters;
    parameters.names = &names;
    parameters.settings = {{"weights", wrong}};
    const auto made = test::schedulers().make("mfs", parameters);
    ASSERT_FALSE(made) << wrong;
    EXPECT_EQ(made.error().message,
              "scheduler mfs, setting weights: expected names with weights from 0.001 to 1000, "
              "such as \"alice=2,bob=0.5\", got \"" +
                  std::string(wrong) + "\"");
  }
}

}  // namespace
}  // namespace tracebed
