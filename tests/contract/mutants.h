// Schedulers with defects that the suites must find, each around a sound one.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include "core/scheduler.h"

namespace tracebed {

// Passes everything on.
class Mutant : public Scheduler {
 public:
  explicit Mutant(std::unique_ptr<Scheduler> sound) : sound_(std::move(sound)) {}

  void decide(const SchedulerInput& input, Decisions& decisions) override {
    sound_->decide(input, decisions);
  }
  LimitedDimensions limited_dimensions() const override { return sound_->limited_dimensions(); }
  HeartbeatInterest heartbeat_interest() const override { return sound_->heartbeat_interest(); }
  bool reads_input_blocks() const override { return sound_->reads_input_blocks(); }
  Result<Resources> container_size(ApplicationId application,
                                   const Resources& demand) const override {
    return sound_->container_size(application, demand);
  }

 private:
  std::unique_ptr<Scheduler> sound_;
};

struct TimedJobStarted : std::logic_error {
  TimedJobStarted() : std::logic_error("a job whose run time was requested starts") {}
};

// Fails where it places a job whose user stated how long it runs.
class FailsAtTimedJobs final : public Mutant {
 public:
  using Mutant::Mutant;
  void decide(const SchedulerInput& input, Decisions& decisions) override {
    Mutant::decide(input, decisions);
    for (const Decision& decision : decisions.list()) {
      if (const auto* one = std::get_if<Allocate>(&decision)) check(input.cluster, one->ask);
      if (const auto* gang = std::get_if<AllocateGang>(&decision)) check(input.cluster, gang->ask);
    }
  }

 private:
  static void check(const ClusterModel& cluster, AskId id) {
    const Ask* ask = cluster.asks.find(id);
    if (ask == nullptr) return;
    if (cluster.applications[ask->application].requested_time > Duration::zero()) {
      throw TimedJobStarted();
    }
  }
};

// States that no heartbeat matters, which is true of a scheduler that places whenever it can, as
// long as nothing is refused.
class StatesNoInterest final : public Mutant {
 public:
  using Mutant::Mutant;
  HeartbeatInterest heartbeat_interest() const override { return {.any = false, .minimum = {}}; }
};

// States that no heartbeat matters once an event of this kind came, until it places something.
template <class Event>
class DeafAfter final : public Mutant {
 public:
  using Mutant::Mutant;
  void decide(const SchedulerInput& input, Decisions& decisions) override {
    for (const SchedulerEvent& event : input.events) {
      is_deaf_ |= std::holds_alternative<Event>(event);
    }
    Mutant::decide(input, decisions);
    for (const Decision& decision : decisions.list()) {
      const bool places = std::holds_alternative<Allocate>(decision) ||
                          std::holds_alternative<AllocateGang>(decision);
      if (places) is_deaf_ = false;
    }
  }
  HeartbeatInterest heartbeat_interest() const override {
    return is_deaf_ ? HeartbeatInterest{} : Mutant::heartbeat_interest();
  }

 private:
  bool is_deaf_ = false;
};

// States that no heartbeat matters while containers are wanted back.
class DeafWhilePreempting final : public Mutant {
 public:
  using Mutant::Mutant;
  void decide(const SchedulerInput& input, Decisions& decisions) override {
    Mutant::decide(input, decisions);
    for (const Decision& decision : decisions.list()) {
      is_preempting_ |= std::holds_alternative<Preempt>(decision);
    }
  }
  HeartbeatInterest heartbeat_interest() const override {
    return is_preempting_ ? HeartbeatInterest{} : Mutant::heartbeat_interest();
  }

 private:
  bool is_preempting_ = false;
};

}  // namespace tracebed
