#include "coordinator/runner/replay_pool.h"

#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <latch>
#include <thread>

#include "core/input_error.h"

namespace tracebed {
namespace {

using ::testing::ElementsAre;

// Takes everything down; what it is asked, a test may set before.
class Listener final : public RunObserver, public RunRequests {
 public:
  bool should_continue() override {
    if (interrupts) throw RunInterrupted();
    if (breaks) throw EnvironmentError("the observer cannot go on");
    return !cancels;
  }
  void progressed(const RunProgress& progress) override {
    told.push_back("progress of " + progress.scheduler);
    done = progress.done;
  }
  RunRequests* requests() override { return this; }
  bool wants_snapshot() override { return wants_one; }
  void shown(RunSnapshot snapshot) override {
    told.push_back("snapshot of " + snapshot.scheduler.label);
  }
  void warned(const std::string& message) override { told.push_back(message); }
  std::optional<NumberedChange> requested_change() override {
    if (!wish) return std::nullopt;
    return NumberedChange{1, *std::exchange(wish, std::nullopt)};
  }
  void joined(const std::string& node) override { told.push_back("node " + node); }
  void changed(const ChangeOutcome& outcome) override { told.push_back(outcome.text); }
  void configured(const EffectiveConfiguration& configuration) override {
    told.push_back("configuration of " + configuration.scheduler);
  }

