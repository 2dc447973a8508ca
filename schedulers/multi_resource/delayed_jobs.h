// Delay scheduling beside a policy of shares: M. Zaharia, D. Borthakur, J. Sen Sarma, K. Elmeleegy,
// S. Shenker, I. Stoica, Delay Scheduling, EuroSys 2010, algorithm 2. The job whose turn it is is
// skipped on nodes far from the input of its maps, for a while; hadoop1/map_delay.h has the levels
// of one job.
//
// Deviations, each on purpose:
// - [delay-wait] The paper adds the time between two heartbeats, of whichever nodes, to the wait of
//   the jobs that were skipped on the first of them; a heartbeat of a node without room interrupts
//   it. Here a job waits from the heartbeat on which it is skipped until its next map.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "core/ids.h"
#include "core/time.h"
#include "schedulers/hadoop1/map_delay.h"

namespace tracebed {

// A call costs the logarithm of the number of jobs.
class DelayedJobs {
 public:
  explicit DelayedJobs(const MapDelays& delays) : delays_(delays) {}

  // Without delays nothing below has an effect.
  bool is_on() const { return delays_.node > Duration::zero() || delays_.rack > Duration::zero(); }

  // How far from its input the job may run a map now.
  Locality allowed(ApplicationId job, TraceTime now) const { return at(job, now).allowed(delays_); }
  // It has maps for the node of this heartbeat, and none of them is near enough.
  void skip(ApplicationId job, TraceTime now);
  void launched(ApplicationId job, Locality level);
  // It has no maps to run now; its level stays.
  void stop(ApplicationId job);
  void remove(ApplicationId job);

  bool is_waiting(ApplicationId job) const;
  // Since it was first skipped after its last map; zero if it was not.
  Duration waited(ApplicationId job, TraceTime now) const { return at(job, now).waited(); }
  // When the next of those that wait may go farther, after now: `never` if none may.
  TraceTime next_level(TraceTime now);

 private:
  struct Waiting {
    MapDelay delay;
    TraceTime since = never;     // it was skipped; `never`: not since its last map
    TraceTime next_due = never;  // its next level; in `due_` unless it is `never`
  };
  static MapDelay at(const Waiting& job, TraceTime now);
  MapDelay at(ApplicationId job, TraceTime now) const;
  void set_due(ApplicationId job, Waiting& waiting, TraceTime due);

  MapDelays delays_;
  std::map<ApplicationId, Waiting> jobs_;  // those that were skipped or had a map
  std::set<std::pair<TraceTime, ApplicationId>> due_;
};

}  // namespace tracebed
