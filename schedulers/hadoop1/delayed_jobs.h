// Delay scheduling beside an order of jobs: M. Zaharia, D. Borthakur, J. Sen Sarma, K. Elmeleegy,
// S. Shenker, I. Stoica, Delay Scheduling, EuroSys 2010, algorithm 2. The job whose turn it is is
// skipped on nodes far from the input of its maps, for a while; map_delay.h has the levels of one
// job.
//
// Deviations, each on purpose:
// - [delay-wait] The paper adds the time between two heartbeats, of whichever nodes, to the wait of
//   the jobs that were skipped on the first of them; a heartbeat of a node without room interrupts
//   it. Here a job waits from the heartbeat on which it is skipped until its next map.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/figure.h"
#include "core/scheduler_view.h"
#include "core/settings.h"
#include "schedulers/hadoop1/map_delay.h"
#include "schedulers/hadoop1/slot_offer.h"

namespace tracebed {

inline constexpr SettingDescription node_delay_setting{
    "locality_delay_of_node_ms", "0",
    "how long a job whose turn it is waits for a node with its input, while others go first: delay "
    "scheduling"};
inline constexpr SettingDescription rack_delay_setting{
    "locality_delay_of_rack_ms", "0", "and then for a node in the rack of its input"};
MapDelays read_map_delays(SettingReader& reader);

// A call costs the logarithm of the number of jobs. Without delays none has an effect. A job that
// waits is still asked at each offer that its turn comes for, which costs the scheduler a step.
class DelayedJobs {
 public:
  explicit DelayedJobs(const MapDelays& delays) : delays_(delays) {}

  bool is_on() const { return delays_.node > Duration::zero() || delays_.rack > Duration::zero(); }

  // ---- in a scheduler's decide() ----

  // First of all: everything below is at this time.
  void begin(TraceTime now) { now_ = now; }
  // What happened to jobs since the last call.
  void follow(const SlotJobs& jobs, const SlotJobs::Changes& changes);
  // Whether it has a task for the node, and for a map whether the node is near enough. A job whose
  // maps would have to go too far is skipped.
  bool has_task(const SlotOffer& offer, const SlotJob& job, SlotKind kind, NodeId node);
  // As SlotOffer::place, but maps go no farther from their input than the job may now.
  std::optional<Locality> place(SlotOffer& offer, SlotJob& job, SlotKind kind, NodeId node);
  // Last of all: asks for a wake-up when the next of those that wait may go farther.
  void wake(Decisions& decisions);

  // It has no maps to run now; its level stays.
  void stop(ApplicationId job);
  void remove(ApplicationId job);

  // ---- figures and reasons ----

  // Of a scheduler whose interest is otherwise this.
  HeartbeatInterest interest(HeartbeatInterest interest, const SlotJobs& jobs) const;
  // How far it may go, and how long it has waited since it was first skipped after its last map;
  // none without delays.
  void add_figures(ApplicationId job, std::vector<Figure>& figures) const;
  // None if the job does not wait for a near node.
  std::optional<WaitingReason> why_waiting(ApplicationId job) const;

 private:
  struct Waiting {
    MapDelay delay;
    TraceTime since = never;     // it was skipped; `never`: not since its last map
    TraceTime next_due = never;  // its next level; in `due_` unless it is `never`
  };
  MapDelay at_now(const Waiting& job) const;
  MapDelay at_now(ApplicationId job) const;
  Locality allowed(ApplicationId job) const { return at_now(job).allowed(delays_); }
  void skip(ApplicationId job);
  void launched(ApplicationId job, Locality level);
  void set_due(ApplicationId job, Waiting& waiting, TraceTime due);
  TraceTime due_after_now(const Waiting& waiting) const;

  MapDelays delays_;
  TraceTime now_{};
  TraceTime wake_at_ = never;              // the Tick that is asked for
  std::map<ApplicationId, Waiting> jobs_;  // those that were skipped or had a map
  std::set<std::pair<TraceTime, ApplicationId>> due_;
};

}  // namespace tracebed
