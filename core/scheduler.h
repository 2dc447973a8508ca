// The scheduler contract: events in, decisions out. A scheduler is a pure function object. It uses
// no clock, I/O, thread, log or configuration look-up; it never changes cluster state; its
// decisions depend only on the calls it got and the seed it was built with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/cluster_model.h"
#include "core/decision_threads.h"
#include "core/decisions.h"
#include "core/resources.h"
#include "core/result.h"
#include "core/scheduler_events.h"
#include "core/scheduler_parameters.h"
#include "core/scheduler_view.h"
#include "core/time.h"

namespace tracebed {

// One call: what happened since the last, and the state of the cluster after it. `cluster` is valid
// only for the duration of the call.
struct SchedulerInput {
  TraceTime now;
  std::span<const SchedulerEvent> events;
  const ClusterModel& cluster;
};

// Which heartbeats can make a scheduler do something. A virtual fleet may omit the others; a real
// one sends them all. Too wide an interest is only slow; too narrow a one is a defect, which the
// heartbeat test finds.
struct HeartbeatInterest {
  bool any = false;  // false: a heartbeat without finished containers changes nothing
  // A node with less than this free, in any dimension that is limited, does not matter either.
  Resources minimum;
  // What a node gets may depend on how long somebody has waited: where heartbeats follow changes,
  // as on ideal machines, they follow the scheduler's wake-ups, too.
  bool after_wake_ups = false;
  // Said by the engine, not by schedulers: in the round that ended, jobs, containers or machines
  // came or went. Not every change has a command: what a master gives back is not launched.
  bool has_cluster_changed = false;
  // Likewise: the dimensions in which `minimum` matters.
  LimitedDimensions limits;
};

// What a scheduler counts of itself, by a name in snake case.
struct SchedulerCount {
  std::string_view name;
  std::uint64_t count = 0;
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;

  // Called with at least one event and empty `decisions`. Decisions are checked and committed in
  // order after the call; the model does not change during it, so a scheduler that places several
  // units in one call counts its own proposals (schedulers/parts/free_table.h does that).
  virtual void decide(const SchedulerInput& input, Decisions& decisions) = 0;

  // Which dimensions of a node limit what it places there: the engine commits the same. The same
  // during the scheduler's life. A run may have all of them limit (EngineSetup::limit_vcores), so
  // what holds is in the model (ClusterModel::limits).
  virtual LimitedDimensions limited_dimensions() const { return LimitedDimensions::all(); }

  virtual HeartbeatInterest heartbeat_interest() const { return {.any = true, .minimum = {}}; }

  // The size of a container that serves an ask of `demand`: YARN's schedulers round up to what they
  // allocate. The engine asks before an ask opens or changes, unless it is a gang's, and the ask's
  // demand is what comes back. Fails with a sentence if it exceeds what the scheduler allocates;
  // the application ends with it. For an application that was not announced yet, limits of its
  // queue are not checked.
  virtual Result<Resources> container_size(ApplicationId /*application*/,
                                           const Resources& demand) const {
    return demand;
  }

  // What the application could still be given; reported to its master with each heartbeat. The
  // cluster is as in the last call, or has changed since by what the scheduler decided.
  virtual Resources headroom(const ClusterModel& cluster, ApplicationId /*application*/) const {
    return positive_part(cluster.free);
  }

  // The path of the leaf queue of an application that this scheduler has accepted; empty for
  // schedulers without queues. Only reconfigure() may change it. Valid until the next non-const
  // call.
  virtual std::string_view leaf_of(ApplicationId /*application*/) const { return {}; }

  // Whether the model is to have the blocks of applications' input (ClusterModel::inputs), which
  // costs time and memory in proportion to them.
  virtual bool reads_input_blocks() const { return false; }

  // Whether it leaves decisions to threads. If so, use_threads() is called before the first
  // decide(); `threads` outlives the scheduler, whose last decision has ended by then.
  virtual bool decides_in_threads() const { return false; }
  virtual void use_threads(DecisionThreads& /*threads*/) {}

  // Applies other settings and documents while it runs; applications, asks and containers stay.
  // Fails with a sentence, and leaves the old ones in force, if they are wrong or if running queues
  // and applications do not allow the change.
  virtual Status reconfigure(const SchedulerParameters& /*parameters*/,
                             const ClusterModel& /*cluster*/) {
    return Error{"this scheduler takes no new settings while it runs"};
  }

  // The next call does what this scheduler does at intervals (the Fair scheduler's update thread,
  // the Capacity scheduler's monitor), whether or not it is due. For stories, which specify the
  // time; what is due later stays due.
  virtual void request_update() {}

  // From now on view() has the choices that are made, if this scheduler compares nodes: all, or the
  // first `most` that found a node (concurrent schedulers: each). None that were made before. Each
  // costs time and memory in proportion to the nodes.
  virtual void keep_choices(std::size_t /*most*/) {}

  // For the record of the run; the names are always the same.
  virtual std::vector<SchedulerCount> counts() const { return {}; }

  // Empty for schedulers without queues.
  virtual SchedulerView view(const ClusterModel& /*cluster*/) const { return {}; }
  // Why units of an open ask, or without one the application as a whole, get no container now.
  // Empty if nothing prevents it.
  virtual std::vector<WaitingReason> why_waiting(const ClusterModel& /*cluster*/,
                                                 ApplicationId /*application*/,
                                                 AskId /*ask*/) const {
    return {};
  }
};

}  // namespace tracebed
