#include "applications/hosting/calling_master.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/check.h"
#include "core/visit.h"

namespace tracebed {

CallingMaster::CallingMaster(std::unique_ptr<ApplicationMaster> master, ApplicationId application,
                             std::uint32_t attempt, Duration heartbeat_interval, MasterFault fault)
    : master_(std::move(master)),
      application_(application),
      attempt_(attempt),
      heartbeat_interval_(heartbeat_interval),
      faults_(fault) {
  TRACEBED_CHECK(heartbeat_interval > Duration::zero(), "heartbeats have a positive interval");
}

void CallingMaster::make_call(MasterCall& call) {
  TRACEBED_CHECK(next_call_ != never, "one call is under way at a time");
  spoils_next_call_ = false;
  next_call_ = never;
  if (repeated_) {
    call = *std::exchange(repeated_, std::nullopt);
    is_repeating_ = true;
    return;
  }
  call.application = application_;
  call.attempt = attempt_;
  call.sequence = ++sequence_;
  call.kind = sequence_ == 1 ? MasterCallKind::registration : MasterCallKind::allocation;
  // One place is kept for the end.
  const auto count = static_cast<std::ptrdiff_t>(std::min(outgoing_.size(), call_actions_max - 1));
  call.actions.assign(std::make_move_iterator(outgoing_.begin()),
                      std::make_move_iterator(outgoing_.begin() + count));
  outgoing_.erase(outgoing_.begin(), outgoing_.begin() + count);
  if (finish_ && outgoing_.empty()) {
    call.kind = MasterCallKind::unregistration;
    call.actions.emplace_back(*finish_);
    is_leaving_ = true;
  }
  if (outgoing_.empty() && faults_.repeats_call()) repeated_ = call;
}

void CallingMaster::take_answer(const MasterAnswer& answer) {
  const bool is_awaited = next_call_ == never && !has_ended_ && answer.sequence == sequence_;
  if (!is_awaited || answer.application != application_ || answer.attempt != attempt_) return;
  if (answer.is_dismissal || is_leaving_) {
    has_ended_ = true;
    return;
  }
  if (std::exchange(is_repeating_, false)) {
    next_call_ = next_after_repeat_;
    return;
  }
  const TraceTime now = answer.now;
  is_urgent_ = false;
  if (sequence_ == 1) {
    master_->start(now, actions_);
    collect(now);
  }
  for (const MasterNews& news : answer.news) {
    if (finish_) break;
    tell(now, news);
  }
  if (!finish_) add_faults(faults_.due(now));
  if (!finish_ && answer.preemption != preemption_) {
    preemption_ = answer.preemption;
    has_failed_ = faults_.dies_of(preemption_);
    if (has_failed_) return;
    report_preemptions(now);
  }
  if (!finish_ && heartbeat_at_ <= now) {
    heartbeat_at_ = never;
    master_->heartbeat(now, answer.headroom, actions_);
    collect(now);
  }
  const bool calls_at_once = is_urgent_ || answer.has_more || finish_.has_value();
  next_call_ = calls_at_once ? now : now + heartbeat_interval_;
  if (!repeated_) return;
  next_after_repeat_ = std::exchange(next_call_, now);
}

void CallingMaster::tell(TraceTime now, const MasterNews& news) {
  visit_all(
      news,
      [&](const Grant& grant) {
        HeldContainer& held = containers_[grant.container].held;
        held.container = grant.container;
        held.node = grant.node;
        held.resources = grant.resources;
        held.units = grant.units;
        faults_.granted(grant.container);
        master_->granted(now, grant, actions_);
      },
      [&](const AttemptEnd& end) {
        const auto found = containers_.find(end.container);
        if (found == containers_.end()) return;
        containers_.erase(found);
        master_->attempt_ended(now, end, actions_);
      },
      [&](const AttemptProgress& progress) {
        if (containers_.contains(progress.container)) master_->progressed(now, progress, actions_);
      },
      [&](const NodeGone& gone) { master_->node_lost(now, gone.node, actions_); });
  collect(now);
}

void CallingMaster::report_preemptions(TraceTime now) {
  std::vector<HeldContainer> held;
  for (const auto& [id, container] : containers_) {
    if (container.is_launched) held.push_back(container.held);
  }
  master_->preempted(now, preemption_, held, actions_);
  MasterActions besides = faults_.spoil(preemption_, actions_);
  collect(now);
  spoils_next_call_ = faults_.spoils_call();
  add_faults(std::move(besides));
}

void CallingMaster::add_faults(MasterActions actions) {
  is_urgent_ |= !actions.empty();
  std::move(actions.begin(), actions.end(), std::back_inserter(outgoing_));
}

void CallingMaster::collect(TraceTime now) {
  for (MasterAction& action : actions_) {
    note(now, action);
    if (finish_) break;
    if (!std::holds_alternative<HeartbeatAt>(action)) outgoing_.push_back(std::move(action));
  }
  actions_.clear();
}

void CallingMaster::note(TraceTime now, const MasterAction& action) {
  const auto held_by = [&](ContainerId container) -> HeldContainer* {
    const auto found = containers_.find(container);
    return found == containers_.end() ? nullptr : &found->second.held;
  };
  visit_all(
      action, [&](const HeartbeatAt& heartbeat) { heartbeat_at_ = heartbeat.at; },
      [&](const FinishApplication& end) { finish_ = end; },
      [&](const LaunchTask& launch) {
        is_urgent_ = true;
        Container& container = containers_[launch.container];
        container.is_launched = true;
        container.held.container = launch.container;
        container.held.task = launch.task;
        container.held.work_begun = launch.is_held ? never : now;
      },
      [&](const ReleaseContainer& released) { containers_.erase(released.container); },
      [&](const ContinueTask& continued) {
        is_urgent_ = true;
        if (HeldContainer* held = held_by(continued.container)) held->work_begun = now;
      },
      [&](const OneOf<KillTask, CheckpointTask> auto& given_up) {
        is_urgent_ = true;
        if (HeldContainer* held = held_by(given_up.container)) held->is_going = true;
      },
      // A master in a container launches neither gangs at once nor masters.
      Ignore<SetAsk, AdjustPlaces, CloseAsk, LaunchGang, LaunchMasterProcess>{});
}

}  // namespace tracebed
