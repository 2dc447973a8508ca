// How a queue of Hadoop 0.20.0's Capacity Scheduler gets its capacity back (mapred.
// CapacityTaskScheduler of release 0.20.0, TaskSchedulingMgr.reclaimCapacity), for one kind of
// slot.
//
// At each check, while some queue is above its capacity, a queue below its own that wants more than
// it has asked back already asks for min(capacity − running − asked, pending − asked), to be had
// within its reclaim-time-limit. What it gets meanwhile is taken off its oldest request. Three
// heartbeats before a request's time is up, or at the last check before that, what is left of it is
// killed, of each queue above its capacity in proportion to how far above it is, rounded.
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
  // Of the oldest request that waits; there is one.
  TraceTime first_kill() const { return waiting_.front().kill_at; }
  bool is_empty() const { return waiting_.empty() && expiring_.empty(); }
  // Slots that are asked back and whose time is not up.
  std::int64_t asked() const { return asked_; }

  // A task was given to the queue.
  void got_one();
  // One check, `next` being the time of the following one: slots to be killed for now. Files a new
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
  std::deque<Request> expiring_;  // done with, but counted until their time is up
  std::int64_t asked_ = 0;
};

// Of queues that run more than their capacity, by how much; how many each gives up of `slots`:
// round(slots × its excess / all excess).
std::vector<std::int64_t> divide_kills(std::span<const std::int64_t> excess, std::int64_t slots);

}  // namespace tracebed
