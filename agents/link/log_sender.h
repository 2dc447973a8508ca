// What a long-running daemon has logged, for `tracebed cluster logs`: now and then, so that a flood
// of lines is no flood of messages. What is too much is lost, and counted.
#pragma once

#include <chrono>
#include <optional>

#include "daemon/daemon_log.h"
#include "protocol/wire_messages.h"

namespace tracebed::agent {

class LogSender {
 public:
  // The log outlives this; null: there is nothing to send.
  explicit LogSender(DaemonLog* log) : log_(log) {}

  // To be sent now; mostly nothing. Not asked while there is no session, which keeps the lines.
  std::optional<wire::LogLines> next();

 private:
  DaemonLog* log_;
  std::chrono::steady_clock::time_point due_{};
};

}  // namespace tracebed::agent
