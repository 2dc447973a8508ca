// The agent's figures for Prometheus, those of its launcher among them. docs/operating.md lists the
// names.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "agents/agent/agent_session.h"
#include "daemon/http_server.h"

namespace tracebed::agent {

struct AgentFigures {
  SessionFigures session;
  bool has_launcher = false;  // that answers
  std::string refusal;        // why the coordinator refuses the agent; empty if it does not
  std::uint64_t launchers_lost = 0;
  std::uint64_t garbage = 0;  // malformed messages of the coordinator
  std::uint64_t unsent = 0;   // messages to it that its queue did not take
};

std::string to_text(const AgentFigures& figures);

// What a probe of Kubernetes' kind asks: 200 while the agent can run containers, else 503; the body
// says what is missing.
HttpResponse health(const AgentFigures& figures);

// Kept by the agent's loop, read by the server's thread.
class FigureBoard {
 public:
  void set(const AgentFigures& figures) {
    const std::lock_guard lock(mutex_);
    figures_ = figures;
  }
  AgentFigures get() const {
    const std::lock_guard lock(mutex_);
    return figures_;
  }

 private:
  mutable std::mutex mutex_;
  AgentFigures figures_;
};

}  // namespace tracebed::agent
