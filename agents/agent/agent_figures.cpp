#include "agents/agent/agent_figures.h"

#include "daemon/metrics_text.h"
#include "daemon/process_figures.h"

namespace tracebed::agent {

std::string to_text(const AgentFigures& figures) {
  const SessionFigures& session = figures.session;
  const auto number = [](auto value) { return static_cast<double>(value); };
  MetricsText metrics;
  add_process_figures(metrics, "agent", TRACEBED_VERSION);
  metrics.gauge("tracebed_agent_registered", "Whether the coordinator has taken it.",
                number(session.is_welcome));
  metrics.gauge("tracebed_agent_in_run", "Whether it serves a run.", number(session.has_run));
  metrics.gauge("tracebed_agent_containers", "Containers that run.", number(session.running));
  metrics.gauge("tracebed_agent_exits_unacknowledged",
                "Ends of containers that the coordinator has not acknowledged.",
                number(session.exits));
  metrics.counter("tracebed_agent_containers_started_total", "Containers that have begun.",
                  number(session.counters.started));
  metrics.counter("tracebed_agent_containers_ended_total", "Containers that have ended.",
                  number(session.counters.ended));
  metrics.counter("tracebed_agent_messages_misplaced_total",
                  "Messages of another run, session or epoch.", number(session.counters.misplaced));
  metrics.counter("tracebed_agent_messages_repeated_total", "Messages that came once more.",
                  number(session.counters.repeats));
  metrics.counter("tracebed_agent_message_gaps_total",
                  "Gaps between messages, after which it registered anew.",
                  number(session.counters.gaps));
  metrics.counter("tracebed_agent_messages_malformed_total", "Messages that could not be read.",
                  number(figures.garbage));
  metrics.counter("tracebed_agent_messages_unsent_total",
                  "Messages that the queue to the coordinator did not take.",
                  number(figures.unsent));
  metrics.gauge("tracebed_launcher_connected", "Whether the agent has its launcher.",
                number(figures.has_launcher));
  metrics.counter("tracebed_launcher_losses_total",
                  "Connections to it that were lost, or could not be had at first.",
                  number(figures.launchers_lost));
  metrics.counter("tracebed_launcher_containers_cpu_seconds_total",
                  "CPU time of all containers since the launcher began, as it told last.",
                  number(session.cpu_time_us) / 1e6);
  metrics.gauge("tracebed_launcher_containers_memory_bytes",
                "Memory of all containers, as it told last.", number(session.memory_bytes));
  return metrics.text();
}

}  // namespace tracebed::agent
