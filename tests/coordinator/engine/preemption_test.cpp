// The engine's side of preemption: what a scheduler wants back is marked for preemption, told,
// settled, withdrawn or taken by force.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/engine/told_engine.h"

namespace tracebed {
namespace {

using doubles::plain_job;
using doubles::PlainMaster;

// Places first fit, and decides for a call what a test put down for it.
class OrderedScheduler final : public Scheduler {
 public:
  explicit OrderedScheduler(std::vector<std::function<void(Decisions&)>>& orders,
                            std::vector<SchedulerEvent>& events)
      : orders_(orders), events_(events) {}

  void decide(const SchedulerInput& input, Decisions& decisions) override {
    events_.insert(events_.end(), input.events.begin(), input.events.end());
    for (const auto& order : orders_) order(decisions);
    orders_.clear();
    if (places_) places_->decide(input, decisions);
  }
  HeartbeatInterest heartbeat_interest() const override { return {}; }

 private:
  std::vector<std::function<void(Decisions&)>>& orders_;
  std::vector<SchedulerEvent>& events_;
  std::unique_ptr<doubles::FirstFit> places_ = std::make_unique<doubles::FirstFit>();
};

// Keeps what it was told, and answers with what the test wants.
class ToldMaster final : public ApplicationMaster {
 public:
  ToldMaster(Job& job, std::vector<PreemptionMessage>& told, MasterActions& answer,
             std::vector<HeldContainer>& held)
      : plain_(job), told_(told), answer_(answer), held_(held) {}

  void start(TraceTime now, MasterActions& actions) override { plain_.start(now, actions); }
  void granted(TraceTime now, const Grant& grant, MasterActions& actions) override {
    plain_.granted(now, grant, actions);
  }
  void attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) override {
    plain_.attempt_ended(now, end, actions);
  }
  void node_lost(TraceTime, NodeId, MasterActions&) override {}
  void preempted(TraceTime, const PreemptionMessage& message, std::span<const HeldContainer> held,
                 MasterActions& actions) override {
    told_.push_back(message);
    held_.assign(held.begin(), held.end());
    actions.insert(actions.end(), answer_.begin(), answer_.end());
    answer_.clear();
  }

 private:
  PlainMaster plain_;
  std::vector<PreemptionMessage>& told_;
  MasterActions& answer_;
  std::vector<HeldContainer>& held_;
};

class PreemptionTest : public doubles::ToldEngine {
 protected:
  PreemptionTest() {
    build(std::make_unique<OrderedScheduler>(orders_, events_),
          [this](ApplicationId, Job& job, const ClusterModel&) {
            return std::make_unique<ToldMaster>(job, told_, answer_, held_);
          });
    join(0, 4);
    submit(plain_job(0, now_, 4, seconds(100)));
    now_ += seconds(10);
    events_.clear();
  }

  void want(std::uint32_t container, PreemptionTerms terms) {
    orders_.push_back([container, terms](Decisions& decisions) {
      decisions.preempt(ContainerId(container), terms);
    });
  }
  void beat() { arrive(NodeHeartbeat{NodeId(0u), {}}); }
  void wake_at(TraceTime at) {
    now_ = at;
    Round round = this->at();
    step(round);
  }
  std::vector<PreemptionEnd> ends() const {
    std::vector<PreemptionEnd> list;
    for (const PreemptionRecord& record : records_.preemptions) list.push_back(record.end);
    return list;
  }
  template <class Kind>
  std::size_t heard() const {
    return static_cast<std::size_t>(std::count_if(
        events_.begin(), events_.end(),
        [](const SchedulerEvent& event) { return std::holds_alternative<Kind>(event); }));
  }

