#include "agents/datanode/shared_rate.h"

namespace tracebed {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

SharedRate::SharedRate(const RateLimits& limits, std::chrono::nanoseconds seek_latency)
    : passes_freely_(!limits.bytes_per_second),
      seek_latency_(seek_latency),
      share_(limits, Clock::now()) {}

std::optional<SharedRate::Stream> SharedRate::open(std::uint32_t weight) {
  const std::lock_guard lock(mutex_);
  const std::optional<StreamId> stream = share_.open(weight);
  if (!stream) return std::nullopt;
  if (stream->index() == waiters_.size()) waiters_.emplace_back();
  return Stream(*this, *stream);
}

void SharedRate::close(StreamId stream) {
  const std::lock_guard lock(mutex_);
  share_.close(stream);
}

bool SharedRate::acquire(StreamId stream, std::uint64_t bytes, Access access) {
  const std::chrono::nanoseconds latency =
      access == Access::seek ? seek_latency_.load() : std::chrono::nanoseconds{};
  if (passes_freely_ && latency.count() == 0) return true;
  std::unique_lock lock(mutex_);
  if (is_stopped_) return false;
  const Moment now = Clock::now();
  Waiter& waiter = waiters_[stream.index()];
  waiter.is_granted = false;
  share_.request(stream, bytes, now + latency);
  dispatch(now);
  // The leader waits for what was due before this request.
  if (leader_.is_valid() && share_.next_due() < leader_until_) wake(leader_);
  while (!waiter.is_granted && !is_stopped_) wait(lock, stream);
  leave(stream);
  return waiter.is_granted;
}

void SharedRate::dispatch(Moment now) {
  granted_.clear();
  share_.grant_due(now, granted_);
  for (const StreamId stream : granted_) {
    waiters_[stream.index()].is_granted = true;
    wake(stream);
  }
}

void SharedRate::wait(std::unique_lock<std::mutex>& lock, StreamId stream) {
  std::condition_variable& signal = waiters_[stream.index()].wake;
  if (leader_.is_valid() && leader_ != stream) {
    signal.wait(lock);
    return;
  }
  leader_ = stream;
  leader_until_ = share_.next_due();
  signal.wait_until(lock, leader_until_);
  dispatch(Clock::now());
}

void SharedRate::wake(StreamId stream) {
  waiters_[stream.index()].wake.notify_one();
}

// A thread that leaves while there is no leader wakes the next, which becomes the leader, or leaves
// in turn if it was granted meanwhile. So as long as threads wait, one is awake or keeps the time.
void SharedRate::leave(StreamId stream) {
  if (leader_ == stream) leader_ = StreamId();
  if (leader_.is_valid()) return;
  if (const StreamId next = share_.next_stream(); next.is_valid()) wake(next);
}

void SharedRate::set_rate(std::optional<std::uint64_t> bytes_per_second) {
  const std::lock_guard lock(mutex_);
  share_.set_rate(bytes_per_second, Clock::now());
  passes_freely_ = !bytes_per_second && !is_stopped_;
  // It grants what is due by now.
  if (leader_.is_valid()) wake(leader_);
}

void SharedRate::stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  passes_freely_ = false;
  for (Waiter& waiter : waiters_) waiter.wake.notify_one();
}

}  // namespace tracebed
