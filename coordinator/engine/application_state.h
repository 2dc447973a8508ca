// What the engine keeps for each open application in addition to the cluster model.
#pragma once

#include <cstdint>
#include <optional>

#include "coordinator/engine/completed_tasks.h"
#include "coordinator/engine/kept_progress.h"
#include "coordinator/engine/master_handle.h"
#include "core/cluster_model.h"
#include "core/ids.h"
#include "core/kernel_work.h"
#include "core/paged_table.h"
#include "core/records.h"
#include "core/time.h"
#include "core/workload.h"

namespace tracebed {

// Containers of a gang that was launched at once.
struct WholeGang {
  ContainerId first;
  std::uint32_t containers = 0;

  bool operator==(const WholeGang&) const = default;
};

struct ApplicationState {
  explicit ApplicationState(const Job& job) : tasks(job) {}

  MasterHandle master;
  AskList asks;              // by the master's slot; invalid if closed
  bool is_accepted = false;  // by the scheduler
  CompletedTasks tasks;
  JobRecord record;
  TraceTime heartbeat_at = never;
  Duration longest_delay{};  // Stage::delay
  KeptProgress kept;
  std::optional<KernelJob> kernel;  // that its tasks run
  // The last gang, while none of the application's containers has ended alone since.
  std::optional<WholeGang> whole_gang;
};

// Same ids as the model's.
using ApplicationStates = PagedTable<ApplicationId, ApplicationState>;

}  // namespace tracebed
