// How a queue of Hadoop 0.20.0's Capacity Scheduler gets its capacity back (mapred.
// CapacityTaskScheduler of release 0.20.0, TaskSchedulingMgr.reclaimCapacity), for one kind of
// slot.
//
// At each check, while some queue is above its capacity, a queue below its own that needs more than
// it has already asked for requests min(capacity − running − asked, pending − asked), within its
// reclaim-time-limit. What it gets meanwhile is subtracted from its oldest request. Three
// heartbeats before a request times out, or at the last check before that, what is left of it is
// killed, in each queue above its capacity in proportion to its excess, rounded.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "core/time.h"

namespace tracebed {

class ReclaimRequests {
 public:
  struct Figures {
    std::int64_t capacity = 0;
    std::int64_t running = 0;
    std::int64_t pending = 0;
    Duration limit{};  // reclaim-time-limit
  };

  bool is_waiting() const { return !waiting_.empty(); }
  // Of the oldest waiting request; there must be one.
  TraceTime first_kill() const { return waiting_.front().kill_at; }
  bool is_empty() const { return waiting_.empty() && expiring_.empty(); }
  // Slots of requests that have not timed out.
  std::int64_t asked() const { return asked_; }

  // The queue was given a slot.
  void got_one();
  // One check, `next` being the time of the following one: slots to free by killing now. Adds a new
  // request if `may_file`.
  std::int64_t check(const Figures& figures, TraceTime now, TraceTime next, Duration heartbeat,
                     bool may_file);

 private:
  struct Request {
    std::int64_t original = 0;
    std::int64_t left = 0;
    TraceTime expires{};
    TraceTime kill_at{};
  };
  std::deque<Request> waiting_;   // by age
  std::deque<Request> expiring_;  // finished, but counted until they time out
  std::int64_t asked_ = 0;
};

// `excess` is by how much queues exceed their capacity; returns how many of `slots` each gives up:
// round(slots × its excess / all excess).
std::vector<std::int64_t> divide_kills(std::span<const std::int64_t> excess, std::int64_t slots);

}  // namespace tracebed
