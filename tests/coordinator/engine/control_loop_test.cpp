// When a controller is called, what it sees, and how its changes reach the scheduler.
#include "coordinator/engine/control_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/engine/doubles.h"
#include "coordinator/engine/told_engine.h"

namespace tracebed {
namespace {

using doubles::FirstFit;
using doubles::plain_job;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Outcome = ControlOutcome;

// Wants what the test says, step by step; then nothing, every ten seconds.
class ScriptedController final : public Controller {
 public:
  struct Told {
    std::vector<ControllerInput> inputs;
    std::vector<std::int64_t> refused;
  };
  ScriptedController(std::vector<ControllerStep> steps, Told& told)
      : steps_(std::move(steps)), told_(told) {}

  ControllerStep step(const ControllerInput& input) override {
    told_.inputs.push_back(input);
    const std::size_t at = told_.inputs.size() - 1;
    return at < steps_.size() ? steps_[at] : ControllerStep{.next = seconds(10)};
  }
  void refused(std::int64_t in_force) override { told_.refused.push_back(in_force); }

 private:
  std::vector<ControllerStep> steps_;
  Told& told_;
};

// Takes settings, and refuses those with a share of one half.
class TakesShares final : public Scheduler {
 public:
  explicit TakesShares(std::vector<std::string>& taken) : taken_(taken) {}
  void decide(const SchedulerInput& input, Decisions& decisions) override {
    first_fit_.decide(input, decisions);
  }
  HeartbeatInterest heartbeat_interest() const override { return {}; }
  std::string_view leaf_of(ApplicationId application) const override {
    return application.index() % 2 == 0 ? "root.a" : "root.b";
  }
  Status reconfigure(const SchedulerParameters& parameters, const ClusterModel&) override {
    const std::string& share = parameters.settings.at("share");
    if (share == "500000") return Error{"no halves"};
    taken_.push_back(share);
    return success();
  }

