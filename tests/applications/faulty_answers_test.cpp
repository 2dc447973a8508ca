// Masters with a fault, as their calls show it: what they say when containers are wanted back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "applications/hosting/calling_master.h"
#include "support/at_seconds.h"

namespace tracebed {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::VariantWith;

MasterAction kill(std::uint32_t container) {
  return KillTask{ContainerId(container)};
}
PreemptionMessage wanted(std::uint32_t container, TraceTime deadline) {
  PreemptionMessage message;
  message.strict.emplace().containers = {{ContainerId(container), deadline, false, {}}};
  return message;
}

// Launches a task in every container, and kills what is wanted back.
class Yielder final : public ApplicationMaster {
 public:
  void start(TraceTime, MasterActions&) override {}
  void granted(TraceTime, const Grant& grant, MasterActions& actions) override {
    LaunchTask launch;
    launch.container = grant.container;
    actions.emplace_back(launch);
  }
  void attempt_ended(TraceTime, const AttemptEnd&, MasterActions&) override {}
  void node_lost(TraceTime, NodeId, MasterActions&) override {}
  void preempted(TraceTime, const PreemptionMessage& message, std::span<const HeldContainer> held,
                 MasterActions& actions) override {
    if (!message.strict) return;
    for (const PreemptionContainer& contract : message.strict->containers) {
      for (const HeldContainer& each : held) {
        if (each.container == contract.container && !each.is_going) {
          actions.emplace_back(KillTask{contract.container});
        }
      }
    }
  }
};

// It has containers 4 and 6, in which its tasks run. Its next call is the third.
class FaultyAnswersTest : public testing::Test {
 protected:
  void begin(MasterFault fault) {
    master_.emplace(std::make_unique<Yielder>(), ApplicationId(3u), 1, seconds(1), fault);
    const auto granted = [](std::uint32_t container) {
      return Grant{ContainerId(container), 0, NodeId(0u), RackId(0u), 1, Resources(1'000, 256)};
    };
    call(at_seconds(0), {}, {granted(4), granted(6)});
    call(at_seconds(0));
  }
  MasterCall call(TraceTime now, const PreemptionMessage& preemption = {},
                  std::vector<MasterNews> news = {}) {
    MasterCall said;
    master_->make_call(said);
    MasterAnswer answer;
    answer.application = said.application;
    answer.attempt = said.attempt;
    answer.sequence = said.sequence;
    answer.now = now;
    answer.preemption = preemption;
    answer.news = std::move(news);
    master_->take_answer(answer);
    return said;
  }

  std::optional<CallingMaster> master_;
};

TEST_F(FaultyAnswersTest, WithoutAFaultAnAnswerIsSaidOnceAndAtOnce) {
  begin(MasterFault::none);
  call(at_seconds(1), wanted(4, at_seconds(30)));
  EXPECT_FALSE(master_->spoils_next_call());
  EXPECT_EQ(master_->next_call(), at_seconds(1));
  EXPECT_THAT(call(at_seconds(1)).actions, ElementsAre(kill(4)));
  EXPECT_EQ(master_->next_call(), at_seconds(2));
  EXPECT_THAT(call(at_seconds(2)).actions, IsEmpty());
  EXPECT_FALSE(master_->has_failed());
}

TEST_F(FaultyAnswersTest, OneThatRepeatsSaysTheCallTwiceAndItsAnswerOnceMoreInTheNext) {
  begin(MasterFault::repeats);
  call(at_seconds(1), wanted(4, at_seconds(30)));
  const MasterCall first = call(at_seconds(1), wanted(4, at_seconds(30)));
  EXPECT_THAT(first.actions, ElementsAre(kill(4)));
  EXPECT_EQ(master_->next_call(), at_seconds(1));
  // The same answer comes to it, and nothing of it is taken a second time.
  const MasterCall again = call(at_seconds(1), wanted(6, at_seconds(30)));
  EXPECT_EQ(again, first);
  const MasterCall next = call(at_seconds(2));
  EXPECT_EQ(next.sequence, first.sequence + 1);
  EXPECT_THAT(next.actions, ElementsAre(kill(4)));
  EXPECT_EQ(master_->next_call(), at_seconds(3));
  EXPECT_THAT(call(at_seconds(3)).actions, IsEmpty());
}

TEST_F(FaultyAnswersTest, OneThatIsLateAnswersWhenTheDeadlineIsOver) {
  begin(MasterFault::is_late);
  call(at_seconds(1), wanted(4, at_seconds(3)));
  EXPECT_EQ(master_->next_call(), at_seconds(2)) << "there is nothing to say";
  EXPECT_THAT(call(at_seconds(2), wanted(4, at_seconds(3))).actions, IsEmpty());
  EXPECT_THAT(call(at_seconds(3), wanted(4, at_seconds(3))).actions, IsEmpty());
  EXPECT_THAT(call(at_seconds(4)).actions, IsEmpty());
  EXPECT_THAT(call(at_seconds(4)).actions, ElementsAre(kill(4)));
  EXPECT_THAT(call(at_seconds(5)).actions, IsEmpty());
}

TEST_F(FaultyAnswersTest, WhatIsNeverTakenByForceCannotBeAnsweredLate) {
  begin(MasterFault::is_late);
  call(at_seconds(1), wanted(4, never));
  EXPECT_THAT(call(at_seconds(1)).actions, ElementsAre(kill(4)));
}

TEST_F(FaultyAnswersTest, OneThatAnswersForOthersNamesNoneOfItsOwn) {
  begin(MasterFault::answers_for_others);
  call(at_seconds(1), wanted(4, at_seconds(30)));
  EXPECT_THAT(call(at_seconds(1)).actions, ElementsAre(kill(5), kill(3)));
  call(at_seconds(2), wanted(6, at_seconds(30)));
  EXPECT_THAT(call(at_seconds(2)).actions, ElementsAre(kill(7), kill(5)));
}

TEST_F(FaultyAnswersTest, OneThatSaysGarbageSaysWhatIsNoMessageAndThenWhatMeansNothing) {
  begin(MasterFault::says_garbage);
  call(at_seconds(1), wanted(4, at_seconds(30)));
  EXPECT_TRUE(master_->spoils_next_call());
  const MasterCall said = call(at_seconds(1));
  EXPECT_EQ(said.kind, MasterCallKind::allocation);
  EXPECT_THAT(said.actions, Not(Contains(kill(4))));
  EXPECT_THAT(said.actions, Contains(VariantWith<FinishApplication>(FinishApplication{})));
  EXPECT_EQ(said.actions.size(), 3u);
  EXPECT_FALSE(master_->spoils_next_call());
  EXPECT_THAT(call(at_seconds(2)).actions, IsEmpty());
}

TEST_F(FaultyAnswersTest, OneThatDiesDoesSoWhenItIsToldThatItOwes) {
  begin(MasterFault::dies);
  call(at_seconds(1), PreemptionMessage{.strict = {}, .negotiable = NegotiableContract{}});
  EXPECT_FALSE(master_->has_failed()) << "it owes nothing yet";
  call(at_seconds(2), wanted(4, at_seconds(30)));
  EXPECT_TRUE(master_->has_failed());
  EXPECT_EQ(master_->next_call(), never);
  EXPECT_FALSE(master_->has_ended());
}

}  // namespace
}  // namespace tracebed
