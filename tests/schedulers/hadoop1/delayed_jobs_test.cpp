// Delay scheduling beside an order of jobs: algorithm 2 of Zaharia et al. (EuroSys 2010), worked by
// hand.
#include <gtest/gtest.h>
#include <string>

#include "schedulers/hadoop1/slot_story.h"
#include "support/at_seconds.h"

namespace tracebed {
namespace {

const SettingValues delays{{"locality_delay_of_node_ms", "5000"},
                           {"locality_delay_of_rack_ms", "10000"}};

// Two nodes in a rack and one in another; alice's maps read what the first node has, bob's nothing.
class DelayStory {
 public:
  DelayStory(const std::string& scheduler, const SettingValues& settings, std::uint32_t maps,
             std::uint32_t maps_of_others)
      : story_(scheduler, settings) {
    const std::vector<NodeId> rack = story_.nodes(2, 0);
    home_ = rack[0];
    beside_ = rack[1];
    far_ = story_.nodes(1, 1)[0];
    alice_ = story_.submit({.user = "alice", .maps = maps});
    ask_at_home(maps);
    story_.run({.user = "bob"}, maps_of_others);
  }

  // What a heartbeat of the node gives, so much later.
  std::string after(Duration duration, NodeId node) {
    story_.harness().advance(duration);
    return story_.beat(node);
  }
  void ask_at_home(std::uint32_t maps) {
    AskFigures figures{.pending = maps};
    figures.nodes = {{home_, maps}};
    figures.racks = {{RackId(0u), maps}};
    story_.maps_of(alice_, figures);
  }
  SlotStory& story() { return story_; }
  ApplicationId alice() const { return alice_; }
  NodeId home() const { return home_; }
  NodeId beside() const { return beside_; }
  NodeId far() const { return far_; }