 private:
  FirstFit first_fit_;
  std::vector<std::string>& taken_;
};

class ControlledEngine : public doubles::ToldEngine {
 protected:
  ControlledEngine() {
    EngineSetup setup;
    setup.scheduler = std::make_unique<TakesShares>(taken_);
    setup.make_master = doubles::plain_master;
    setup.paranoid = true;
    setup.read_configuration = [](const SchedulerConfiguration& given) {
      SchedulerParameters parameters;
      parameters.settings = given.settings;
      return Result<SchedulerParameters>(std::move(parameters));
    };
    engine_ = std::make_unique<Engine>(std::move(setup), records_);
  }
  void control(std::vector<ControllerStep> steps, ControlLoopOptions options = {}) {
    if (options.queue.empty()) options.queue = "root.a";
    loop_.emplace(
        *engine_, std::make_unique<ScriptedController>(std::move(steps), told_), options, 100'000,
        [this](std::int64_t share) -> Result<SchedulerConfiguration> {
          if (share == 300'000) return Error{"no file"};
          return SchedulerConfiguration{{{"share", std::to_string(share)}}, {}};
        },
        [this](const ControlChange& change) { changes_.push_back(change); });
  }
  // As the replay's loop has it.
  void pass_to(Duration since_start) {
    const TraceTime until = TraceTime(since_start);
    while (loop_->next_due() <= until) round_at(loop_->next_due());
    round_at(until);
  }
  void round_at(TraceTime at_time) {
    now_ = std::max(now_, at_time);
    Round round = at();
    loop_->add_due(round);
    step(round);
    loop_->after_round(now_);
  }
  void submit_now(std::uint32_t job, std::uint32_t tasks) {
    Round round = at();
    loop_->add_due(round);
    round.add_job() = plain_job(job, now_, tasks, seconds(100));
    round.submit(0);
    step(round);
    loop_->after_round(now_);
  }
  std::vector<std::int64_t> seen_at() const {
    std::vector<std::int64_t> all;
    for (const ControllerInput& input : told_.inputs) {
      all.push_back(to_microseconds(input.now) / 1'000'000);
    }
    return all;
  }

  std::vector<std::string> taken_;
  ScriptedController::Told told_;
  std::vector<ControlChange> changes_;
  std::optional<ControlLoop> loop_;
};

TEST_F(ControlledEngine, IsLookedAtFromTheFirstSubmissionAtTheTimesThatTheControllerAsksFor) {
  control({{.next = seconds(3)}, {.next = seconds(5)}});
  EXPECT_EQ(loop_->next_due(), never);
  pass_to(seconds(7));
  EXPECT_THAT(told_.inputs, IsEmpty());
  submit_now(0, 1);
  pass_to(seconds(20));
  EXPECT_THAT(seen_at(), ElementsAre(7, 10, 15));
}

TEST_F(ControlledEngine, MayBeLookedAtFromTheBeginning) {
  control({}, {.queue = "", .latency = {}, .start = ControlLoopOptions::Start::run});
  pass_to(seconds(25));
  EXPECT_THAT(seen_at(), ElementsAre(0, 10, 20));
}

// Four GiB on a machine, and one on another; applications 0 and 2 are in root.a, 1 in root.b.
TEST_F(ControlledEngine, ShowsPendingAndRunningApplicationsOfTheQueueAndTheClustersMemory) {
  join(0, 4);
  join(1, 1);
  submit(plain_job(0, now_, 2, seconds(100)));
  submit(plain_job(1, now_, 3, seconds(100)));
  submit(plain_job(2, now_, 1, seconds(100)));
  const ControllerInput a = observe(*engine_, "root.a");
  EXPECT_EQ(a.pending, 1u);
  EXPECT_EQ(a.running, 1u);
  EXPECT_EQ(a.memory_total_mib, 5 * 1024);
  EXPECT_EQ(a.memory_used_mib, 5 * 1024);
  EXPECT_EQ(a.queue_used_mib, 2 * 1024);
  EXPECT_EQ(a.masters_mib, 0);  // they run in the engine
  const ControllerInput b = observe(*engine_, "root.b");
  EXPECT_EQ(b.pending, 0u);
  EXPECT_EQ(b.running, 1u);
  EXPECT_EQ(b.queue_used_mib, 3 * 1024);
  const ControllerInput none = observe(*engine_, "root.c");
  EXPECT_EQ(none.pending + none.running, 0u);
  EXPECT_EQ(none.memory_used_mib, 5 * 1024);
}

TEST_F(ControlledEngine, GetsAChangeAfterItsLatency) {
  control({{.value = 600'000, .next = seconds(10)}}, {.queue = "", .latency = seconds(2)});
  submit_now(0, 1);
  pass_to(milliseconds(1'999));
  EXPECT_THAT(taken_, IsEmpty());
  EXPECT_EQ(loop_->next_due(), TraceTime(seconds(2)));
  pass_to(seconds(2));
  EXPECT_THAT(taken_, ElementsAre("600000"));
  ASSERT_EQ(changes_.size(), 1u);
  EXPECT_EQ(changes_[0].outcome, Outcome::taken);
  EXPECT_EQ(changes_[0].before, 100'000);
  EXPECT_EQ(changes_[0].wanted, 600'000);
  EXPECT_EQ(changes_[0].due, TraceTime(seconds(2)));
}

// By the scheduler, by whoever makes the configuration, and by the loop itself.
TEST_F(ControlledEngine, KeepsTheShareInForceWhenAChangeIsRefused) {
  control({{.value = 600'000, .next = seconds(1)},
           {.value = 500'000, .next = seconds(1)},
           {.value = 300'000, .next = seconds(1)},
           {.value = 1'000'001, .next = seconds(1)},
           {.value = -1, .next = seconds(1)}});
  submit_now(0, 1);
  pass_to(seconds(10));
  EXPECT_THAT(taken_, ElementsAre("600000"));
  EXPECT_THAT(told_.refused, ElementsAre(600'000, 600'000, 600'000, 600'000));
  ASSERT_EQ(changes_.size(), 5u);
  EXPECT_EQ(changes_[1].reason, "no halves");
  EXPECT_EQ(changes_[2].reason, "no file");
  EXPECT_EQ(changes_[3].reason, "expected a share from 0 to 1, got 1000001 millionths");
  for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(changes_[i].outcome, Outcome::refused);
}

TEST_F(ControlledEngine, DropsAChangeThatAnotherOvertakesOrThatTheEndOfTheRunDoes) {
  control({{.value = 600'000, .next = seconds(1)},
           {.value = 700'000, .next = seconds(1)},
           {.next = seconds(9)},
           {.value = 800'000, .next = seconds(1)}},
          {.queue = "", .latency = seconds(5)});
  submit_now(0, 1);
  pass_to(seconds(11));
  EXPECT_THAT(taken_, ElementsAre("700000"));
  loop_->stop();
  EXPECT_EQ(loop_->next_due(), never);
  std::vector<Outcome> outcomes;
  for (const ControlChange& change : changes_) outcomes.push_back(change.outcome);
  EXPECT_THAT(outcomes, ElementsAre(Outcome::dropped, Outcome::taken, Outcome::dropped));
}

}  // namespace
}  // namespace tracebed
