// What the parts of the engine share during a step: its time, and the lists that collect their
// output. Each part reads the time and appends; only the engine empties.
#pragma once

#include <utility>
#include <vector>

#include "coordinator/engine/decision_digest.h"
#include "coordinator/engine/engine_counters.h"
#include "core/check.h"
#include "core/fleet.h"
#include "core/ids.h"
#include "core/records.h"
#include "core/scheduler_events.h"
#include "core/time.h"

namespace tracebed {

class StepContext {
 public:
  // `sink` outlives this.
  explicit StepContext(RecordSink& sink) : records(sink) {}

  void begin(TraceTime time, std::vector<Command>& commands) {
    TRACEBED_CHECK(time >= now_, "time does not run backwards");
    now_ = time;
    commands_ = &commands;
  }
  void end() { commands_ = nullptr; }

  TraceTime now() const { return now_; }

  // Appends a command, constructed in place since some are large and a run makes one for every
  // container.
  template <class Kind, class... Arguments>
  Kind& command(Arguments&&... arguments) {
    return std::get<Kind>(commands_->emplace_back(std::in_place_type<Kind>,
                                                  Kind{std::forward<Arguments>(arguments)...}));
  }
  template <class Kind>
  Kind& command() {
    return std::get<Kind>(commands_->emplace_back(std::in_place_type<Kind>));
  }

  // For the scheduler's next call.
  std::vector<SchedulerEvent> events;
  // Nodes that left, or were drained of their last container: the output of finished tasks there is
  // lost, and their masters have not been notified yet.
  std::vector<NodeId> lost_outputs;
  DecisionDigest digest;
  EngineCounters counters;
  RecordSink& records;
  bool cluster_changed = false;  // since the last sample

 private:
  TraceTime now_{};
  std::vector<Command>* commands_ = nullptr;
};

}  // namespace tracebed
