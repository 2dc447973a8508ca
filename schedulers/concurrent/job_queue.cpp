#include "schedulers/concurrent/job_queue.h"

#include <algorithm>
#include <iterator>

#include "core/check.h"

namespace tracebed {

void JobQueue::add(ApplicationId job) {
  if (state(job) == State::ready) return;
  remove(job);
  places_[job] = {true, next_turn_};
  ready_.emplace_hint(ready_.end(), next_turn_++, job);
}

void JobQueue::block(ApplicationId job) {
  TRACEBED_CHECK(state(job) == State::absent, "a job waits for one thing at a time");
  places_[job] = {false, next_turn_};
  blocked_.emplace_hint(blocked_.end(), next_turn_++, job);
}

void JobQueue::put_back(std::span<const ApplicationId> jobs) {
  for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) {
    TRACEBED_CHECK(state(*job) == State::absent, "a job is put back where it was taken");
    places_[*job] = {true, --first_turn_};
    ready_.emplace_hint(ready_.begin(), first_turn_, *job);
  }
}

void JobQueue::unblock() {
  for (const auto& [turn, job] : blocked_) {
    places_[job] = {true, next_turn_};
    ready_.emplace_hint(ready_.end(), next_turn_++, job);
  }
  blocked_.clear();
}

void JobQueue::remove(ApplicationId job) {
  const auto found = places_.find(job);
  if (found == places_.end()) return;
  (found->second.is_ready ? ready_ : blocked_).erase(found->second.turn);
  places_.erase(found);
}

ApplicationId JobQueue::first() const {
  TRACEBED_CHECK(has_ready(), "a job is taken where one is ready");
  return ready_.begin()->second;
}

ApplicationId JobQueue::take() {
  const ApplicationId job = first();
  remove(job);
  return job;
}

JobQueue::State JobQueue::state(ApplicationId job) const {
  const auto found = places_.find(job);
  if (found == places_.end()) return State::absent;
  return found->second.is_ready ? State::ready : State::blocked;
}

std::size_t JobQueue::before(ApplicationId job) const {
  const auto found = places_.find(job);
  TRACEBED_CHECK(found != places_.end() && found->second.is_ready, "the job has a turn");
  return static_cast<std::size_t>(std::distance(ready_.begin(), ready_.find(found->second.turn)));
}

}  // namespace tracebed
