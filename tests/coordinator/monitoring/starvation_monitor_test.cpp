// How long queues wait for their share, on clusters small enough to be worked out by hand.
#include "coordinator/monitoring/starvation_monitor.h"

#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"

namespace tracebed {
namespace {

using namespace doubles;

// Places as FirstFit does, and tells of two leaves: "root.a" has the jobs of queue 0 and is
// entitled to `share` of one machine's memory, "root.b" those of queue 1 and the rest.
class TwoQueues final : public Scheduler {
 public:
  TwoQueues(std::int64_t share, LimitedDimensions limits) : limits_(limits), share_(share) {}

  void decide(const SchedulerInput& input, Decisions& decisions) override {
    first_fit_.decide(input, decisions);
  }
  LimitedDimensions limited_dimensions() const override { return limits_; }
  HeartbeatInterest heartbeat_interest() const override { return {}; }
  SchedulerView view(const ClusterModel& cluster) const override {
    ++views;
    SchedulerView view;
    view.queues = {leaf("root.a", share_), leaf("root.b", 4'096 - share_)};
    for (QueueView& queue : view.queues) queue.entitled[0] = entitled_milli_vcores;
    cluster.applications.for_each([&](ApplicationId id, const Application& application) {
      view.queues[application.queue.index()].active.push_back(id);
    });
    return view;
  }

  mutable int views = 0;
  std::int64_t entitled_milli_vcores = 0;

 private:
  static QueueView leaf(const std::string& path, std::int64_t memory) {
    QueueView view;
    view.queue = {.path = path, .is_leaf = true, .figures = {}};
    view.entitled = Resources(0, memory);
    return view;
  }

  FirstFit first_fit_;
  LimitedDimensions limits_;
  std::int64_t share_;
};

// One machine of four vcores and 4,096 MiB; a task takes one and 1,024.
class StarvationMonitorTest : public testing::Test {
 protected:
  void begin(std::int64_t share, TraceTime last_submit = trace_time(0),
             LimitedDimensions limits = LimitedDimensions::all(), std::int64_t milli_vcores = 0) {
    auto scheduler = std::make_unique<TwoQueues>(share, limits);
    scheduler_ = scheduler.get();
    scheduler_->entitled_milli_vcores = milli_vcores;
    engine_.emplace(
        EngineSetup{
            .scheduler = std::move(scheduler), .make_master = plain_master, .paranoid = true},
        records_);
    watch_.emplace(*engine_, last_submit);
    Round round;
    round.machines.push_back(plain_machine(4));
    round.arrivals.push_back(NodeJoined{NodeId(0u), 0});
    step(round);
    watch_->take(scheduler_->view(engine_->cluster()));
  }
  void submit(std::int64_t now, std::uint32_t queue, std::uint32_t tasks) {
    Round round;
    round.now = trace_time(now);
    Job& job = round.add_job();
    job = plain_job(jobs_++, round.now, tasks, seconds(1));
    job.queue = QueueId(queue);
    round.submit(0);
    step(round);
  }
  void end(std::int64_t now, std::uint32_t container) {
    Round round;
    round.now = trace_time(now);
    ContainerEnded ended{.container = ContainerId(container), .node = NodeId(0u)};
    ended.account.ended = round.now;
    round.arrivals.push_back(ended);
    step(round);
  }
  void step(Round& round) {
    engine_->step(round, commands_);
    watch_->after_round(round.now);
  }
  QueueStarvation starvation_of(const std::string& queue, std::int64_t at) const {
    for (const QueueStarvation& found : watch_->figures(trace_time(at)).queues) {
      if (found.queue == queue) return found;
    }
    return {};
  }

  Records records_;
  TwoQueues* scheduler_ = nullptr;  // the engine's
  std::optional<Engine> engine_;
  std::optional<StarvationMonitor> watch_;
  std::vector<Command> commands_;
  std::uint32_t jobs_ = 0;
};

// The first queue takes the whole machine at 1 s. The second, entitled to half, wants three at 2 s;
// it gets the first at 5 s and the second, with which it has its half, at 9 s. What it wants beyond
// that is no starvation.
TEST_F(StarvationMonitorTest, AQueueStarvesUntilItHasItsShare) {
  begin(2'048);
  submit(1'000'000, 0, 4);
  submit(2'000'000, 1, 3);
  end(5'000'000, 0);
  end(9'000'000, 1);
  const QueueStarvation starved = starvation_of("root.b", 9'000'000);
  EXPECT_EQ(starved.seconds.count, 1u);
  EXPECT_DOUBLE_EQ(starved.seconds.max, 7);
  EXPECT_DOUBLE_EQ(starved.unended, 0);
  EXPECT_EQ(starvation_of("root.a", 9'000'000), QueueStarvation());
  EXPECT_DOUBLE_EQ(watch_->figures(trace_time(9'000'000)).seen_within_seconds, 0);
}

// It wants one, and has it at 5 s, although it is entitled to two.
TEST_F(StarvationMonitorTest, AQueueStarvesUntilItHasAllItWants) {
  begin(2'048);
  submit(1'000'000, 0, 4);
  submit(2'000'000, 1, 1);
  end(5'000'000, 0);
  EXPECT_DOUBLE_EQ(starvation_of("root.b", 6'000'000).seconds.max, 3);
}

// Entitled to half a vcore, it cannot have a task of one within its share; unless vcores do not
// limit what is placed.
TEST_F(StarvationMonitorTest, AQueueStarvesForWhatLimitsWhatIsPlaced) {
  begin(2'048, trace_time(0), LimitedDimensions::all(), 500);
  submit(1'000'000, 0, 4);
  submit(2'000'000, 1, 1);
  EXPECT_EQ(starvation_of("root.b", 6'000'000), QueueStarvation());
}

TEST_F(StarvationMonitorTest, AQueueDoesNotLackVcoresThatAreNotCounted) {
  begin(2'048, trace_time(0), LimitedDimensions::all_but_vcores(), 500);
  submit(1'000'000, 0, 4);
  submit(2'000'000, 1, 1);
  EXPECT_DOUBLE_EQ(starvation_of("root.b", 6'000'000).unended, 4);
}

// Entitled to one and a half tasks' memory, it has its share with one.
TEST_F(StarvationMonitorTest, WhatDoesNotFitIntoTheShareIsNotMissed) {
  begin(4'096 - 1'536);
  submit(1'000'000, 0, 4);
  submit(2'000'000, 1, 2);
  end(5'000'000, 0);
  EXPECT_DOUBLE_EQ(starvation_of("root.b", 6'000'000).seconds.max, 3);
}

TEST_F(StarvationMonitorTest, WhoStillStarvesAtTheEndIsTold) {
  begin(2'048);
  submit(1'000'000, 0, 4);
  submit(2'000'000, 1, 1);
  EXPECT_DOUBLE_EQ(starvation_of("root.b", 12'000'000).unended, 10);
}

// With the last submission at 4,096 s a look costs a second, of which sixty-four are there from the
// beginning: what began at 2.5 s, after as many rounds, is seen at 3.1 s.
TEST_F(StarvationMonitorTest, OfManyRoundsNotAllAreLookedAt) {
  begin(2'048, trace_time(4'096'000'000));
  for (std::int64_t i = 0; i < 64; ++i) submit(2'000'000 + i, 0, 4);
  submit(2'500'000, 1, 1);
  submit(3'100'000, 0, 1);
  end(5'000'000, 0);
  const StarvationFigures figures = watch_->figures(trace_time(6'000'000));
  EXPECT_DOUBLE_EQ(figures.seen_within_seconds, 0.6);
  EXPECT_DOUBLE_EQ(starvation_of("root.b", 6'000'000).unended, 2.9);
}

// The scheduler's view is dear: one job of a user and queue tells where the next ones go.
TEST_F(StarvationMonitorTest, TheSchedulerIsAskedOnlyWhereAJobIsNew) {
  begin(2'048);
  const int before = scheduler_->views;
  for (std::uint32_t i = 0; i < 50; ++i) submit(1'000'000 + i, i % 2, 1);
  EXPECT_EQ(scheduler_->views, before + 2);
}

}  // namespace
}  // namespace tracebed