  std::atomic<bool> cancels = false;
  std::atomic<bool> interrupts = false;
  std::atomic<bool> breaks = false;
  std::atomic<bool> wants_one = false;
  std::optional<RequestedChange> wish;
  std::vector<std::string> told;
  double done = 0;
};

// Labelled a, b, …
const std::vector<ScheduledConfigurations>& lettered_schedulers() {
  static const std::vector<ScheduledConfigurations> all = [] {
    std::vector<ScheduledConfigurations> schedulers(26);
    for (std::size_t i = 0; i < schedulers.size(); ++i) {
      schedulers[i].scheduler.label = std::string(1, static_cast<char>('a' + i));
    }
    return schedulers;
  }();
  return all;
}

std::vector<ReplayPlan> lettered_plans(std::uint32_t count) {
  std::vector<ReplayPlan> plans(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    plans[i].position = i + 1;
    plans[i].replays = count;
    plans[i].configurations = &lettered_schedulers()[i];
  }
  return plans;
}

FinishedReplay ended_replay(const ReplayPlan& plan, RunOutcome outcome = RunOutcome::complete) {
  FinishedReplay replay;
  replay.label = plan.scheduler().label;
  replay.outcome = outcome;
  return replay;
}

// As a replay does that goes on until it is told to end.
FinishedReplay run_until_cancelled(const ReplayPlan& plan, RunObserver& observer) {
  while (observer.should_continue()) std::this_thread::yield();
  return ended_replay(plan, RunOutcome::cancelled);
}

std::vector<std::string> labels(const std::vector<FinishedReplay>& replays) {
  std::vector<std::string> labels;
  for (const FinishedReplay& replay : replays) labels.push_back(replay.label);
  return labels;
}

void pass_over(const std::vector<FinishedReplay>&) {}

TEST(ReplayPool, TellsWhatReplaysDoInTheirOrderWhicheverIsFirst) {
  const std::vector<ReplayPlan> plans = lettered_plans(3);
  Listener listener;
  std::latch others_are_done(2);
  const auto run = [&](const ReplayPlan& plan, RunObserver& observer) {
    if (plan.position == 1) others_are_done.wait();
    observer.warned("warning of " + plan.scheduler().label);
    RunProgress progress;
    progress.scheduler = plan.scheduler().label;
    progress.replays = 3;
    progress.jobs = 10;
    progress.jobs_ended = 10;
    observer.progressed(progress);
    if (plan.position > 1) others_are_done.count_down();
    return ended_replay(plan);
  };
  const auto finished = ReplayPool(3, run, pass_over).run(plans, listener);
  EXPECT_THAT(labels(finished), ElementsAre("a", "b", "c"));
  EXPECT_THAT(listener.told, ElementsAre("warning of a", "progress of a", "warning of b",
                                         "progress of b", "warning of c", "progress of c"));
  EXPECT_DOUBLE_EQ(listener.done, 1);
}

// All replays keep what a snapshot needs; the one whose turn it is shows itself.
TEST(ReplayPool, PassesRequestsForSnapshotsToTheReplayWhoseTurnItIs) {
  Listener listener;
  listener.wants_one = true;
  std::latch both_run(2);
  const auto run = [&](const ReplayPlan& plan, RunObserver& observer) {
    RunRequests& requests = *observer.requests();
    EXPECT_EQ(requests.wants_snapshot(), plan.position == 1);
    both_run.arrive_and_wait();
    if (plan.position == 1) {
      RunSnapshot snapshot;
      snapshot.scheduler.label = plan.scheduler().label;
      requests.shown(std::move(snapshot));
    }
    return ended_replay(plan);
  };
  ReplayPool(2, run, pass_over).run(lettered_plans(2), listener);
  EXPECT_THAT(listener.told, ElementsAre("snapshot of a"));
}

TEST(ReplayPool, AnswersForAReplayWhenItIsItsTurn) {
  Listener listener;
  std::latch second_is_done(1);
  const auto run = [&](const ReplayPlan& plan, RunObserver& observer) {
    if (plan.position == 1) second_is_done.wait();
    const std::string& label = plan.scheduler().label;
    observer.requests()->configured({label, false, {}});
    observer.requests()->changed({1, true, {}, "change of " + label});
    if (plan.position == 2) second_is_done.count_down();
    return ended_replay(plan);
  };
  ReplayPool(2, run, pass_over).run(lettered_plans(2), listener);
  EXPECT_THAT(listener.told, ElementsAre("configuration of a", "change of a", "change of b",
                                         "configuration of b"));
}

TEST(ReplayPool, ReplaysTakeNoRequestsWhereTheExperimentTakesNone) {
  class Silent final : public RunObserver {
    bool should_continue() override { return true; }
    void progressed(const RunProgress&) override {}
    void warned(const std::string&) override {}
  };
  Silent observer;
  const auto run = [](const ReplayPlan& plan, RunObserver& of_one) {
    EXPECT_EQ(of_one.requests(), nullptr);
    return ended_replay(plan);
  };
  ReplayPool(2, run, pass_over).run(lettered_plans(2), observer);
}

TEST(ReplayPool, SaysAfterEachReplayWhichHaveEnded) {
  std::vector<std::size_t> counts;
  const auto note = [&](const std::vector<FinishedReplay>& so_far) {
    counts.push_back(so_far.size());
  };
  Listener listener;
  const auto run = [](const ReplayPlan& plan, RunObserver&) { return ended_replay(plan); };
  ReplayPool(2, run, note).run(lettered_plans(5), listener);
  EXPECT_THAT(counts, ElementsAre(1, 2, 3, 4, 5));
}

TEST(ReplayPool, TheFirstFailureEndsTheOthersAndNoneBeginsAfterIt) {
  std::latch both_run(2);
  const auto run = [&](const ReplayPlan& plan, RunObserver& observer) {
    both_run.arrive_and_wait();
    if (plan.position == 1) return run_until_cancelled(plan, observer);
    FinishedReplay failed = ended_replay(plan, RunOutcome::failed);
    failed.failure = std::make_exception_ptr(EnvironmentError("the disk is full"));
    return failed;
  };
  Listener listener;
  const auto finished = ReplayPool(2, run, pass_over).run(lettered_plans(4), listener);
  ASSERT_THAT(labels(finished), ElementsAre("a", "b"));
  EXPECT_EQ(finished[0].outcome, RunOutcome::cancelled);
  EXPECT_NE(finished[1].failure, nullptr);
}

TEST(ReplayPool, WhatARunThrowsIsThrownOnWhenAllHaveEnded) {
  std::atomic<int> running = 0;
  std::latch both_run(2);
  const auto run = [&](const ReplayPlan& plan, RunObserver& observer) {
    ++running;
    both_run.arrive_and_wait();
    if (plan.position == 2) {
      --running;
      throw InputError("no such trace");
    }
    FinishedReplay replay = run_until_cancelled(plan, observer);
    --running;
    return replay;
  };
  Listener listener;
  EXPECT_THROW(ReplayPool(2, run, pass_over).run(lettered_plans(4), listener), InputError);
  EXPECT_EQ(running, 0);
}

TEST(ReplayPool, CancellingEndsAllThatRun) {
  Listener listener;
  std::latch both_run(2);
  const auto run = [&](const ReplayPlan& plan, RunObserver& observer) {
    both_run.arrive_and_wait();
    listener.cancels = true;
    return run_until_cancelled(plan, observer);
  };
  const auto finished = ReplayPool(2, run, pass_over).run(lettered_plans(4), listener);
  ASSERT_THAT(labels(finished), ElementsAre("a", "b"));
  EXPECT_EQ(finished[0].outcome, RunOutcome::cancelled);
  EXPECT_EQ(finished[1].outcome, RunOutcome::cancelled);
}

TEST(ReplayPool, AnInterruptionIsThrownWhereReplaysAskWhetherTheyGoOn) {
  Listener listener;
  std::atomic<int> thrown = 0;
  const auto run = [&](const ReplayPlan& plan, RunObserver& observer) {
    listener.interrupts = true;
    try {
      return run_until_cancelled(plan, observer);
    } catch (const RunInterrupted&) {
      ++thrown;
      throw;
    }
  };
  EXPECT_THROW(ReplayPool(2, run, pass_over).run(lettered_plans(2), listener), RunInterrupted);
  EXPECT_GE(thrown, 1);
}

TEST(ReplayPool, WhatTheObserverThrowsIsThrownOnWhenAllHaveEnded) {
  Listener listener;
  std::latch both_run(2);
  std::atomic<int> ended = 0;
  const auto run = [&](const ReplayPlan& plan, RunObserver& observer) {
    both_run.arrive_and_wait();
    listener.breaks = true;
    const FinishedReplay replay = run_until_cancelled(plan, observer);
    ++ended;
    return replay;
  };
  EXPECT_THROW(ReplayPool(2, run, pass_over).run(lettered_plans(3), listener), EnvironmentError);
  EXPECT_EQ(ended, 2);
}

TEST(ReplayPool, AChangeIsTheFirstOnesThatRuns) {
  Listener listener;
  listener.wish = RequestedRefresh{"config", "<configuration/>"};
  std::atomic<std::uint32_t> taker = 0;
  std::latch both_run(2);
  const auto run = [&](const ReplayPlan& plan, RunObserver& observer) {
    both_run.arrive_and_wait();
    while (taker == 0) {
      if (observer.requests()->requested_change()) taker = plan.position;
      std::this_thread::yield();
    }
    return ended_replay(plan);
  };
  ReplayPool(2, run, pass_over).run(lettered_plans(2), listener);
  EXPECT_EQ(taker, 1u);
}

TEST(ChosenThreads, AreOneInRealWorldsAndAsManyAsTheExperimentSaysInTheVirtual) {
  Experiment experiment;
  experiment.simulated.parallel = 7;
  EXPECT_EQ(chosen_threads(experiment), 7u);
  experiment.simulated.parallel.reset();
  EXPECT_GE(chosen_threads(experiment), 1u);
  experiment.simulated.parallel = 7;
  experiment.world = World::local;
  EXPECT_EQ(chosen_threads(experiment), 1u);
}

}  // namespace
}  // namespace tracebed
