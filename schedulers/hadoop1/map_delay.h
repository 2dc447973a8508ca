// Delay scheduling by time (mapred.FairScheduler of release 1.2.1, getAllowedLocalityLevel): a job
// that has no map with input near the node is skipped for a while.
#pragma once

#include <algorithm>

#include "core/outcomes.h"
#include "core/time.h"

namespace tracebed {

struct MapDelays {
  Duration node{};  // before another node of the rack is taken
  Duration rack{};  // then, before a node of any rack is
};

class MapDelay {
 public:
  // How far from its input the job may run a map now. It waits for the level of its last map first:
  // from node to rack after the first delay, anywhere after both; from rack to anywhere after the
  // second alone.
  Locality allowed(const MapDelays& delays) const {
    if (last_ == Locality::node) {
      if (waited_ >= delays.node + delays.rack) return Locality::off_switch;
      return waited_ >= delays.node ? Locality::rack : Locality::node;
    }
    if (last_ == Locality::rack && waited_ < delays.rack) return Locality::rack;
    return Locality::off_switch;
  }
  // How much longer it has to wait for the next level; zero if there is none.
  Duration until_next_level(const MapDelays& delays) const {
    const Locality now = allowed(delays);
    if (now == Locality::off_switch) return Duration::zero();
    const bool is_second = last_ == Locality::node && now == Locality::rack;
    const Duration goal = is_second                 ? delays.node + delays.rack
                          : last_ == Locality::node ? delays.node
                                                    : delays.rack;
    return goal - waited_;
  }

  // Since its last map, or since it began to wait.
  Duration waited() const { return waited_; }

  // It was offered slots on the last heartbeat, of any node, and took none.
  void skip() { was_skipped_ = true; }
  bool was_skipped() const { return was_skipped_; }
  // It has no more maps to run.
  void stop() { was_skipped_ = false; }
  // A heartbeat: a job that was skipped at the previous one has waited since then.
  void beat(Duration since_last_heartbeat) {
    if (was_skipped_) waited_ += since_last_heartbeat;
    was_skipped_ = false;
  }
  void launched(Locality level) {
    last_ = level == Locality::none_asked ? Locality::off_switch : level;
    waited_ = Duration::zero();
  }

 private:
  Locality last_ = Locality::node;
  Duration waited_{};
  bool was_skipped_ = false;
};

}  // namespace tracebed