  std::vector<std::function<void(Decisions&)>> orders_;
  std::vector<SchedulerEvent> events_;
  std::vector<PreemptionMessage> told_;
  MasterActions answer_;
  std::vector<HeldContainer> held_;
};

TEST_F(PreemptionTest, TellsTheMasterAtOnceWithAllThatItHolds) {
  const TraceTime deadline = now_ + seconds(15);
  want(2, {.kind = PreemptionKind::strict, .deadline = deadline});
  beat();
  ASSERT_EQ(told_.size(), 1u);
  ASSERT_TRUE(told_[0].strict);
  EXPECT_THAT(told_[0].strict->containers,
              testing::ElementsAre(PreemptionContainer{ContainerId(2u), deadline}));
  EXPECT_FALSE(told_[0].negotiable);
  ASSERT_EQ(held_.size(), 4u);
  EXPECT_EQ(held_[2].resources, Resources(1000, 1024));
  EXPECT_EQ(held_[2].task.index, 2u);
  EXPECT_EQ(engine_->next_deadline(), deadline);
  EXPECT_TRUE(sent<KillContainer>().empty());
}

TEST_F(PreemptionTest, KillsAtTheDeadlineWhatIsStillOwed) {
  const TraceTime deadline = now_ + seconds(15);
  want(2, {.deadline = deadline});
  beat();
  wake_at(deadline - microseconds(1));
  EXPECT_TRUE(sent<KillContainer>().empty());
  wake_at(deadline);
  EXPECT_EQ(heard<PreemptionDue>(), 1u);
  ASSERT_EQ(sent<KillContainer>().size(), 1u);
  EXPECT_EQ(sent<KillContainer>()[0].container, ContainerId(2u));
  EXPECT_TRUE(ends().empty()) << "it is marked for preemption until it has ended";
  end(2, ContainerEnd::killed);
  EXPECT_THAT(ends(), testing::ElementsAre(PreemptionEnd::forced));
  ASSERT_FALSE(records_.attempts.empty());
  EXPECT_EQ(records_.attempts.back().end, ContainerEnd::preempted);
  EXPECT_EQ(records_.preemptions[0].asked, trace_time(10'000'000));
  EXPECT_EQ(records_.preemptions[0].notified, trace_time(10'000'000));
}

// Without the engine's own relocate policy, too.
TEST_F(PreemptionTest, WhatASchedulerWantsToRelocateIsKilledAtItsDeadlineLikeAnythingElse) {
  want(2, {.purpose = PreemptionPurpose::relocate, .deadline = now_ + seconds(15)});
  beat();
  wake_at(now_ + seconds(15));
  EXPECT_EQ(heard<PreemptionDue>(), 1u);
  EXPECT_EQ(sent<KillContainer>().size(), 1u);
}

TEST_F(PreemptionTest, WhatEndsWellAsTheKillIsOnItsWayWasNotForced) {
  want(2, {.deadline = now_ + seconds(15)});
  beat();
  wake_at(now_ + seconds(15));
  ASSERT_EQ(sent<KillContainer>().size(), 1u);
  end(2, ContainerEnd::succeeded);
  EXPECT_THAT(ends(), testing::ElementsAre(PreemptionEnd::given_up));
}

TEST_F(PreemptionTest, KillsNothingIfTheSchedulerWithdrawsWhenItIsDue) {
  const TraceTime deadline = now_ + seconds(15);
  want(2, {.deadline = deadline});
  beat();
  orders_.push_back([](Decisions& decisions) { decisions.withdraw_preemption(ContainerId(2u)); });
  wake_at(deadline);
  EXPECT_TRUE(sent<KillContainer>().empty());
  EXPECT_THAT(ends(), testing::ElementsAre(PreemptionEnd::cancelled));
  ASSERT_EQ(told_.size(), 2u);
  EXPECT_TRUE(told_[1].is_empty()) << "the master is told that it owes nothing any more";
  EXPECT_EQ(engine_->next_deadline(), never);
}

TEST_F(PreemptionTest, CountsAContainerThatEndsByItselfInAnOwedOnesStead) {
  want(2, {.deadline = now_ + seconds(15)});
  beat();
  end(0);
  EXPECT_THAT(ends(), testing::ElementsAre(PreemptionEnd::substituted));
  EXPECT_EQ(heard<PreemptionSettled>(), 1u);
  wake_at(now_ + seconds(15));
  EXPECT_TRUE(sent<KillContainer>().empty());
}

TEST_F(PreemptionTest, AcceptsNothingElseForAStrictContract) {
  want(2, {.kind = PreemptionKind::strict, .deadline = now_ + seconds(15)});
  beat();
  end(0);
  EXPECT_TRUE(ends().empty());
  end(2);
  EXPECT_THAT(ends(), testing::ElementsAre(PreemptionEnd::given_up));
}

TEST_F(PreemptionTest, CarriesOutWhatTheMasterAnswers) {
  answer_ = {KillTask{ContainerId(1u)}, CheckpointTask{ContainerId(2u)},
             CheckpointTask{ContainerId(2u)}};
  want(1, {.deadline = now_ + seconds(15)});
  want(2, {.deadline = now_ + seconds(15)});
  beat();
  ASSERT_EQ(sent<KillContainer>().size(), 1u);
  ASSERT_EQ(sent<CheckpointContainer>().size(), 1u) << "the second order means nothing";
  now_ += seconds(1);
  end(1, ContainerEnd::killed);
  ContainerAccount account;
  account.progress = 250'000;
  arrive(ContainerEnded{ContainerId(2u), NodeId(0u), ContainerEnd::checkpointed, account});
  EXPECT_THAT(ends(), testing::ElementsAre(PreemptionEnd::given_up, PreemptionEnd::checkpointed));
  // Its next attempt does the three quarters of 100 s that are left.
  const std::vector<LaunchContainer> launched = sent<LaunchContainer>();
  ASSERT_EQ(launched.size(), 1u);
  EXPECT_EQ(launched[0].task.index, 2u);
  EXPECT_EQ(launched[0].work.duration, seconds(75));
  EXPECT_EQ(engine_->container_state(launched[0].container).progress, 250'000u);
}

TEST_F(PreemptionTest, RefusesToWantWhatIsNotThere) {
  want(99, {});
  orders_.push_back([](Decisions& decisions) { decisions.withdraw_preemption(ContainerId(2u)); });
  beat();
  beat();
  EXPECT_EQ(heard<Refused>(), 2u);
  EXPECT_TRUE(told_.empty());
}

TEST_F(PreemptionTest, KillsWithoutAWordWhereTheSchedulerKills) {
  orders_.push_back(
      [](Decisions& decisions) { decisions.kill(ContainerId(3u), "its queue has too much"); });
  beat();
  EXPECT_EQ(sent<KillContainer>().size(), 1u);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_TRUE(told_[0].is_empty());
  end(3, ContainerEnd::killed);
  EXPECT_THAT(ends(), testing::ElementsAre(PreemptionEnd::forced));
  EXPECT_EQ(records_.preemptions[0].notified, never);
}

TEST_F(PreemptionTest, LosesARequestWithItsNode) {
  want(2, {.deadline = now_ + seconds(15)});
  beat();
  arrive(NodeLost{NodeId(0u)});
  EXPECT_THAT(ends(), testing::ElementsAre(PreemptionEnd::lost));
  EXPECT_EQ(engine_->next_deadline(), never);
}

}  // namespace
}  // namespace tracebed
