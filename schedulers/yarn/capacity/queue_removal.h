// The removal of created queues that are unused (AutoCreatedQueueDeletionPolicy, Hadoop 3.4): every
// queue-expiration-time the policy looks for leaves without applications and parents without
// queues. One that it finds so for the second time in a row is removed, whatever happened between.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "schedulers/yarn/capacity/capacity_state.h"

namespace tracebed {

class QueueRemoval {
 public:
  // `state` outlives it.
  explicit QueueRemoval(CapacityState& state) : state_(state) {}

  // Looks, if it is time; true if queues were removed.
  bool look(TraceTime now, const ClusterModel& cluster);
  // When it must be woken, later than now; `never` while all queues are used.
  TraceTime next_look(TraceTime now);

 private:
  bool is_unused(QueueIndex queue) const;

  CapacityState& state_;
  std::optional<Duration> interval_;  // that of the policy's start, which a refresh does not change
  std::set<std::string, std::less<>> marked_;  // unused when it looked last
  TraceTime marked_at_ = never;
  std::uint64_t version_ = 0;  // of the queues that has_unused_ is about
  bool has_unused_ = false;
  TraceTime next_ = never;
};

}  // namespace tracebed
