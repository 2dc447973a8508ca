// Delay scheduling beside a policy of shares: M. Zaharia, D. Borthakur, J. Sen Sarma, K. Elmeleegy,
// S. Shenker, I. Stoica, Delay Scheduling, EuroSys 2010, algorithm 2. The job whose turn it is lets
// others have a node that is far from what its maps read, for a while; hadoop1/map_delay.h has the
// levels of one job.
//
// A job waits from the heartbeat on which it is first passed over until its next map. The paper
// counts from heartbeat to heartbeat, and only on from one on which the job was passed over, by
// which a job waits the longer the more nodes without room there are.
#pragma once

#include <map>

#include "core/ids.h"
#include "core/time.h"
#include "schedulers/hadoop1/map_delay.h"

namespace tracebed {

class DelayedJobs {
 public:
  explicit DelayedJobs(const MapDelays& delays) : delays_(delays) {}

  // Without delays nothing below has an effect.
  bool is_on() const { return delays_.node > Duration::zero() || delays_.rack > Duration::zero(); }

  // How far from its input the job may run a map now.
  Locality allowed(ApplicationId job, TraceTime now) const { return at(job, now).allowed(delays_); }
  // It has maps for the node of this heartbeat, and none of them is near enough.
  void pass_over(ApplicationId job, TraceTime now);
  void launched(ApplicationId job, Locality level);
  // It has no more maps to run, or is gone.
  void stop(ApplicationId job) { jobs_.erase(job); }

  bool is_waiting(ApplicationId job) const;
  // Since it was first passed over after its last map.
  Duration waited(ApplicationId job, TraceTime now) const { return at(job, now).waited(); }
  // When one of those that wait may go farther: `never` if none does.
  TraceTime next_level(TraceTime now) const;

 private:
  struct Waiting {
    MapDelay delay;
    TraceTime since = never;  // it has not been passed over since its last map
  };
  static MapDelay at(const Waiting& job, TraceTime now);
  MapDelay at(ApplicationId job, TraceTime now) const;

  MapDelays delays_;
  std::map<ApplicationId, Waiting> jobs_;  // those that have been passed over or had a map
};

}  // namespace tracebed
