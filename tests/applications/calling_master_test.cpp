// A master's end of the conversation: what it is told of preemption, and what it says of it.
#include "applications/hosting/calling_master.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::VariantWith;

TraceTime at_seconds(std::int64_t count) {
  return trace_time(count * 1'000'000);
}

// What a master was told, and what it says next.
struct Story {
  std::vector<PreemptionMessage> preempted;
  std::vector<AttemptEnd> ended;
  MasterActions says;
};

class ToldMaster final : public ApplicationMaster {
 public:
  explicit ToldMaster(Story& story) : story_(story) {}
  void start(TraceTime, MasterActions&) override {}
  void granted(TraceTime, const Grant& grant, MasterActions& actions) override {
    LaunchTask launch;
    launch.container = grant.container;
    actions.emplace_back(launch);
  }
  void attempt_ended(TraceTime, const AttemptEnd& end, MasterActions&) override {
    story_.ended.push_back(end);
  }
  void node_lost(TraceTime, NodeId, MasterActions&) override {}
  void preempted(TraceTime, const PreemptionMessage& message, MasterActions& actions) override {
    story_.preempted.push_back(message);
    for (MasterAction& action : story_.says) actions.push_back(std::move(action));
    story_.says.clear();
  }

 private:
  Story& story_;
};

class CallingMasterTest : public testing::Test {
 protected:
  // The next call's actions, answered at `now` with what is owed and what happened.
  MasterCall call(TraceTime now, const PreemptionMessage& owed = {},
                  std::vector<MasterNews> news = {}) {
    MasterCall call;
    master_.make_call(call);
    MasterAnswer answer;
    answer.application = call.application;
    answer.attempt = call.attempt;
    answer.sequence = call.sequence;
    answer.now = now;
    answer.preemption = owed;
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

// What ended is told first: it may be what was owed.
TEST_F(CallingMasterTest, TheProgressOfACheckpointedAttemptIsTold) {
  const AttemptEnd end{ContainerId(4u), NodeId(1u), ContainerEnd::checkpointed, false, 1, 250'000};
  call(at_seconds(0), {}, {Grant{ContainerId(4u), 0, NodeId(1u), RackId(0u), 1}});
  call(at_seconds(1), {}, {end});
  EXPECT_THAT(story_.ended, ElementsAre(end));
}

}  // namespace
}  // namespace tracebed
