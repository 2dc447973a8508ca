#include "schedulers/multi_resource/delayed_jobs.h"

#include <algorithm>

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

void DelayedJobs::pass_over(ApplicationId job, TraceTime now) {
  if (!is_on()) return;
  Waiting& waiting = jobs_[job];
  if (waiting.since == never) waiting.since = now;
}

void DelayedJobs::launched(ApplicationId job, Locality level) {
  if (!is_on()) return;
  Waiting& waiting = jobs_[job];
  waiting.delay.launched(level);
  waiting.since = never;
}

bool DelayedJobs::is_waiting(ApplicationId job) const {
  const auto found = jobs_.find(job);
  return found != jobs_.end() && found->second.since != never;
}

TraceTime DelayedJobs::next_level(TraceTime now) const {
  TraceTime next = never;
  for (const auto& [id, job] : jobs_) {
    if (job.since == never) continue;
    const Duration left = at(job, now).until_next_level(delays_);
    if (left > Duration::zero()) next = std::min(next, now + left);
  }
  return next;
}

}  // namespace tracebed
