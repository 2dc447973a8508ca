// A master's end of the conversation: what it is told of preemption, and what it says of it.
#include "applications/hosting/calling_master.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/at_seconds.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::VariantWith;

// What a master was told, and what it says next.
struct Story {
  std::vector<PreemptionMessage> preempted;
  std::vector<HeldContainer> held;  // as of the last time
  std::vector<AttemptEnd> ended;
  MasterActions says;
  bool holds = false;
  bool releases = false;
  bool keeps = false;  // what it is granted, and launches nothing in it
};

class ToldMaster final : public ApplicationMaster {
 public:
  explicit ToldMaster(Story& story) : story_(story) {}
  void start(TraceTime, MasterActions&) override {}
  void granted(TraceTime, const Grant& grant, MasterActions& actions) override {
    if (story_.keeps) return;
    if (story_.releases) {
      actions.emplace_back(ReleaseContainer{grant.container});
      return;
    }
    LaunchTask launch;
    launch.container = grant.container;
    launch.task = {0, grant.container.value()};
    launch.is_held = story_.holds;
    actions.emplace_back(launch);
  }
  void attempt_ended(TraceTime, const AttemptEnd& end, MasterActions&) override {
    story_.ended.push_back(end);
  }
  void node_lost(TraceTime, NodeId, MasterActions&) override {}
  void preempted(TraceTime, const PreemptionMessage& message, std::span<const HeldContainer> held,
                 MasterActions& actions) override {
    story_.preempted.push_back(message);
    story_.held.assign(held.begin(), held.end());
    for (MasterAction& action : story_.says) actions.push_back(std::move(action));
    story_.says.clear();
  }

 private:
  Story& story_;
};

class CallingMasterTest : public testing::Test {
 protected:
  // The next call's actions, answered at `now` with what is marked for preemption and what
  // happened.
  MasterCall call(TraceTime now, const PreemptionMessage& preemption = {},
                  std::vector<MasterNews> news = {}) {
    MasterCall call;
    master_.make_call(call);
    MasterAnswer answer;
    answer.application = call.application;
    answer.attempt = call.attempt;
    answer.sequence = call.sequence;
    answer.now = now;
    answer.preemption = preemption;
    answer.news = std::move(news);
    master_.take_answer(answer);
    return call;
  }
  static PreemptionMessage wanted(std::uint32_t container) {
    PreemptionMessage message;
    message.strict.emplace().containers = {{ContainerId(container), at_seconds(30), false, {}}};
    return message;
  }

  Story story_;
  CallingMaster master_{std::make_unique<ToldMaster>(story_), ApplicationId(3u), 1, seconds(1)};
};

TEST_F(CallingMasterTest, ItsMasterIsToldWhatItOwesWheneverThatChanges) {
  call(at_seconds(0));
  EXPECT_THAT(story_.preempted, IsEmpty());
  call(at_seconds(1), wanted(4));
  call(at_seconds(2), wanted(4));
  EXPECT_THAT(story_.preempted, ElementsAre(wanted(4)));
  call(at_seconds(3), wanted(5));
  call(at_seconds(4));
  call(at_seconds(5));
  EXPECT_THAT(story_.preempted, ElementsAre(wanted(4), wanted(5), PreemptionMessage()));
  // A contract that names nothing is not the same as none.
  const PreemptionMessage empty{.strict = {}, .negotiable = NegotiableContract{}};
  call(at_seconds(6), empty);
  EXPECT_THAT(story_.preempted.back(), empty);
}

TEST_F(CallingMasterTest, AnAnswerThatComesTwiceIsTakenOnce) {
  MasterCall said;
  master_.make_call(said);
  MasterAnswer answer;
  answer.application = said.application;
  answer.sequence = said.sequence;
  answer.preemption = wanted(4);
  master_.take_answer(answer);
  answer.preemption = wanted(5);
  master_.take_answer(answer);
  EXPECT_THAT(story_.preempted, ElementsAre(wanted(4)));
}

