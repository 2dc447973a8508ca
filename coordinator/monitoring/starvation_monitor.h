// Measures how long a run's leaf queues starve (report/starvation.h defines it), from the cluster
// as it is after rounds; the scheduler's view is requested only if the queues' entitlements, or the
// queue of an application, cannot be known otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/engine/engine.h"
#include "report/starvation.h"

namespace tracebed {

class StarvationMonitor {
 public:
  // `engine` outlives this. Every round is sampled if they are few; if they are many, some four
  // thousand samples reach to `last_submit`, and half as many whenever there were eight thousand.
  StarvationMonitor(const Engine& engine, TraceTime last_submit);

  // The scheduler's current view.
  void take(const SchedulerView& view);
  // After every round. Nothing happens before the first view with leaves, so a scheduler without
  // queues costs nothing.
  void after_round(TraceTime now) {
    if (!leaves_.empty() && is_due(now)) look(now);
  }

  // The run ended at `at`.
  StarvationFigures figures(TraceTime at) const { return meter_.figures(at, seen_within_); }

 private:
  struct Leaf {
    std::size_t number = 0;  // the meter's
    bool is_alive = false;
    Resources entitled;
    Resources used;
    bool is_starving = false;
  };
  static constexpr std::uint32_t unknown = UINT32_MAX;

  bool is_due(TraceTime now);
  void look(TraceTime now);
  bool is_stale() const;
  bool add_up();
  bool find_leaf(ApplicationId id, const Application& application);
  bool wants_within_share(const Application& application, const Leaf& leaf) const;

  const Engine& engine_;
  StarvationMeter meter_;
  // A sample costs a step of the elapsed time, some of which is saved for rounds that follow
  // closely.
  Duration step_;
  Duration credit_;
  TraceTime last_round_{};
  TraceTime first_skipped_ = never;  // of the rounds since the last sample
  Duration seen_within_{};           // the maximum delay of a sample
  std::size_t looks_ = 0;

  // Leaves are kept once they were seen, since one that is gone may come back.
  std::map<std::string, std::size_t> by_path_;
  std::vector<Leaf> leaves_;
  std::vector<std::uint32_t> leaf_of_;  // by application
  // Where the scheduler put the last application of a user and a queue's name.
  std::map<std::pair<QueueId, UserId>, std::uint32_t> placed_;
  // Not zero in the dimensions that limit and in which any leaf is entitled to anything.
  Resources shared_;
  Resources capacity_;  // the cluster's, at the last view
  std::size_t refreshes_ = 0;
};

}  // namespace tracebed
