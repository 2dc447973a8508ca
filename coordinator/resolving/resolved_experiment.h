// An experiment, resolved into one typed value from which its replays are made: its Hadoop files
// read, its settings checked and completed, amounts divided by [scale]. What a run record states of
// the configuration is in here; the trace, the seeds and real machines are all that is added later.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "applications/masters.h"
#include "coordinator/config/experiment.h"
#include "coordinator/engine/relocation.h"
#include "coordinator/resolving/resolved_controller.h"
#include "coordinator/resolving/resolved_scheduler.h"
#include "coordinator/resolving/resolved_storage.h"
#include "core/master_calls.h"
#include "core/virtual_memory.h"
#include "schedulers/registry.h"
#include "traces/parts/trace_options.h"
#include "traces/scale_model.h"

namespace tracebed {

// A scheduler with its configurations during a replay.
struct ScheduledConfigurations {
  ResolvedScheduler scheduler;
  // Of each refresh, ascending by time; each is based on the one before.
  std::vector<std::pair<TraceTime, ResolvedScheduler>> refreshes;
  std::optional<ResolvedController> controller;
};

struct ResolvedMasters {
  MasterOptions options;
  std::vector<Setting> settings;  // all of them
  // How masters run in containers; empty if they do not.
  std::optional<MasterContainerOptions> containers;
};

struct ResolvedRelocation {
  std::optional<RelocationOptions> options;  // empty: the policy is off
  std::vector<Setting> settings;             // all of them; none if the policy is off
};

struct ResolvedExperiment : ExperimentTables {
  std::vector<ScheduledConfigurations> schedulers;  // at least one
  std::size_t baseline = 0;                         // which of them others are compared with
  ResolvedMasters masters;
  ResolvedRelocation relocation;
  VirtualMemoryCheck memory_check;
  TraceOptions trace_options;
  ScaleFactors scale_factors;
  std::optional<ResolvedStorage> storage_options;  // none: the run has no storage
  // How long a run may be quiet before it is given up (ReplayOptions::give_up_after).
  Duration give_up_after{};
  // The machine that [virtual] was calibrated on; empty if it was not. Latencies are in
  // `simulated`.
  std::string calibrated_machine;
  // What is ignored in the Hadoop files that are not a scheduler's, and what is to be doubted: a
  // sentence each.
  std::vector<std::string> remarks;

  const ResolvedScheduler& baseline_scheduler() const { return schedulers[baseline].scheduler; }
};

// Of all files that schedulers and refreshes name, each counted as often as it is named: each of
// these keeps what it read.
inline constexpr std::size_t scheduler_files_bytes_max = std::size_t{32} << 20;

// Called before a scheduler, or one of its refreshes, is read and made; may throw, to end that.
using BeforeScheduler = std::function<void(const SchedulerChoice&)>;

// Checks everything that can be checked without reading the trace or starting anything: each
// scheduler and each of its refreshes is made once. Throws InputError, which begins with the place
// of the setting or table that it is about. `schedulers` outlives the result.
ResolvedExperiment resolve(const SchedulerRegistry& schedulers, const Experiment& experiment,
                           const BeforeScheduler& before_scheduler = {});

}  // namespace tracebed
