// Hadoop 1's schedulers with deadlines, heartbeat by heartbeat.
#include <gtest/gtest.h>

#include "schedulers/hadoop1/slot_story.h"

namespace tracebed {
namespace {

const SettingValues soft_settings{
    {"map_slots", "6"}, {"reduce_slots", "1"}, {"map_ms", "10000"}, {"reduce_ms", "10000"}};

SlotSubmission due(const char* user, Duration deadline = {}) {
  return {.user = user, .deadline = deadline};
}

// Job 0 has 200 s of work in 100 s and needs two slots, job 1 has 100 s in 50 s and needs two.
// Slots go to who lacks the most, of equals to the earlier deadline; the rest in the order of
// submission.
TEST(SlotSoftDeadline, GivesJobsTheSlotsThatTheirDeadlinesTake) {
  SlotStory story("slot_soft_deadline", soft_settings);
  const NodeId node = story.nodes(1).front();
  story.run(due("carol"), 1);
  story.run(due("alice", seconds(100)), 20);
  story.run(due("bob", seconds(50)), 10);
  EXPECT_EQ(story.figure(ApplicationId(1u), "Slots Needed (map)"), "2");
  EXPECT_EQ(story.figure(ApplicationId(2u), "Slots Needed (map)"), "2");
  EXPECT_EQ(story.figure(ApplicationId(0u), "Slots Needed (map)"), "0") << "it has no deadline";
  EXPECT_EQ(story.beat(node), "2 1 2 1 0 1");
  EXPECT_EQ(story.why(ApplicationId(1u)),
            "room: 6 of 6 map slots are takendeadline: its deadline takes 2 map slots, and it runs "
            "3 tasks");
}

// A map of job 0 takes 20 s instead of 10: 19 are left, of which three have run for 20 s. 320 s of
// work in 80 s take 4 slots. Job 1 is another user's, of whose tasks nothing more is known: 80 s of
// work in 30 s take 3.
TEST(SlotSoftDeadline, LearnsWhatTasksTakeFromThoseThatEnded) {
  SlotStory story("slot_soft_deadline", soft_settings);
  const NodeId node = story.nodes(1).front();
  const ApplicationId first = story.run(due("alice", seconds(100)), 20);
  const ApplicationId second = story.run(due("bob", seconds(50)), 10);
  EXPECT_EQ(story.beat(node), "1 0 1 0 0 0") << "two slots are left over";
  story.harness().advance(seconds(20));
  story.end(1);
  EXPECT_EQ(story.figure(first, "Task Length (map)"), "20 s");
  EXPECT_EQ(story.figure(second, "Task Length (map)"), "10 s");
  EXPECT_EQ(story.figure(first, "Slots Needed (map)"), "4");
  EXPECT_EQ(story.figure(second, "Slots Needed (map)"), "3");
  EXPECT_EQ(story.beat(node), "1") << "each lacks one; the earlier deadline comes first";
}

TEST(SlotSoftDeadline, OfWhatIsUnknownGivesOneToLearnFrom) {
  SlotStory story("slot_soft_deadline", {{"map_slots", "3"}, {"reduce_slots", "1"}});
  const NodeId node = story.nodes(1).front();
  story.run(due("carol"), 9);
  const ApplicationId late = story.run(due("alice", seconds(10)), 20);
  EXPECT_EQ(story.figure(late, "Task Length (map)"), "none");
  EXPECT_EQ(story.beat(node), "1 0 0");
}

// After its deadline a job takes all it can, or what others leave.
TEST(SlotSoftDeadline, AfterTheDeadlineJobsHurryOrWait) {
  for (const bool hurries : {true, false}) {
    SettingValues settings = soft_settings;
    settings["missed"] = hurries ? "hurry" : "wait";
    SlotStory story("slot_soft_deadline", settings);
    const NodeId node = story.nodes(1).front();
    story.run(due("carol"), 9);
    const ApplicationId late = story.run(due("alice", seconds(10)), 4);
    story.harness().advance(seconds(11));
    EXPECT_EQ(story.beat(node), hurries ? "1 1 1 1 0 0" : "0 0 0 0 0 0");
    EXPECT_EQ(story.figure(late, "Slots Needed (map)"), hurries ? "4" : "0");
  }
}

const SettingValues hard_settings{
    {"map_slots", "4"}, {"reduce_slots", "2"}, {"map_ms", "10000"}, {"reduce_ms", "5000"}};

// Job 0 is promised three map slots and one reduce slot (deadline_slots_test.cpp). Job 1 needs two
// map slots, and one is left. Job 2 has no deadline, and job 3 needs one.
TEST(SlotHardDeadline, AdmitsJobsWhoseLeastSlotsAreThere) {
  SlotStory story("slot_hard_deadline", hard_settings);
  const NodeId node = story.nodes(1).front();
  const ApplicationId first = story.run(due("alice", seconds(40)), 8, 2);
  EXPECT_EQ(story.figure(first, "Slots Needed (map)"), "3");
  EXPECT_EQ(story.figure(first, "Slots Needed (reduce)"), "1");
  SlotSubmission second = due("bob", seconds(40));
  second.maps = 8;
  const ApplicationId refused = story.submit(second);
  EXPECT_EQ(story.harness().rejection(refused),
            "its deadline in 40.000 s takes at least 2 map slots and 0 reduce slots for 8 maps of "
            "10.000 s: 1 map slot and 1 reduce slot are neither taken nor promised");
  story.run(due("carol"), 6);
  story.run(due("dave", seconds(80)), 8);
  EXPECT_EQ(story.beat(node), "0 0 0 3 0r 0r");
}

TEST(SlotHardDeadline, RejectsWhatNoSlotsCouldEndInTimeAndGoesOn) {
  SlotStory story("slot_hard_deadline", hard_settings);
  const NodeId node = story.nodes(1).front();
  SlotSubmission hopeless = due("alice", seconds(9));
  hopeless.maps = 1;
  const ApplicationId refused = story.submit(hopeless);
  EXPECT_EQ(story.harness().rejection(refused),
            "its deadline in 9.000 s cannot be met with 1 map of 10.000 s: 4 map slots and 2 "
            "reduce slots are neither taken nor promised");
  story.run(due("alice"), 1);
  EXPECT_EQ(story.beat(node), "1");
}

TEST(SlotHardDeadline, JudgesJobsOnceThereAreNodes) {
  SlotStory story("slot_hard_deadline", hard_settings);
  SlotSubmission early = due("alice", seconds(40));
  early.maps = 8;
  const ApplicationId id = story.submit(early);
  EXPECT_FALSE(story.harness().is_accepted(id));
  EXPECT_EQ(story.harness().rejection(id), "");
  story.nodes(1);
  EXPECT_TRUE(story.harness().is_accepted(id));
}

// What runs is taken, whoever's it is, and what a job no longer needs is there for others.
TEST(SlotHardDeadline, CountsWhatIsTakenAndReleasesWhatIsNoLongerNeeded) {
  SlotStory story("slot_hard_deadline", hard_settings);
  const NodeId node = story.nodes(1).front();
  story.run(due("carol"), 3);
  EXPECT_EQ(story.beat(node), "0 0 0");
  SlotSubmission wants_two = due("bob", seconds(40));
  wants_two.maps = 8;
  EXPECT_NE(story.harness().rejection(story.submit(wants_two)), "") << "one slot is free";
  story.end(0);
  EXPECT_EQ(story.harness().rejection(story.submit(wants_two)), "");
  EXPECT_NE(story.harness().rejection(story.submit(wants_two)), "") << "both are promised";
}

// A job of whose user's tasks nothing is known is admitted, and promised nothing.
TEST(SlotHardDeadline, TestsJobsOfWhoseTasksSomethingIsKnown) {
  SlotStory story("slot_hard_deadline", {{"map_slots", "2"}, {"reduce_slots", "1"}});
  const NodeId node = story.nodes(1).front();
  const ApplicationId first = story.run(due("alice", seconds(1)), 1);
  EXPECT_EQ(story.figure(first, "Slots Needed (map)"), "0");
  EXPECT_EQ(story.beat(node), "0");
  story.harness().advance(seconds(7));
  story.end(0);
  SlotSubmission again = due("alice", seconds(5));
  again.maps = 3;
  EXPECT_EQ(story.harness().rejection(story.submit(again)),
            "its deadline in 5.000 s cannot be met with 3 maps of 7.000 s: 2 map slots and 1 "
            "reduce slot are neither taken nor promised");
}

}  // namespace
}  // namespace tracebed
