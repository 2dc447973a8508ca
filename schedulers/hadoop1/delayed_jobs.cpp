#include "schedulers/hadoop1/delayed_jobs.h"

#include <string>

namespace tracebed {

MapDelays read_map_delays(SettingReader& reader) {
  MapDelays delays;
  delays.node = reader.milliseconds_of(node_delay_setting.name, 0, SettingReader::milliseconds_max);
  delays.rack = reader.milliseconds_of(rack_delay_setting.name, 0, SettingReader::milliseconds_max);
  return delays;
}

// ---- in a scheduler's decide() ----

void DelayedJobs::follow(const SlotJobs& jobs, const SlotJobs::Changes& changes) {
  if (!is_on()) return;
  for (const SlotJob& removed : changes.removed) remove(removed.id);
  for (const ApplicationId id : changes.changed) {
    const SlotJob* const job = jobs.find(id);
    if (job != nullptr && job->pending.map == 0) stop(id);
  }
}

bool DelayedJobs::has_task(const SlotOffer& offer, const SlotJob& job, SlotKind kind, NodeId node) {
  const Locality level = kind == SlotKind::map && is_on() ? allowed(job.id) : Locality::off_switch;
  if (offer.has_task(job, kind, node, level)) return true;
  if (level < Locality::off_switch && offer.has_task(job, kind, node)) skip(job.id);
  return false;
}

std::optional<Locality> DelayedJobs::place(SlotOffer& offer, SlotJob& job, SlotKind kind,
                                           NodeId node) {
  if (kind != SlotKind::map || !is_on()) return offer.place(job, kind, node);
  if (!has_task(offer, job, kind, node)) return std::nullopt;
  const std::optional<Locality> placed = offer.place(job, kind, node, allowed(job.id));
  if (placed) launched(job.id, *placed);
  return placed;
}

void DelayedJobs::wake(Decisions& decisions) {
  if (wake_at_ <= now_) wake_at_ = never;
  while (!due_.empty() && due_.begin()->first <= now_) {
    const ApplicationId job = due_.begin()->second;
    Waiting& waiting = jobs_.at(job);
    set_due(job, waiting, due_after_now(waiting));
  }
  if (due_.empty() || due_.begin()->first >= wake_at_) return;
  wake_at_ = due_.begin()->first;
  decisions.wake_at(wake_at_);
}

void DelayedJobs::stop(ApplicationId job) {
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return;
  found->second.since = never;
  set_due(job, found->second, never);
}

void DelayedJobs::remove(ApplicationId job) {
  stop(job);
  jobs_.erase(job);
}

void DelayedJobs::skip(ApplicationId job) {
  Waiting& waiting = jobs_[job];
  if (waiting.since != never) return;
  waiting.since = now_;
  set_due(job, waiting, due_after_now(waiting));
}

void DelayedJobs::launched(ApplicationId job, Locality level) {
  jobs_[job].delay.launched(level);
  stop(job);
}

// ---- levels, and when they change ----

MapDelay DelayedJobs::at_now(const Waiting& job) const {
  MapDelay delay = job.delay;
  if (job.since == never) return delay;
  delay.skip();
  delay.beat(now_ - job.since);
  return delay;
}

MapDelay DelayedJobs::at_now(ApplicationId job) const {
  const auto found = jobs_.find(job);
  return found == jobs_.end() ? MapDelay() : at_now(found->second);
}

TraceTime DelayedJobs::due_after_now(const Waiting& waiting) const {
  const Duration left = at_now(waiting).until_next_level(delays_);
  return left > Duration::zero() ? now_ + left : never;
}

void DelayedJobs::set_due(ApplicationId job, Waiting& waiting, TraceTime due) {
  if (waiting.next_due != never) due_.erase({waiting.next_due, job});
  waiting.next_due = due;
  if (due != never) due_.insert({due, job});
}

// ---- figures and reasons ----

HeartbeatInterest DelayedJobs::interest(HeartbeatInterest interest, const SlotJobs& jobs) const {
  interest.after_wake_ups = is_on() && jobs.pending(SlotKind::map) > 0;
  return interest;
}

void DelayedJobs::add_figures(ApplicationId job, std::vector<Figure>& figures) const {
  if (!is_on()) return;
  figures.push_back(
      {"allowed_locality_level", "Allowed Locality Level", std::string(name(allowed(job)))});
  figures.push_back({"waited_for_places", {}, at_now(job).waited()});
}

std::optional<WaitingReason> DelayedJobs::why_waiting(ApplicationId job) const {
  const auto found = jobs_.find(job);
  if (found == jobs_.end() || found->second.since == never) return std::nullopt;
  return WaitingReason{
      WaitingFor::locality,
      "it waits for a node with its input, or in the rack of it, and has waited for " +
          std::to_string(at_now(found->second).waited() / milliseconds(1)) + " ms"};
}

}  // namespace tracebed
