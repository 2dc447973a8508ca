// The contract of controllers: pure control loops that change a parameter of a running scheduler's
// configuration. A controller gets what a monitor of the cluster sees, at times that it chooses
// itself, and returns the value that it wants; the engine's room measures and delivers
// (coordinator/engine/control_loop.h). It uses no clock, I/O, thread or unseeded randomness.
//
// Changes reach the scheduler as refreshes, which are arrivals of the log: a run decides again
// without its controller.
#pragma once

#include <cstdint>
#include <optional>

#include "core/time.h"

namespace tracebed {

// Shares are parts per million.
inline constexpr std::int64_t whole_share = 1'000'000;

// What is known of a leaf queue and of the cluster at `now`; what YARN's ResourceManager shows at
// /ws/v1/cluster/metrics and /scheduler.
struct ControllerInput {
  TraceTime now{};
  // Applications of the queue whose master has no container yet (YARN: appsPending), and those
  // whose master was launched (appsRunning).
  std::uint32_t pending = 0;
  std::uint32_t running = 0;
  // Of all nodes that take containers: their memory, and what is allocated of it; of that, the
  // queue's part, and that of application masters of all queues, exactly.
  std::int64_t memory_total_mib = 0;
  std::int64_t memory_used_mib = 0;
  std::int64_t queue_used_mib = 0;
  std::int64_t masters_mib = 0;
};

struct ControllerStep {
  // The value that the parameter is to have; none: as it is.
  std::optional<std::int64_t> value = {};
  Duration next{};  // until the next step; positive
};

// What became of a change that a controller wanted.
enum class ControlOutcome : std::uint8_t {
  taken,    // the scheduler is configured so
  refused,  // it is no share, or the scheduler does not take it
  dropped,  // another overtook it, or the run ended first
};

class Controller {
 public:
  virtual ~Controller() = default;

  // The first call is at the controller's start, the others at the times that it asked for, or
  // later where a real machine is late.
  virtual ControllerStep step(const ControllerInput& input) = 0;

  // The scheduler did not take the last value that was wanted: `in_force` is the parameter's.
  virtual void refused(std::int64_t in_force) = 0;
};

}  // namespace tracebed
