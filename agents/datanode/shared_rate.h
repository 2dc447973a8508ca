// A rate that threads share: each waits until its request is granted (RateShare) by the monotonic
// clock. Of the waiting threads one keeps the time and wakes the others (leader and followers), so
// there is no thread besides them, and one wake-up per grant. A thread that the kernel runs late
// grants all that is due by then, within the burst.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "agents/datanode/rate_share.h"

namespace tracebed {

class SharedRate {
 public:
  // Whether bytes follow those of the stream's last request, or are sought first: at the open, and
  // at a jump.
  enum class Access : std::uint8_t { sequential, seek };

  // Used by one thread at a time. The rate outlives it.
  class Stream {
   public:
    Stream(Stream&& other) noexcept : rate_(std::exchange(other.rate_, nullptr)), id_(other.id_) {}
    Stream& operator=(Stream&&) = delete;
    ~Stream() {
      if (rate_ != nullptr) rate_->close(id_);
    }
    // Waits for 1 … RateShare::request_bytes_max bytes. False: the rate was stopped.
    [[nodiscard]] bool acquire(std::uint64_t bytes, Access access = Access::sequential) {
      return rate_->acquire(id_, bytes, access);
    }
    // Whether sequential requests are granted at once, as things are.
    bool passes_freely() const { return rate_->passes_freely_; }

   private:
    friend class SharedRate;
    Stream(SharedRate& rate, StreamId id) : rate_(&rate), id_(id) {}

    SharedRate* rate_;
    StreamId id_;
  };

  explicit SharedRate(const RateLimits& limits, std::chrono::nanoseconds seek_latency = {});

  // None if `streams_max` are open.
  std::optional<Stream> open(std::uint32_t weight = transfer_weight_max);

  // For requests that wait, too. Where the rate is unlimited and nothing is sought, acquire() costs
  // two loads.
  void set_rate(std::optional<std::uint64_t> bytes_per_second);
  // For later requests.
  void set_seek_latency(std::chrono::nanoseconds latency) { seek_latency_ = latency; }
  // Every acquire() returns false from now on, those that wait at once.
  void stop();

 private:
  using Moment = RateShare::Moment;
  struct Waiter {
    std::condition_variable wake;
    bool is_granted = false;
  };

  bool acquire(StreamId stream, std::uint64_t bytes, Access access);
  void close(StreamId stream);
  // With the lock held:
  void dispatch(Moment now);
  void wait(std::unique_lock<std::mutex>& lock, StreamId stream);
  void wake(StreamId stream);
  void leave(StreamId stream);

  std::atomic<bool> passes_freely_;  // unlimited and not stopped
  std::atomic<std::chrono::nanoseconds> seek_latency_;
  std::mutex mutex_;  // guards what follows
  RateShare share_;
  std::deque<Waiter> waiters_;  // by stream; a deque does not move its elements
  std::vector<StreamId> granted_;
  StreamId leader_;  // invalid: nobody keeps the time
  Moment leader_until_{};
  bool is_stopped_ = false;
};

}  // namespace tracebed
