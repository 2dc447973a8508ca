// Masters with the faults that an experiment can ask for, and machines that fail: what becomes of
// what they owe, and that it is counted.
#include <gtest/gtest.h>

#include "applications/hosting/master_host.h"
#include "coordinator/virtual/master_story.h"

namespace tracebed {
namespace {

using namespace master_story;

// Two jobs of two tasks; container 0 is the first one's master, and container 2 the first task of
// it, which is wanted back at 5 and taken by force at 10.
class FaultyMastersTest : public testing::Test {
 protected:
  static Outcome play_with(MasterFault fault) {
    MasterFaults faults;
    faults.part(fault) = 1;
    Story story;
    story.machines = {plain_machine(3, "a"), plain_machine(4, "b")};
    story.commands = {{.at = at_seconds(5),
                       .kind = AdministratorCommandKind::move,
                       .container = ContainerId(2u),
                       .grace = seconds(5)}};
    story.host = make_master_host({}, 1, seconds(1), faults);
    Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 2, seconds(30)),
                                              plain_job(1, at_seconds(0), 2, seconds(30))});
    EXPECT_EQ(outcome.result.outcome, RunOutcome::complete);
    for (const JobRecord& job : outcome.records.jobs) {
      EXPECT_EQ(job.outcome, JobOutcome::succeeded) << job.diagnostics;
    }
    EXPECT_EQ(outcome.records.jobs.size(), 2u);
    return outcome;
  }
  static void expect_that_it_was_forced(const Outcome& outcome) {
    ASSERT_EQ(outcome.records.preemptions.size(), 1u);
    EXPECT_EQ(outcome.records.preemptions[0].end, PreemptionEnd::forced);
    EXPECT_EQ(outcome.records.preemptions[0].ended, at_seconds(10));
  }
  static void expect_that_one_attempt_was_lost(const Outcome& outcome) {
    EXPECT_EQ(outcome.attempts_lost(), 1);
    EXPECT_EQ(outcome.masters().size(), 2u);
  }
};

TEST_F(FaultyMastersTest, OneWithoutFaultGivesBackInTime) {
  const Outcome outcome = play_with(MasterFault::none);
  ASSERT_EQ(outcome.records.preemptions.size(), 1u);
  EXPECT_EQ(outcome.records.preemptions[0].end, PreemptionEnd::given_up);
  expect_that_one_attempt_was_lost(outcome);
  const EngineCounters& counters = outcome.counters;
  EXPECT_EQ(counters.master_calls_repeated + counters.master_actions_late +
                counters.master_actions_repeated + counters.master_actions_foreign +
                counters.master_actions_refused + counters.masters_failed_during_preemption +
                outcome.garbage,
            0u);
}

TEST_F(FaultyMastersTest, WhatIsGivenBackTwiceIsTakenOnce) {
  const Outcome outcome = play_with(MasterFault::repeats);
  ASSERT_EQ(outcome.records.preemptions.size(), 1u);
  EXPECT_EQ(outcome.records.preemptions[0].end, PreemptionEnd::given_up);
  expect_that_one_attempt_was_lost(outcome);
  EXPECT_EQ(outcome.counters.master_calls_repeated, 1u);
  EXPECT_EQ(outcome.counters.master_calls_misplaced, 0u);
  EXPECT_EQ(outcome.counters.master_actions_late, 1u) << "it had ended by then";
}

TEST_F(FaultyMastersTest, AnAnswerAfterTheDeadlineChangesNothing) {
  const Outcome outcome = play_with(MasterFault::is_late);
  expect_that_it_was_forced(outcome);
  expect_that_one_attempt_was_lost(outcome);
  EXPECT_EQ(outcome.counters.master_actions_late, 1u);
}

TEST_F(FaultyMastersTest, NothingIsTakenFromOthersByOneThatNamesTheirs) {
  const Outcome outcome = play_with(MasterFault::answers_for_others);
  expect_that_it_was_forced(outcome);
  expect_that_one_attempt_was_lost(outcome);
  EXPECT_EQ(outcome.counters.master_actions_foreign, 2u);
}

TEST_F(FaultyMastersTest, GarbageIsRefusedAndItsAuthorStays) {
  const Outcome outcome = play_with(MasterFault::says_garbage);
  expect_that_it_was_forced(outcome);
  expect_that_one_attempt_was_lost(outcome);
  EXPECT_EQ(outcome.counters.master_actions_refused, 3u);
  EXPECT_EQ(outcome.garbage, 1u);
}

TEST_F(FaultyMastersTest, OneThatDiesOwingIsTriedAgainAndOwesNothing) {
  const Outcome outcome = play_with(MasterFault::dies);
  ASSERT_EQ(outcome.records.preemptions.size(), 1u);
  EXPECT_EQ(outcome.records.preemptions[0].end, PreemptionEnd::given_up);
  EXPECT_EQ(outcome.counters.masters_failed_during_preemption, 1u);
  const std::vector<AttemptRecord> masters = outcome.masters();
  ASSERT_EQ(masters.size(), 3u);
  EXPECT_EQ(masters[0].end, ContainerEnd::failed);
  EXPECT_EQ(masters[0].account.exit_code, 1);
  EXPECT_EQ(masters[0].account.ended, at_seconds(6));
}

// A master that ends well while it owes nothing is none that died owing, nor one whose machine
// failed.
TEST(MachinesThatFail, TakeWhatIsOwedWithThem) {
  Story story;
  story.masters.attempts_max = 1;
  story.machines = {plain_machine(2, "a"), plain_machine(4, "b")};
  story.changes = {{at_seconds(6), NodeId(1u), false}, {at_seconds(9), NodeId(1u), true}};
  story.commands = {{.at = at_seconds(5),
                     .kind = AdministratorCommandKind::drain,
                     .node = "b",
                     .grace = seconds(20)}};
  const Outcome outcome = play(std::move(story), {plain_job(0, at_seconds(0), 3, seconds(30))});
  EXPECT_EQ(outcome.counters.nodes_lost, 1u);
  EXPECT_EQ(outcome.counters.requested_lost, 2u);
  EXPECT_EQ(outcome.counters.masters_failed_during_preemption, 0u);
  ASSERT_EQ(outcome.records.preemptions.size(), 2u);
  for (const PreemptionRecord& record : outcome.records.preemptions) {
    EXPECT_EQ(record.end, PreemptionEnd::lost);
    EXPECT_EQ(record.ended, at_seconds(6));
  }
}

}  // namespace
}  // namespace tracebed
