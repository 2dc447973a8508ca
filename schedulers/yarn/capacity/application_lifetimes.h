// How long applications may run: default-application-lifetime and maximum-application-lifetime of
// their leaf, counted from the submission (QueueAppLifetimeAndLimitSettings, RMAppLifetimeMonitor).
#pragma once

#include <set>
#include <utility>

#include "core/decisions.h"
#include "schedulers/yarn/capacity/running_application.h"

namespace tracebed {

struct CapacityQueue;

class ApplicationLifetimes {
 public:
  // When an application that states no lifetime times out: the default, or if only a maximum is
  // set, that; `never` if neither is. A refresh does not change it.
  static TraceTime end_of_life(const CapacityQueue& leaf, TraceTime submitted);

  void add(const RunningApplication& application);
  void remove(const RunningApplication& application);
  // Ends those that timed out. Lifetimes are only checked every three seconds, so one may be
  // exceeded before that.
  void watch(TraceTime now, Decisions& decisions);
  // When the next one is checked; `never` if there is none.
  TraceTime next_check() const { return checks_.empty() ? never : checks_.begin()->first; }

 private:
  std::set<std::pair<TraceTime, ApplicationId>> checks_;  // when each is checked
};

}  // namespace tracebed
