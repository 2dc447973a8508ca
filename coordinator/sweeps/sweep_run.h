// Runs a sweep's points, several at a time, each as a process of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "coordinator/monitoring/run_observer.h"
#include "coordinator/sweeps/sweep_plan.h"

namespace tracebed {

// The part of a sweep that is run here: every `count`-th point from number `index` on.
struct Shard {
  std::uint32_t index = 1;
  std::uint32_t count = 1;

  bool has(std::uint32_t point) const { return (point - 1) % count == index - 1; }
};

struct SweepRunOptions {
  std::filesystem::path output;
  std::filesystem::path program;  // `tracebed`, or a program with its commands
  std::uint32_t parallel = 1;     // points at a time
  Shard shard;
  bool replaces_plan = false;
};

struct SweepRunEnd {
  std::size_t points = 0;                // of the shard
  std::size_t finished = 0;              // of them, by now
  std::size_t ran = 0;                   // here
  std::vector<std::uint32_t> failed;     // numbers
  std::vector<std::uint32_t> elsewhere;  // that another process runs
  bool is_cancelled = false;
};

// Finished points are not run again; those that failed, or were killed, are, and are named to the
// observer. A point that fails keeps no other from running. When the observer wants to stop, points
// that run are killed. Throws InputError if the folder holds another plan, and EnvironmentError.
SweepRunEnd run_sweep(const SweepPlan& plan, const SweepRunOptions& options, RunObserver& observer);

}  // namespace tracebed
