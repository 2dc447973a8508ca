#include "coordinator/engine/managed_master.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace tracebed {
namespace {

constexpr std::int32_t own_priority = 0;

}  // namespace

bool ManagedMaster::is_own_failure(ContainerEnd end) {
  return end != ContainerEnd::killed && end != ContainerEnd::preempted &&
         end != ContainerEnd::node_lost && end != ContainerEnd::released;
}

ManagedMaster::ManagedMaster(const MasterContainerOptions& options, const Job& job)
    : options_(options), job_(job) {
  for (const Stage& stage : job_->stages) stage_tasks_.push_back(task_count(stage));
}

void ManagedMaster::start(TraceTime now, MasterActions& actions) {
  ask(now, actions);
}

void ManagedMaster::ask(TraceTime now, MasterActions& actions) {
  asked_ = now;
  SetAsk ask;
  ask.slot = own_slot;
  ask.priority = own_priority;
  ask.demand = options_.demand;
  ask.pending = 1;
  ask.is_master = true;
  ask.avoided = std::exchange(left_, NodeId());
  actions.push_back(std::move(ask));
}

void ManagedMaster::granted(TraceTime now, const Grant& grant, MasterActions& actions) {
  if (grant.slot != own_slot) {
    held_.insert(grant.container);
    Grant& granted = std::get<Grant>(news_.emplace_back(grant));
    granted.slot -= own_slot + 1;
    return;
  }
  TRACEBED_CHECK(!container_.is_valid(), "a master has one container");
  ++attempt_;
  sequence_ = 0;
  container_ = grant.container;
  last_call_ = now;
  actions.push_back(LaunchMasterProcess{grant.container, attempt_, asked_});
}

void ManagedMaster::attempt_ended(TraceTime now, const AttemptEnd& end, MasterActions& actions) {
  if (end.container == container_) {
    const std::string how = end.end == ContainerEnd::succeeded
                                ? "ended without having unregistered"
                                : "ended as " + std::string(name(end.end));
    return fail(now, how, is_own_failure(end.end), actions);
  }
  // That of an earlier attempt's container concerns nobody.
  if (held_.erase(end.container) > 0) news_.emplace_back(end);
}

void ManagedMaster::progressed(TraceTime /*now*/, const AttemptProgress& progress,
                               MasterActions& /*actions*/) {
  if (held_.contains(progress.container)) news_.emplace_back(progress);
}

void ManagedMaster::node_lost(TraceTime /*now*/, NodeId node, MasterActions& /*actions*/) {
  if (sequence_ > 0) news_.emplace_back(NodeGone{node});
}

void ManagedMaster::fail(TraceTime now, const std::string& how, bool counts,
                         MasterActions& actions) {
  container_ = ContainerId();
  if (counts && ++failures_ >= options_.attempts_max) {
    actions.push_back(FinishApplication{
        JobOutcome::failed, "its master failed " + std::to_string(failures_) + " times; attempt " +
                                std::to_string(attempt_) + " " + how});
    return;
  }
  for (const AskSlot slot : open_slots_) actions.push_back(CloseAsk{slot});
  open_slots_.clear();
  for (const ContainerId container : held_) actions.push_back(KillTask{container});
  held_.clear();
  news_.clear();
  ask(now, actions);
}

void ManagedMaster::expire(TraceTime now, MasterActions& actions) {
  fail(now, "sent no heartbeat for " + std::to_string(options_.expiry.count() / 1'000) + " ms",
       true, actions);
}

TraceTime ManagedMaster::expires_at() const {
  return container_.is_valid() ? last_call_ + options_.expiry : never;
}

ManagedMaster::CallOrder ManagedMaster::receive(TraceTime now, const MasterCall& call) {
  if (!container_.is_valid() || call.attempt != attempt_) return CallOrder::superseded;
  const bool is_next = call.sequence == sequence_ + 1;
  const bool is_registration = call.kind == MasterCallKind::registration;
  if (!is_next || is_registration != (call.sequence == 1)) {
    const bool is_last = sequence_ > 0 && call.sequence == sequence_;
    if (is_last) last_call_ = now;
    return is_last ? CallOrder::repeated : CallOrder::misplaced;
  }
  sequence_ = call.sequence;
  last_call_ = now;
  return CallOrder::fresh;
}

void ManagedMaster::move_news_to(MasterAnswer& answer) {
  const auto count = static_cast<std::ptrdiff_t>(std::min(news_.size(), answer_news_max));
  answer.news.assign(news_.begin(), news_.begin() + count);
  news_.erase(news_.begin(), news_.begin() + count);
  answer.has_more = !news_.empty();
}

}  // namespace tracebed
