// The control loop around a controller (core/controller.h): measures what it gets, calls it when it
// asked to be called, and delivers what it wants as refreshes of the scheduler, which take effect
// after a latency. What is measured is the state after a round; so a run whose controller changes
// nothing decides as it would without one.
//
// A change that is not delivered when the controller wants another is dropped, as is one at the end
// of the run. A value below 0 or above 1 is refused without asking the scheduler. After a refusal,
// this one or the scheduler's, the loop continues with the value in force.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "coordinator/engine/engine.h"
#include "core/controller.h"
#include "core/fleet.h"
#include "core/result.h"
#include "core/time.h"

namespace tracebed {

struct ControlLoopOptions {
  enum class Start : std::uint8_t { first_submission, run };

  std::string queue;   // the path of a leaf
  Duration latency{};  // from the controller's step to the scheduler's refresh; not negative
  Start start = Start::first_submission;
};

// A change that a controller wanted, once its outcome is known.
struct ControlChange {
  ControllerInput input;  // of the step
  TraceTime due{};        // when it was to be delivered
  std::int64_t before = 0;
  std::int64_t wanted = 0;
  ControlOutcome outcome = ControlOutcome::taken;
  std::string reason;  // why it was refused
};

// The configuration with this share, for the scheduler as it is configured when this is called;
// fails with a sentence.
using ShareConfiguration = std::function<Result<SchedulerConfiguration>(std::int64_t share)>;
using ControlObserver = std::function<void(const ControlChange&)>;

// Of the leaf queue `path`, between rounds. Takes time in proportion to the open applications.
ControllerInput observe(const Engine& engine, std::string_view path);

class ControlLoop {
 public:
  // `share` is in force when the run begins. The engine outlives this. The observer is called with
  // each change once its outcome is known.
  ControlLoop(const Engine& engine, std::unique_ptr<Controller> controller,
              ControlLoopOptions options, std::int64_t share, ShareConfiguration configuration,
              ControlObserver observer);

  // When the next step or change is due: the fleet must not wait longer.
  TraceTime next_due() const;
  // Before a round at its time: adds the change that is due, which must be its first configuration.
  void add_due(Round& round);
  // After a round, at its time.
  void after_round(TraceTime now);
  // Nothing more is measured or delivered.
  void stop();

 private:
  struct Delivered {
    ControlChange change;
    std::size_t refresh = 0;  // of Engine::refreshes()
  };

  void settle();
  void take_step(TraceTime now);
  void end(ControlChange change, ControlOutcome outcome, std::string reason = {});

  const Engine& engine_;
  std::unique_ptr<Controller> controller_;
  ControlLoopOptions options_;
  ShareConfiguration configuration_;
  ControlObserver observer_;
  std::int64_t in_force_;
  TraceTime next_step_ = never;
  bool has_started_ = false;
  std::optional<ControlChange> wanted_;  // not delivered yet
  std::optional<Delivered> delivered_;   // in the round that is being taken
};

}  // namespace tracebed
