// Bad luck for a scheduler: spoils some of its decisions, so that the engine refuses them, and now
// and then kills a running container in its name, until it has killed enough: bad luck for ever
// would leave no job the time to end.
#pragma once

#include <memory>
#include <vector>

#include "core/random.h"
#include "core/scheduler.h"

namespace tracebed {

class Meddler final : public Scheduler {
 public:
  Meddler(std::unique_ptr<Scheduler> scheduler, std::uint64_t seed, double spoil_chance,
          double kill_chance)
      : scheduler_(std::move(scheduler)),
        seed_(seed),
        random_(Random::stream(seed, "meddler")),
        spoil_chance_(spoil_chance),
        kill_chance_(kill_chance) {}

  void decide(const SchedulerInput& input, Decisions& decisions) override {
    proposed_.clear();
    scheduler_->decide(input, proposed_);
    for (const Decision& decision : proposed_.list()) {
      if (const auto* one = std::get_if<Allocate>(&decision)) {
        const NodeId nowhere(input.cluster.nodes.size());
        const bool is_spoilt = spoils(input.now, one->ask, one->node.value());
        decisions.allocate(one->ask, is_spoilt ? nowhere : one->node);
      } else if (const auto* gang = std::get_if<AllocateGang>(&decision)) {
        const auto pieces = proposed_.pieces(*gang);
        const bool is_spoilt = spoils(input.now, gang->ask, pieces.front().node.value());
        decisions.allocate_gang(gang->ask, is_spoilt ? pieces.first(pieces.size() - 1) : pieces);
      } else if (const auto* accept = std::get_if<Accept>(&decision)) {
        decisions.accept(accept->application);
      } else if (const auto* reject = std::get_if<Reject>(&decision)) {
        decisions.reject(reject->application, proposed_.reason(*reject));
      } else if (const auto* kill = std::get_if<Kill>(&decision)) {
        decisions.kill(kill->container, proposed_.reason(*kill));
      } else if (const auto* end = std::get_if<EndApplication>(&decision)) {
        decisions.end_application(end->application, proposed_.reason(*end));
      } else if (const auto* preempt = std::get_if<Preempt>(&decision)) {
        decisions.preempt(preempt->container, proposed_.terms(*preempt));
      } else if (const auto* withdrawn = std::get_if<WithdrawPreemption>(&decision)) {
        decisions.withdraw_preemption(withdrawn->container);
      } else {
        decisions.wake_at(std::get<WakeAt>(decision).at);
      }
    }
    if (kills_left_ > 0 && kill_chance_ > 0 && random_.chance(kill_chance_)) {
      kill_one(input.cluster, decisions);
    }
  }

  LimitedDimensions limited_dimensions() const override { return scheduler_->limited_dimensions(); }
  HeartbeatInterest heartbeat_interest() const override { return scheduler_->heartbeat_interest(); }
  bool reads_input_blocks() const override { return scheduler_->reads_input_blocks(); }
  std::vector<WaitingReason> why_waiting(const ClusterModel& cluster, ApplicationId application,
                                         AskId ask) const override {
    return scheduler_->why_waiting(cluster, application, ask);
  }
  Resources headroom(const ClusterModel& cluster, ApplicationId application) const override {
    return scheduler_->headroom(cluster, application);
  }
  std::string_view leaf_of(ApplicationId application) const override {
    return scheduler_->leaf_of(application);
  }
  Result<Resources> container_size(ApplicationId application,
                                   const Resources& demand) const override {
    return scheduler_->container_size(application, demand);
  }

 private:
  // Depends on the time and the decision, and not on what was asked before: whoever is asked more
  // often has the same bad luck.
  bool spoils(TraceTime now, AskId ask, std::uint32_t node) const {
    if (spoil_chance_ == 0) return false;
    const std::uint64_t place = (std::uint64_t{ask.value()} << 32) | node;
    Random random = Random::stream(
        seed_ ^ (static_cast<std::uint64_t>(to_microseconds(now)) * 0x9E3779B97F4A7C15u) ^ place,
        "spoilt");
    return random.chance(spoil_chance_);
  }

  void kill_one(const ClusterModel& cluster, Decisions& decisions) {
    running_.clear();
    cluster.containers.for_each([&](ContainerId id, const Container&) { running_.push_back(id); });
    if (running_.empty()) return;
    --kills_left_;
    decisions.kill(running_[random_.below(running_.size())], "bad luck");
  }

  std::unique_ptr<Scheduler> scheduler_;
  std::uint64_t seed_;
  Random random_;
  double spoil_chance_;
  double kill_chance_;
  int kills_left_ = 30;
  Decisions proposed_;
  std::vector<ContainerId> running_;
};

}  // namespace tracebed