 private:
  SlotStory story_;
  ApplicationId alice_;
  NodeId home_;
  NodeId beside_;
  NodeId far_;
};

TEST(DelayedJobs, GoFartherFromTheirInputTheLongerTheyWait) {
  DelayStory story("mfs", delays, 4, 20);
  EXPECT_EQ(story.after(seconds(0), story.far()), "1");
  EXPECT_EQ(story.after(seconds(3), story.far()), "1");
  EXPECT_EQ(story.after(seconds(1), story.beside()), "1") << "4 s are not over 5";
  EXPECT_EQ(story.after(seconds(1), story.beside()), "0") << "5 s: its rack will do";
  EXPECT_EQ(story.after(seconds(3), story.far()), "1") << "it waits anew, now for its rack";
  EXPECT_EQ(story.after(seconds(9), story.far()), "1");
  EXPECT_EQ(story.after(seconds(1), story.far()), "0") << "10 s after that";
  EXPECT_EQ(story.after(seconds(1), story.far()), "0") << "and any node from then on";
}

TEST(DelayedJobs, WaitForTheirNodesAgainAfterAMapThere) {
  DelayStory story("mfs", delays, 3, 20);
  story.after(seconds(0), story.far());
  EXPECT_EQ(story.after(seconds(14), story.far()), "1");
  EXPECT_EQ(story.after(seconds(0), story.home()), "0");
  EXPECT_EQ(story.after(seconds(1), story.far()), "1");
  EXPECT_EQ(story.after(seconds(14), story.far()), "1");
  EXPECT_EQ(story.after(seconds(1), story.far()), "0") << "both delays in one";
}

// Only while they are passed over: not while others are needier, nor between a map of theirs and
// the next node that is too far.
TEST(DelayedJobs, WaitOnlyFromWhenTheyWerePassedOver) {
  SettingValues settings = delays;
  settings["weights"] = "alice=100";
  DelayStory story("mfs", settings, 3, 20);
  EXPECT_EQ(story.after(seconds(0), story.home()), "0");
  EXPECT_EQ(story.after(seconds(100), story.far()), "1") << "whose owner has nothing yet";
  EXPECT_EQ(story.after(seconds(100), story.beside()), "1");
  EXPECT_EQ(story.after(seconds(4), story.beside()), "1");
  EXPECT_EQ(story.after(seconds(1), story.beside()), "0");
}

// What failed has to run again, as near as the job's last map was allowed to be.
TEST(DelayedJobs, KeepTheirLevelWhileTheyHaveNoMapsToRun) {
  DelayStory story("mfs", delays, 1, 20);
  EXPECT_EQ(story.after(seconds(0), story.far()), "1");
  EXPECT_EQ(story.after(seconds(5), story.beside()), "0");
  story.ask_at_home(1);
  EXPECT_EQ(story.after(seconds(0), story.far()), "1") << "its rack will do, and no other";
  EXPECT_EQ(story.after(seconds(0), story.beside()), "0");
}

TEST(DelayedJobs, AreToldAndWakeTheScheduler) {
  DelayStory story("mfs", delays, 2, 20);
  story.after(seconds(0), story.far());
  EXPECT_EQ(story.story().harness().wake_at(), at_seconds(5));
  story.after(seconds(3), story.far());
  EXPECT_EQ(story.story().why(story.alice()),
            "locality: it waits for a node with its input, or in the rack of it, and has waited "
            "for 3000 ms");
  EXPECT_EQ(story.story().figure(story.alice(), "Allowed Locality Level"), "node");
  EXPECT_EQ(story.after(seconds(0), story.home()), "0");
}

// They have no place to wait for.
TEST(DelayedJobs, GetReducesAndMapsWithoutPlacesAtOnce) {
  DelayStory story("mfs", delays, 1, 0);
  story.story().reduces_of(story.alice(), 1);
  EXPECT_EQ(story.after(seconds(0), story.far()), "0r");
  const ApplicationId carol = story.story().run({.user = "carol"}, 1);
  EXPECT_EQ(story.after(seconds(0), story.far()), std::to_string(carol.value()));
}

TEST(DelayedJobs, AreNoneByDefault) {
  DelayStory story("mfs", {}, 2, 20);
  EXPECT_EQ(story.after(seconds(0), story.far()), "0");
  EXPECT_EQ(story.story().harness().wake_at(), never);
}

class DelayedPolicy : public testing::TestWithParam<const char*> {};

TEST_P(DelayedPolicy, PassesOverWhoIsNeediestForAWhile) {
  DelayStory story(GetParam(), delays, 1, 1);
  EXPECT_EQ(story.after(seconds(0), story.far()), "1");
  EXPECT_EQ(story.after(seconds(4), story.beside()), "");
  EXPECT_EQ(story.after(seconds(1), story.beside()), "0");
}

TEST_P(DelayedPolicy, SaysThatItsJobsWaitForNearNodes) {
  DelayStory story(GetParam(), delays, 1, 1);
  story.after(seconds(0), story.far());
  story.after(seconds(2), story.far());
  EXPECT_EQ(story.story().why(story.alice()),
            "locality: it waits for a node with its input, or in the rack of it, and has waited "
            "for 2000 ms");
}

INSTANTIATE_TEST_SUITE_P(Of, DelayedPolicy,
                         testing::Values("mfs", "drf", "hdrf", "slot_fifo", "slot_dynamic_priority",
                                         "slot_soft_deadline", "slot_hard_deadline"),
                         [](const auto& info) { return std::string(info.param); });

class DelayedSlotPolicy : public testing::TestWithParam<const char*> {};

// A node without room is to them as one without slots.
TEST_P(DelayedSlotPolicy, SkipsNobodyOnANodeWithoutRoom) {
  SettingValues settings = delays;
  settings["map_slots"] = "2";
  DelayStory story(GetParam(), settings, 1, 1);
  const NodeId small = story.story().harness().add_node(Resources(1, 1), RackId(1u));
  EXPECT_EQ(story.after(seconds(0), small), "");
  EXPECT_EQ(story.after(seconds(100), story.far()), "1");
  EXPECT_EQ(story.after(seconds(4), story.beside()), "");
  EXPECT_EQ(story.after(seconds(1), story.beside()), "0");
}

INSTANTIATE_TEST_SUITE_P(Of, DelayedSlotPolicy,
                         testing::Values("slot_fifo", "slot_dynamic_priority", "slot_soft_deadline",
                                         "slot_hard_deadline"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tracebed