TEST_F(CallingMasterTest, ACheckpointDoesNotWaitForTheNextHeartbeat) {
  call(at_seconds(0));
  call(at_seconds(1));
  EXPECT_EQ(master_.next_call(), at_seconds(2));
  story_.says = {CheckpointTask{ContainerId(4u)}};
  call(at_seconds(2), wanted(4));
  EXPECT_EQ(master_.next_call(), at_seconds(2));
  EXPECT_THAT(call(at_seconds(2), wanted(4)).actions,
              ElementsAre(VariantWith<CheckpointTask>(CheckpointTask{ContainerId(4u)})));
  EXPECT_EQ(master_.next_call(), at_seconds(3));
}

TEST_F(CallingMasterTest, GivingBackWaitsForIt) {
  call(at_seconds(0));
  story_.says = {ReleaseContainer{ContainerId(4u)}};
  call(at_seconds(1), wanted(4));
  EXPECT_EQ(master_.next_call(), at_seconds(2));
}

// What ended is told first: it may be what was marked for preemption.
TEST_F(CallingMasterTest, TheProgressOfACheckpointedAttemptIsTold) {
  const AttemptEnd end{ContainerId(4u), NodeId(1u), ContainerEnd::checkpointed, false, 1, 250'000};
  call(at_seconds(0), {}, {Grant{ContainerId(4u), 0, NodeId(1u), RackId(0u), 1, {}}});
  call(at_seconds(1), {}, {end});
  EXPECT_THAT(story_.ended, ElementsAre(end));
}

Grant granted(std::uint32_t container, std::uint32_t units) {
  return {ContainerId(container),       0, NodeId(container + 10), RackId(0u), units,
          Resources(1'000, 256) * units};
}

TEST_F(CallingMasterTest, ItsMasterIsToldWhatItHolds) {
  call(at_seconds(0), {}, {granted(7, 1), granted(3, 2)});
  story_.holds = true;
  call(at_seconds(1), {}, {granted(5, 1)});
  story_.releases = true;
  call(at_seconds(2), {}, {granted(9, 1)});
  story_.says = {KillTask{ContainerId(3u)}, CheckpointTask{ContainerId(99u)}};
  call(at_seconds(3), wanted(4));
  ASSERT_EQ(story_.held.size(), 3u);
  const HeldContainer& first = story_.held[0];
  EXPECT_EQ(first.container, ContainerId(3u));
  EXPECT_EQ(first.node, NodeId(13u));
  EXPECT_EQ(first.resources, Resources(2'000, 512));
  EXPECT_EQ(first.task, (TaskRef{0, 3}));
  EXPECT_EQ(first.units, 2u);
  EXPECT_EQ(first.work_begun, at_seconds(0));
  EXPECT_FALSE(first.is_going);
  EXPECT_EQ(story_.held[1].container, ContainerId(5u));
  EXPECT_EQ(story_.held[1].work_begun, never) << "it waits to be let go";
  EXPECT_EQ(story_.held[2].container, ContainerId(7u));

  story_.says = {ContinueTask{ContainerId(5u)}, CheckpointTask{ContainerId(7u)}};
  call(at_seconds(4), wanted(5));
  EXPECT_TRUE(story_.held[0].is_going) << "it was killed";
  call(at_seconds(5), {}, {AttemptEnd{ContainerId(3u), NodeId(13u), ContainerEnd::killed}});
  ASSERT_EQ(story_.held.size(), 2u);
  EXPECT_EQ(story_.held[0].work_begun, at_seconds(4));
  EXPECT_TRUE(story_.held[1].is_going) << "it was told to keep its progress";
  EXPECT_EQ(story_.ended.size(), 1u);
}

TEST_F(CallingMasterTest, OfAContainerThatItReleasedItHearsNoEnd) {
  story_.releases = true;
  call(at_seconds(0), {}, {granted(7, 1)});
  call(at_seconds(1), {}, {AttemptEnd{ContainerId(7u), NodeId(17u), ContainerEnd::released}});
  EXPECT_THAT(story_.ended, IsEmpty());
}

TEST_F(CallingMasterTest, OfAContainerThatItHoldsWithoutATaskItHearsTheEnd) {
  story_.keeps = true;
  call(at_seconds(0), {}, {granted(7, 1)});
  call(at_seconds(1), {}, {AttemptEnd{ContainerId(7u), NodeId(17u), ContainerEnd::released}});
  EXPECT_THAT(story_.ended, SizeIs(1));
}

}  // namespace
}  // namespace tracebed
