// What a scheduler's decisions in a story cost: CPU time of decide(). Each story is played twice,
// with the scheduler and with its decisions read from a list; the difference is what deciding cost.
// So neither the minimal cluster model that commits nor other work on the machine counts, and no
// clock is read within. `hash` is that of all decisions: the same on every machine and build type.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <time.h>
#include <vector>

#include "schedulers/policy_harness.h"

namespace tracebed {

inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Keeps a copy of each call's decisions.
class Recorder final : public Scheduler {
 public:
  Recorder(std::unique_ptr<Scheduler> scheduler, std::vector<Decisions>& calls)
      : scheduler_(std::move(scheduler)), calls_(calls) {}
  LimitedDimensions limited_dimensions() const override { return scheduler_->limited_dimensions(); }
  void decide(const SchedulerInput& input, Decisions& decisions) override {
    scheduler_->decide(input, decisions);
    calls_.push_back(decisions);
  }

 private:
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<Decisions>& calls_;
};

class DecisionPlayer final : public Scheduler {
 public:
  DecisionPlayer(LimitedDimensions limits, std::vector<Decisions>& calls)
      : limits_(limits), calls_(calls) {}
  LimitedDimensions limited_dimensions() const override { return limits_; }
  void decide(const SchedulerInput&, Decisions& decisions) override {
    decisions = std::move(calls_[next_++]);
  }

 private:
  LimitedDimensions limits_;
  std::vector<Decisions>& calls_;
  std::size_t next_ = 0;
};

// What one playing of a story measured: from begin() to end().
struct Playing {
  double seconds = 0;
  std::uint64_t units = 0;
  std::uint64_t calls = 0;
  std::string hash;

  void begin(const PolicyHarness& harness) {
    calls = harness.calls();
    seconds = cpu_seconds();
  }
  void end(const PolicyHarness& harness, std::uint64_t units_placed) {
    seconds = cpu_seconds() - seconds;
    calls = harness.calls() - calls;
    units = units_placed;
    hash = harness.digest().to_string();
  }
};

struct StoryCost {
  Playing whole;
  double seconds = 0;        // of deciding
  double model_seconds = 0;  // of the rest
  // A difference of two measurements tells nothing where it is small beside either.
  bool is_too_little() const { return seconds < 0.1 * model_seconds; }
};

// `make` makes the scheduler, each time anew; `story` plays it in a harness.
inline StoryCost cost_of(const std::function<std::unique_ptr<Scheduler>()>& make,
                         const std::function<void(PolicyHarness&, Playing&)>& story) {
  const auto play = [&](Scheduler& scheduler) {
    PolicyHarness harness(scheduler);
    Playing playing;
    story(harness, playing);
    return playing;
  };
  std::vector<Decisions> calls;
  Recorder recorder(make(), calls);
  play(recorder);
  DecisionPlayer player(recorder.limited_dimensions(), calls);
  const Playing model_alone = play(player);
  const std::unique_ptr<Scheduler> scheduler = make();
  StoryCost cost;
  cost.whole = play(*scheduler);
  cost.model_seconds = model_alone.seconds;
  cost.seconds = cost.whole.seconds - model_alone.seconds;
  return cost;
}

}  // namespace tracebed
