// How modelled machines behave.
#pragma once

#include <cstdint>
#include <optional>

#include "coordinator/virtual/latency_model.h"
#include "coordinator/virtual/virtual_datanodes.h"
#include "core/cpu_enforcement.h"
#include "core/task_faults.h"
#include "core/time.h"
#include "core/virtual_memory.h"

namespace tracebed {

// The *ideal* machine has no latency and no heartbeat delay: a task runs for exactly its duration
// from the moment it is placed, its end is known at once, and every change of the cluster is
// followed at once by a heartbeat of each node that matters. Published schedules can be verified
// with it to the last digit. A *modelled* machine behaves as an agent does, with the delays below
// (all in trace time).
struct VirtualOptions {
  bool is_ideal = false;

  // Period of each node's heartbeat, at a phase of its own drawn from the seed. Ends of containers
  // are reported with it (YARN: yarn.nodemanager.heartbeat.interval-ms, 1000).
  Duration heartbeat_period = seconds(1);
  // By how much later than that each is sent, drawn anew every time; at most a period.
  LatencySpread heartbeat_jitter;
  // Report an end at once by a heartbeat between the periodic ones.
  bool out_of_band_heartbeat = false;

  // Of modelled machines: on ideal ones tasks do not slow each other.
  CpuEnforcement cpu_enforcement = CpuEnforcement::quota;

  LatencySpread launch_latency{milliseconds(3), 2.0};  // from the launch command to the process
  // By how much a task lasts longer than its work without contention.
  LatencySpread task_overhead;

  // Tasks on a machine whose containers use more memory than it has are slower by 1 + swap_cost ×
  // (used / capacity − 1).
  double swap_cost = 4;

  // Timeout after which a silent machine is given up (yarn.nm.liveness-monitor.expiry-interval-ms,
  // ten minutes).
  Duration node_expiry = std::chrono::minutes(10);

  // From the order to keep its progress to the end of the task's process: the time to write its
  // state. An ideal machine takes no time for it.
  Duration checkpoint_time = seconds(1);
  TaskFaults faults;

  // From the start of a master's process to its registration; none on an ideal machine.
  LatencySpread master_startup;

  // Machines check their containers at multiples of the check's interval.
  VirtualMemoryCheck virtual_memory;

  // Set: the machines have datanodes.
  std::optional<VirtualDatanodeOptions> storage;

  // Also deliver heartbeats that change nothing for the scheduler: its decisions are the same.
  bool deliver_every_heartbeat = false;

  std::uint64_t seed = 1;
};

}  // namespace tracebed
