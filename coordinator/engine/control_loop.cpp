#include "coordinator/engine/control_loop.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace tracebed {

ControllerInput observe(const Engine& engine, std::string_view path) {
  const ClusterModel& cluster = engine.cluster();
  ControllerInput input;
  input.now = engine.now();
  input.memory_total_mib = cluster.capacity.memory_mib();
  input.memory_used_mib = input.memory_total_mib - cluster.free.memory_mib();
  const std::optional<LeafId> leaf = engine.leaves().find(path);
  cluster.applications.for_each([&](ApplicationId, const Application& application) {
    // An application's first container is its master's, and it has no other without that one.
    const bool runs = application.containers > 0;
    if (runs) input.masters_mib += application.master_demand.memory_mib();
    if (!leaf || application.leaf != *leaf) return;
    ++(runs ? input.running : input.pending);
    input.queue_used_mib += application.used.memory_mib();
  });
  return input;
}

ControlLoop::ControlLoop(const Engine& engine, std::unique_ptr<Controller> controller,
                         ControlLoopOptions options, std::int64_t share,
                         ShareConfiguration configuration, ControlObserver observer)
    : engine_(engine),
      controller_(std::move(controller)),
      options_(std::move(options)),
      configuration_(std::move(configuration)),
      observer_(std::move(observer)),
      in_force_(share) {
  if (options_.start == ControlLoopOptions::Start::run) {
    has_started_ = true;
    next_step_ = TraceTime{};
  }
}

TraceTime ControlLoop::next_due() const {
  return wanted_ ? std::min(next_step_, wanted_->due) : next_step_;
}

void ControlLoop::add_due(Round& round) {
  if (!wanted_ || wanted_->due > round.now) return;
  TRACEBED_CHECK(round.configurations.empty(), "a controller's change is the first of its round");
  ControlChange change = *std::exchange(wanted_, std::nullopt);
  Result<SchedulerConfiguration> configuration = configuration_(change.wanted);
  if (!configuration) {
    return end(std::move(change), ControlOutcome::refused, configuration.error().message);
  }
  round.arrivals.emplace_back(SchedulerRefreshed{0});
  round.configurations.push_back(std::move(*configuration));
  delivered_ = Delivered{std::move(change), engine_.refreshes().size()};
}

void ControlLoop::settle() {
  if (!delivered_) return;
  const auto [change, position] = *std::exchange(delivered_, std::nullopt);
  const std::string& refusal = engine_.refreshes()[position].refusal;
  if (!refusal.empty()) return end(change, ControlOutcome::refused, refusal);
  in_force_ = change.wanted;
  end(change, ControlOutcome::taken);
}

void ControlLoop::end(ControlChange change, ControlOutcome outcome, std::string reason) {
  change.outcome = outcome;
  change.reason = std::move(reason);
  if (outcome == ControlOutcome::refused) controller_->refused(in_force_);
  if (observer_) observer_(change);
}

void ControlLoop::take_step(TraceTime now) {
  const ControllerInput input = observe(engine_, options_.queue);
  const ControllerStep step = controller_->step(input);
  TRACEBED_CHECK(step.next > Duration::zero(), "a controller's next step is later than this one");
  next_step_ = now + step.next;
  if (!step.value) return;
  ControlChange change{.input = input,
                       .due = now + options_.latency,
                       .before = in_force_,
                       .wanted = *step.value,
                       .reason = {}};
  if (change.wanted < 0 || change.wanted > whole_share) {
    std::string reason =
        "expected a share from 0 to 1, got " + std::to_string(change.wanted) + " millionths";
    return end(std::move(change), ControlOutcome::refused, std::move(reason));
  }
  if (wanted_) end(*std::exchange(wanted_, std::nullopt), ControlOutcome::dropped);
  wanted_ = std::move(change);
}

void ControlLoop::after_round(TraceTime now) {
  settle();
  if (!has_started_ && engine_.counters().jobs_submitted > 0) {
    has_started_ = true;
    next_step_ = now;
  }
  if (now >= next_step_) take_step(now);
}

void ControlLoop::stop() {
  next_step_ = never;
  has_started_ = true;
  if (wanted_) end(*std::exchange(wanted_, std::nullopt), ControlOutcome::dropped);
}

}  // namespace tracebed
