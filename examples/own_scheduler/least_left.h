// Least left: the application that still asks for the fewest containers goes first, so that small
// jobs are not held up by large ones. What does not fit is passed over. Each container goes to the
// node that it fills most (best fit), or to the first that has room.
//
// Source: shortest remaining processing time (Schrage and Miller, "The queue M/G/1 with the
// shortest remaining processing time discipline", Operations Research 14, 1966). How long a job
// will take is not known to a scheduler; how many containers it still asks for is.
#pragma once

#include <vector>

#include "core/scheduler.h"
#include "schedulers/parts/allowed_places.h"
#include "schedulers/parts/free_table.h"
#include "schedulers/scheduler_entry.h"

namespace own_scheduler {

enum class Fit { best, first };

class LeastLeftScheduler final : public tracebed::Scheduler {
 public:
  explicit LeastLeftScheduler(Fit fit) : fit_(fit) {}

  void decide(const tracebed::SchedulerInput& input, tracebed::Decisions& decisions) override;
  // It places when something happens that makes room, so heartbeats change nothing; but what was
  // refused is tried again at the next event, and there may be no other.
  tracebed::HeartbeatInterest heartbeat_interest() const override {
    return {.any = free_.was_refused(), .minimum = {}};
  }

 private:
  void place_units(const tracebed::ClusterModel& cluster, tracebed::AskId id,
                   tracebed::Decisions& decisions);
  // None if no node can take a unit of it now.
  tracebed::NodeId choose(const tracebed::ClusterModel& cluster, tracebed::AskId id,
                          const tracebed::Ask& ask) const;

  Fit fit_;
  tracebed::FreeTable free_;
  tracebed::AllowedPlaces places_;
  std::vector<tracebed::GangPiece> pieces_;
};

// What a program adds to its registry. The setting `fit` is `best` or `first`.
tracebed::SchedulerEntry least_left_entry();

}  // namespace own_scheduler
