// What an agent logs about the connection to its coordinator: one line when there is trouble,
// another when the trouble changes, and one when it is over. It has no clock of its own, so it is
// tested in simulated time.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "agents/agent/agent_session.h"
#include "agents/link/coordinator_socket.h"

namespace tracebed::agent {

class CoordinatorMonitor {
 public:
  // Between two runs an agent registers anew, which takes less than this.
  static constexpr std::chrono::seconds trouble_after{3};

  // `has_keys`: whether the two sides authenticate each other.
  CoordinatorMonitor(std::string coordinator, bool has_keys)
      : coordinator_(std::move(coordinator)), has_keys_(has_keys) {}

  struct Line {
    bool is_trouble = false;
    std::string text;
  };
  // The current state; returns a line if there is something to report. `waits` is true while the
  // agent does not try to register, because it has no launcher yet or was refused with a reason,
  // which is reported elsewhere.
  std::optional<Line> look(SteadyTime now, bool is_welcome, bool waits, LinkState link);

 private:
  std::string trouble_text(LinkState link) const;

  std::string coordinator_;
  bool has_keys_;
  bool was_welcome_ = false;  // ever
  std::optional<SteadyTime> asks_since_;
  std::optional<LinkState> told_;  // the trouble that was logged, and is not over
};

}  // namespace tracebed::agent
