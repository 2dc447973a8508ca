#include "schedulers/multi_resource/delayed_jobs.h"

namespace tracebed {

MapDelay DelayedJobs::at(const Waiting& job, TraceTime now) {
  MapDelay delay = job.delay;
  if (job.since == never) return delay;
  delay.skip();
  delay.beat(now - job.since);
  return delay;
}

MapDelay DelayedJobs::at(ApplicationId job, TraceTime now) const {
  const auto found = jobs_.find(job);
  return found == jobs_.end() ? MapDelay() : at(found->second, now);
}

void DelayedJobs::set_due(ApplicationId job, Waiting& waiting, TraceTime due) {
  if (waiting.next_due != never) due_.erase({waiting.next_due, job});
  waiting.next_due = due;
  if (due != never) due_.insert({due, job});
}

void DelayedJobs::skip(ApplicationId job, TraceTime now) {
  if (!is_on()) return;
  Waiting& waiting = jobs_[job];
  if (waiting.since != never) return;
  waiting.since = now;
  const Duration left = at(waiting, now).until_next_level(delays_);
  set_due(job, waiting, left > Duration::zero() ? now + left : never);
}

void DelayedJobs::launched(ApplicationId job, Locality level) {
  if (!is_on()) return;
  jobs_[job].delay.launched(level);
  stop(job);
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

bool DelayedJobs::is_waiting(ApplicationId job) const {
  const auto found = jobs_.find(job);
  return found != jobs_.end() && found->second.since != never;
}

TraceTime DelayedJobs::next_level(TraceTime now) {
  while (!due_.empty() && due_.begin()->first <= now) {
    const ApplicationId job = due_.begin()->second;
    Waiting& waiting = jobs_.at(job);
    const Duration left = at(waiting, now).until_next_level(delays_);
    set_due(job, waiting, left > Duration::zero() ? now + left : never);
  }
  return due_.empty() ? never : due_.begin()->first;
}

}  // namespace tracebed
