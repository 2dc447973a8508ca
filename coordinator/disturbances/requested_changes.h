// Applies to a replay the changes that its experiment schedules and that are requested of it, and
// reports the outcome of each.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/engine/engine.h"
#include "coordinator/engine/replay.h"
#include "coordinator/monitoring/run_observer.h"
#include "coordinator/monitoring/warnings.h"
#include "coordinator/resolving/resolved_experiment.h"

namespace tracebed {

// The drains of an experiment, and their ends, by time.
std::vector<AdministratorRequest> commands_of(const std::vector<DrainChoice>& drains);

class RequestedChanges {
 public:
  // What the scheduler's configurations are read with.
  struct Surroundings {
    const ScaleChoice& scale;
    const ResourceDimensions& dimensions;
  };

  // All but the configurations outlive it; `requests` may be null.
  RequestedChanges(const ScheduledConfigurations& configurations, const Surroundings& surroundings,
                   const Engine& engine, RunRequests* requests, Warnings& warnings);

  // The configuration in force with what the scheduler's controller wants, which becomes the first
  // of the next round; fails with a sentence. `keep` may change the scheduler's files before.
  Result<SchedulerConfiguration> tune(const std::string& queue, std::int64_t share,
                                      const std::function<void(ResolvedScheduler&)>& keep);
  // To be called first.
  std::optional<SchedulerConfiguration> due_refresh();
  std::vector<AdministratorRequest> due_commands() { return std::exchange(commands_, {}); }
  // At the time of the round.
  void after_round(TraceTime now);

 private:
  void report(std::int64_t request, bool was_taken, const std::string& outcome);
  void show() const;
  void take(std::int64_t number, const AdministratorRequest& request);
  // They throw InputError if it is refused.
  ResolvedScheduler changed_by(const RequestedRefresh& request) const;
  ResolvedScheduler changed_by(const RequestedTuning& request) const;
  ResolvedScheduler changed_by(const RequestedUpdate& request) const;

  ResolvedScheduler latest_;  // the scheduler's current configuration
  Surroundings surroundings_;
  const Engine& engine_;
  RunRequests* requests_;
  Warnings& warnings_;
  std::vector<AdministratorRequest> commands_;
  struct Coming {
    ResolvedScheduler scheduler;
    bool is_tuned = false;     // by the controller, whose rows have the outcome
    std::int64_t request = 0;  // 0: of nobody
  };
  std::deque<Coming> to_come_;  // in the order in which the engine receives them
  std::size_t refreshes_reported_ = 0;
  std::size_t nodes_reported_ = 0;
  TraceTime now_{};
};

}  // namespace tracebed
