// Has the scheduler take another configuration (YARN's refreshQueues), and keeps the outcome of
// each refresh.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "coordinator/engine/application_state.h"
#include "coordinator/engine/leaf_queues.h"
#include "coordinator/engine/step_context.h"
#include "core/fleet.h"
#include "core/result.h"
#include "core/scheduler.h"

namespace tracebed {

// Converts a configuration, whose files are texts, into what schedulers receive. Must be
// deterministic; fails with a sentence.
using ConfigurationReader =
    std::function<Result<SchedulerParameters>(const SchedulerConfiguration&)>;

// A refresh that was received.
struct EngineRefresh {
  TraceTime at{};
  std::string refusal;  // why the scheduler refused it; empty: it took it
};

class SchedulerRefreshes {
 public:
  // All but the reader outlive this. A null reader refuses every refresh.
  SchedulerRefreshes(ConfigurationReader reader, Scheduler& scheduler, const ClusterModel& cluster,
                     const ApplicationStates& applications, LeafQueues& leaves,
                     StepContext& context)
      : reader_(std::move(reader)),
        scheduler_(scheduler),
        cluster_(cluster),
        applications_(applications),
        leaves_(leaves),
        context_(context) {}

  // Takes those of the round, before anything else of it: at that point the scheduler has been
  // notified of everything in the model.
  void take(const Round& round);

  const std::vector<EngineRefresh>& all() const { return all_; }

 private:
  Status reconfigure(const SchedulerConfiguration& configuration);

  ConfigurationReader reader_;
  Scheduler& scheduler_;
  const ClusterModel& cluster_;
  const ApplicationStates& applications_;
  LeafQueues& leaves_;
  StepContext& context_;
  std::vector<EngineRefresh> all_;
};

}  // namespace tracebed
