// How many reduces a MapReduce master asks for, and how many it gives up so that maps can run. The
// formulas are those of org.apache.hadoop.mapreduce.v2.app.rm.RMContainerAllocator
// (scheduleReduces, preemptReducesIfNeeded), float rounding included.
//
// Terms as there: a *scheduled* task is asked for and has no container, an *assigned* one has one;
// a *pending* reduce is not asked for yet.
//
// Deviations, each on purpose:
// - [map-reduce-every-dimension] Containers are counted in every dimension that limits what is
//   placed; the original counts memory, and vcores where the scheduler says so
//   (SchedulerResourceTypes), but no third resource.
// - [map-reduce-future-room] Reduces that are being preempted but have not ended count as future
//   room, so the next check does not preempt more for the same need.
#pragma once

#include <cstdint>

#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

struct ReduceRampOptions {
  float slow_start = 0.05F;       // mapreduce.job.reduce.slowstart.completedmaps
  float ramp_up_limit = 0.5F;     // yarn.app.mapreduce.am.job.reduce.rampup.limit
  float preemption_limit = 0.5F;  // yarn.app.mapreduce.am.job.reduce.preemption.limit
};

struct ReduceRampState {
  std::uint32_t maps_total = 0;
  std::uint32_t maps_completed = 0;
  std::uint32_t maps_scheduled = 0;
  std::uint32_t maps_assigned = 0;
  std::uint32_t reduces_pending = 0;
  std::uint32_t reduces_scheduled = 0;
  std::uint32_t reduces_assigned = 0;
  std::uint32_t reduces_going = 0;  // being preempted, not yet ended; not in reduces_assigned
  Resources map_demand;
  Resources reduce_demand;
  Resources headroom;  // as passed to ApplicationMaster::heartbeat
};

// How many maps must be done before the first reduce is asked for.
std::uint32_t slow_start_maps(float slow_start, std::uint32_t maps_total);

// By how many the asked-for reduces change: at most reduces_pending more, or at most
// reduces_scheduled fewer. To be called once the slow start is over.
std::int64_t ramp_change(const ReduceRampState& state, const ReduceRampOptions& options);

// True if maps wait, none runs, and what scheduled reduces leave free has no room for one.
bool is_short_of_room_for_maps(const ReduceRampState& state);

// How many reduces to preempt, besides those already going, for `hanging_maps` that wait for room.
std::uint32_t reduces_to_preempt(const ReduceRampState& state, std::uint32_t hanging_maps,
                                 const ReduceRampOptions& options);

}  // namespace tracebed
