#include "agents/agent/agent_figures.h"

#include <nlohmann/json.hpp>

#include "daemon/metrics_text.h"
#include "daemon/process_figures.h"

namespace tracebed::agent {

std::string to_text(const AgentFigures& figures) {
  const SessionFigures& session = figures.session;
  const auto number = [](auto value) { return static_cast<double>(value); };
  MetricsText metrics;
  add_process_figures(metrics, "agent", TRACEBED_VERSION);
  metrics.gauge("tracebed_agent_registered", "1 if the agent is registered with the coordinator.",
                number(session.is_welcome));
  metrics.gauge("tracebed_agent_in_run", "1 if the agent takes part in a run.",
                number(session.has_run));
  metrics.gauge("tracebed_agent_containers", "Number of running containers.",
                number(session.running));
  metrics.gauge("tracebed_agent_exits_unacknowledged",
                "Number of container exits not yet acknowledged by the coordinator.",
                number(session.exits));
  metrics.counter("tracebed_agent_containers_started_total", "Number of containers started.",
                  number(session.counters.started));
  metrics.counter("tracebed_agent_containers_ended_total", "Number of containers ended.",
                  number(session.counters.ended));
  metrics.counter("tracebed_agent_messages_misplaced_total",
                  "Number of messages received for another run, session or epoch.",
                  number(session.counters.misplaced));
  metrics.counter("tracebed_agent_messages_repeated_total", "Number of messages received again.",
                  number(session.counters.repeats));
  metrics.counter("tracebed_agent_message_gaps_total",
                  "Number of gaps in the message sequence, each followed by a new registration.",
                  number(session.counters.gaps));
  metrics.counter("tracebed_agent_messages_malformed_total",
                  "Number of malformed messages received.", number(figures.garbage));
  metrics.counter("tracebed_agent_messages_unsent_total",
                  "Number of messages dropped because the queue to the coordinator was full.",
                  number(figures.unsent));
  metrics.gauge("tracebed_launcher_connected", "1 if the agent is connected to its launcher.",
                number(figures.has_launcher));
  metrics.counter("tracebed_launcher_losses_total",
                  "Number of lost or failed connections to the launcher.",
                  number(figures.launchers_lost));
  metrics.counter("tracebed_launcher_containers_cpu_seconds_total",
                  "CPU time of all containers since the launcher started, as last reported.",
                  number(session.cpu_time_us) / 1e6);
  metrics.gauge("tracebed_launcher_containers_memory_bytes",
                "Memory of all containers, as last reported.", number(session.memory_bytes));
  return metrics.text();
}

HttpResponse health(const AgentFigures& figures) {
  const bool is_registered = figures.session.is_welcome;
  const bool is_ready = is_registered && figures.has_launcher;
  const std::string coordinator = is_registered             ? "registered"
                                  : figures.refusal.empty() ? "does not answer"
                                                            : "refuses: " + figures.refusal;
  const nlohmann::ordered_json body{{"status", is_ready ? "ok" : "degraded"},
                                    {"coordinator", coordinator},
                                    {"launcher", figures.has_launcher ? "ok" : "does not answer"}};
  return {is_ready ? 200 : 503, "application/json;charset=utf-8",
          body.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
}

}  // namespace tracebed::agent
