// Which kind of stall it is, who holds what and who waits for whom.
#include "coordinator/engine/stall_analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/engine/told_engine.h"

namespace tracebed {
namespace {

using namespace doubles;
using testing::ElementsAre;

// Accepts everyone and places nothing.
std::unique_ptr<Scheduler> idle_scheduler() {
  return std::make_unique<ScriptedScheduler>([](const SchedulerInput& input, Decisions& decisions) {
    for (const SchedulerEvent& event : input.events) {
      const auto* added = std::get_if<ApplicationAdded>(&event);
      if (added != nullptr) decisions.accept(added->application);
    }
  });
}

class StallAnalysisTest : public ToldEngine {
 protected:
  StallAnalysisTest() {
    build(idle_scheduler());
    join(0, 2);
    join(1, 2);
  }
  void ask(std::uint32_t application, SetAsk ask) {
    const std::vector<MasterAction> actions{std::move(ask)};
    ASSERT_TRUE(engine_->stage(now_, {ApplicationId(application), actions, {}}, commands_));
  }
  void place(std::uint32_t application, AskSlot slot, std::uint32_t node) {
    const StagedContainer container{slot, NodeId(node)};
    ASSERT_TRUE(engine_->stage(now_, {ApplicationId(application), {}, std::span(&container, 1)},
                               commands_));
  }
  // Of two machines with room for two units each.
  void fill() {
    submit(plain_job(0, {}, 4, seconds(1)));
    for (const std::uint32_t node : {0u, 0u, 1u, 1u}) place(0, 0, node);
  }
};

TEST_F(StallAnalysisTest, JobsThatHaveRoomAndAreNotServedAreOfNoKnownKind) {
  submit(plain_job(7, {}, 1, seconds(1)));
  const Stall stall = explain_stall(*engine_);
  EXPECT_EQ(stall.kind, StallKind::unknown);
  ASSERT_EQ(stall.jobs.size(), 1u);
  EXPECT_EQ(stall.jobs[0].job, JobId(7u));
  EXPECT_EQ(stall.jobs[0].kind, StallKind::unknown);
  EXPECT_EQ(stall.jobs[0].reasons.at(0).first, "its_turn");
  EXPECT_EQ(stall.capacity, engine_->cluster().capacity);
  ASSERT_EQ(stall.reasons.size(), 1u);
  EXPECT_EQ(stall.reasons[0].first, JobId(7u));
}

// What no machine could hold that ever joined ends its application at once; this one leaves later.
TEST_F(StallAnalysisTest, AnAskForMoreThanAnyMachineHasIsTooLarge) {
  join(2, 8);
  submit(plain_job(0, {}, 1, seconds(1)));
  ask(0, {.slot = 0, .demand = {3'000, 1'024}, .pending = 1});
  arrive(NodeLost{NodeId(2u)});
  EXPECT_EQ(explain_stall(*engine_).kind, StallKind::ask_too_large);
}

TEST_F(StallAnalysisTest, AnAskForOnlyAPlaceThatCouldNotHoldItIsOneOfPlaces) {
  join(2, 8);
  submit(plain_job(0, {}, 1, seconds(1)));
  ask(0, {.slot = 0,
          .demand = {3'000, 1'024},
          .pending = 1,
          .relax_locality = false,
          .nodes = {{NodeId(1u), 1}}});
  const Stall stall = explain_stall(*engine_);
  EXPECT_EQ(stall.kind, StallKind::places);
  EXPECT_EQ(stall.jobs.at(0).units_in_empty, 0u);
}

TEST_F(StallAnalysisTest, AGangOfMoreUnitsThanAllMachinesHoldIsTooLarge) {
  join(2, 2);
  submit(plain_job(0, {}, 1, seconds(1)));
  ask(0,
      {.slot = 1, .priority = -1, .demand = {1'000, 1'024}, .pending = 5, .kind = StageKind::gang});
  arrive(NodeLost{NodeId(2u)});
  const Stall stall = explain_stall(*engine_);
  EXPECT_EQ(stall.kind, StallKind::gang_too_large);
  EXPECT_EQ(stall.jobs.at(0).units, 5u);
  EXPECT_EQ(stall.jobs.at(0).units_in_empty, 4u);
}

TEST_F(StallAnalysisTest, WhatComesBehindAJobWaitsForItAndIsNoKindOfItsOwn) {
  join(2, 8);
  submit(plain_job(0, {}, 1, seconds(1)));
  ask(0, {.slot = 0, .demand = {3'000, 1'024}, .pending = 1});
  arrive(NodeLost{NodeId(2u)});
  submit(plain_job(1, {}, 1, seconds(1)));
  const Stall stall = explain_stall(*engine_);
  EXPECT_EQ(stall.kind, StallKind::ask_too_large);
  ASSERT_EQ(stall.kinds.size(), 1u);
  EXPECT_EQ(stall.kinds[0].jobs, 1u);
  ASSERT_EQ(stall.jobs.size(), 2u);
  EXPECT_FALSE(stall.jobs[1].kind);
  EXPECT_THAT(stall.jobs[1].waits_for, ElementsAre(JobId(0u)));
}

TEST_F(StallAnalysisTest, AJobThatHoldsNothingWaitsForThoseThatHoldTheRoom) {
  fill();
  submit(plain_job(1, {}, 1, seconds(1)));
  const Stall stall = explain_stall(*engine_);
  EXPECT_EQ(stall.tasks, 4u);
  EXPECT_EQ(stall.held_by_tasks, Resources(4'000, 4'096));
  ASSERT_EQ(stall.jobs.size(), 2u);
  EXPECT_EQ(stall.jobs[0].kind, StallKind::held_tasks) << "it asks for more, and holds the room";
  EXPECT_FALSE(stall.jobs[1].kind);
  EXPECT_THAT(stall.jobs[1].waits_for, ElementsAre(JobId(0u)));
}

TEST_F(StallAnalysisTest, WithoutMachinesInServiceThatIsTheKind) {
  submit(plain_job(0, {}, 1, seconds(1)));
  arrive(NodeLost{NodeId(0u)});
  arrive(NodeLost{NodeId(1u)});
  EXPECT_EQ(explain_stall(*engine_).kind, StallKind::no_machines);
}

TEST_F(StallAnalysisTest, IsBoundedHoweverManyJobsAreOpen) {
  fill();
  for (std::uint32_t job = 1; job < 1'200; ++job) submit(plain_job(job, {}, 1, seconds(1)));
  const Stall stall = explain_stall(*engine_);
  EXPECT_EQ(stall.jobs.size(), Stall::jobs_max);
  EXPECT_EQ(stall.jobs_more, 1'200 - Stall::jobs_max);
  for (const StalledJob& job : stall.jobs) {
    EXPECT_LE(job.waits_for.size(), Stall::waits_for_max);
  }
}

TEST_F(StallAnalysisTest, KindsHaveNamesThatAreFoundAgain) {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(StallKind::unknown); ++i) {
    const auto kind = static_cast<StallKind>(i);
    EXPECT_EQ(stall_kind_of(name(kind)), kind);
    EXPECT_FALSE(title(kind).empty());
  }
  EXPECT_EQ(stall_kind_of("hunger"), std::nullopt);
}

}  // namespace
}  // namespace tracebed
