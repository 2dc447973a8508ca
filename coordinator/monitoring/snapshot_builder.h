// Takes snapshots of a run between its rounds.
#pragma once

#include <chrono>
#include <string>

#include "coordinator/engine/engine.h"
#include "coordinator/monitoring/application_history.h"
#include "coordinator/monitoring/run_snapshot.h"
#include "core/names.h"
#include "schedulers/scheduler_entry.h"

namespace tracebed {

class SnapshotBuilder {
 public:
  // All that are referred to outlive this; `label` is the scheduler's in the experiment. Trace time
  // is 0 about now.
  SnapshotBuilder(const Engine& engine, const Names& names, const ResourceDimensions& dimensions,
                  const ApplicationHistory& history, const SchedulerEntry& scheduler,
                  std::string label);

  // Looks at each queue, node, open application, ask and container.
  RunSnapshot take(TraceTime now) const;

 private:
  void add_nodes(RunSnapshot& snapshot) const;
  void add_applications(TraceTime now, RunSnapshot& snapshot) const;

  const Engine& engine_;
  const Names& names_;
  const ResourceDimensions& dimensions_;
  const ApplicationHistory& history_;
  const SchedulerEntry& scheduler_;
  const std::string label_;
  const std::int64_t began_ms_;
};

}  // namespace tracebed
