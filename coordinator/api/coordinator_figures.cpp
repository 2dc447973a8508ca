#include "coordinator/api/coordinator_figures.h"

#include <algorithm>
#include <chrono>

#include "coordinator/real/agent_roster.h"
#include "coordinator/real/redis_monitor.h"
#include "daemon/metrics_text.h"
#include "daemon/process_figures.h"

namespace tracebed {
namespace {

using Kind = MetricsText::Kind;

void add_runs(MetricsText& metrics, const RunQueue& queue) {
  const auto counts = queue.counts();
  metrics.family("tracebed_runs", Kind::gauge,
                 "Number of runs kept by this coordinator, by state.");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    metrics.sample(static_cast<double>(counts[i]), {{"state", name(run_states[i])}});
  }
  metrics.gauge("tracebed_queue_paused",
                "1 if waiting runs do not begin because something is away that they need.",
                queue.paused_for().empty() ? 0 : 1);
  const std::optional<RunEntry> running = queue.running();
  if (!running || !running->progress) return;
  const RunProgress& progress = *running->progress;
  metrics.gauge("tracebed_run_number", "Number of the current run.",
                static_cast<double>(running->id));
  metrics.gauge("tracebed_run_jobs", "Number of jobs of the current replay.",
                static_cast<double>(progress.jobs));
  metrics.gauge("tracebed_run_jobs_submitted", "Number of jobs submitted in the current replay.",
                static_cast<double>(progress.jobs_submitted));
  metrics.gauge("tracebed_run_jobs_ended", "Number of jobs ended in the current replay.",
                static_cast<double>(progress.jobs_ended));
  metrics.gauge("tracebed_run_containers", "Number of containers allocated in the current replay.",
                static_cast<double>(progress.containers));
  metrics.gauge("tracebed_run_trace_seconds", "Trace time of the current replay.",
                static_cast<double>(to_microseconds(progress.now)) / 1e6);
}

void add_agents(MetricsText& metrics, const AgentRoster::State& state) {
  const auto of_each = [&](std::string_view name, std::string_view help, auto value) {
    metrics.family(name, Kind::gauge, help);
    for (const RosterMember& member : state.members) {
      metrics.sample(value(member), {{"agent", member.machine.name}});
    }
  };
  of_each("tracebed_agent_up", "1 if the agent is alive, 0 if it is lost.",
          [](const RosterMember& member) { return member.is_alive ? 1.0 : 0.0; });
  of_each("tracebed_agent_launcher_up", "1 if the agent is connected to its launcher.",
          [](const RosterMember& member) { return member.has_launcher ? 1.0 : 0.0; });
  of_each("tracebed_agent_drained", "1 if the agent is drained.",
          [](const RosterMember& member) { return member.is_drained ? 1.0 : 0.0; });
  of_each("tracebed_agent_waiting",
          "1 if the agent waits for the next run while one is in progress.",
          [](const RosterMember& member) { return member.is_waiting ? 1.0 : 0.0; });
  of_each("tracebed_agent_silent_seconds", "Time since the agent's last message.",
          [now = std::chrono::steady_clock::now()](const RosterMember& member) {
            return std::chrono::duration<double>(now - member.last_contact).count();
          });
  of_each("tracebed_agent_clock_ahead_seconds",
          "Offset of the agent's clock; positive if it is ahead of the coordinator's.",
          [](const RosterMember& member) {
            return static_cast<double>(member.clock.ahead().count()) / 1e9;
          });
  of_each("tracebed_agent_run_containers", "Number of the agent's containers in the current run.",
          [](const RosterMember& member) { return static_cast<double>(member.containers); });
  of_each("tracebed_agent_vcores", "Capacity of the agent in vcores.",
          [](const RosterMember& member) {
            return static_cast<double>(member.machine.capacity.milli_vcores()) / 1e3;
          });
  of_each("tracebed_agent_memory_bytes", "Memory capacity of the agent.",
          [](const RosterMember& member) {
            return static_cast<double>(member.machine.capacity.memory_mib()) * 1024 * 1024;
          });
  metrics.counter("tracebed_agents_refused_total", "Number of registrations refused.",
                  static_cast<double>(state.agents_refused));
  metrics.gauge("tracebed_agent_connections", "Number of connections from agents and masters.",
                static_cast<double>(state.connections.connections));
  metrics.counter("tracebed_agent_connections_cut_total",
                  "Number of connections to the agents' port that were refused or closed.",
                  static_cast<double>(state.connections.refused + state.connections.cut));
  metrics.counter("tracebed_keys_refused_total",
                  "Number of connections refused for an unknown key.",
                  static_cast<double>(state.keys_refused));
}

}  // namespace

std::string coordinator_figures(const RunQueue& queue, const AgentRoster* roster,
                                const ControlServer& server, const RedisMonitor* redis) {
  MetricsText metrics;
  add_process_figures(metrics, "coordinator", TRACEBED_VERSION);
  add_runs(metrics, queue);
  if (roster != nullptr) add_agents(metrics, roster->state());
  if (redis != nullptr) {
    const RedisMonitor::State state = redis->state();
    metrics.gauge("tracebed_redis_up", "1 if the Redis used by runs is reachable.",
                  state.is_up || !state.is_known ? 1 : 0);
    metrics.gauge("tracebed_redis_runs", "Number of replays whose state Redis holds.",
                  static_cast<double>(state.runs));
    metrics.gauge("tracebed_redis_keys", "Number of keys of replays that have ended in Redis.",
                  static_cast<double>(state.keys));
    metrics.gauge("tracebed_redis_log_bytes", "Memory that their logs take in Redis.",
                  static_cast<double>(state.log_bytes));
  }
  const GateFigures connections = server.connections();
  metrics.gauge("tracebed_control_connections", "Number of connections to the control service.",
                static_cast<double>(connections.connections));
  metrics.counter("tracebed_control_connections_cut_total",
                  "Number of connections to the control service that were refused or closed.",
                  static_cast<double>(connections.refused + connections.cut));
  metrics.counter("tracebed_control_refused_total",
                  "Number of calls to the control service without a valid token.",
                  static_cast<double>(server.refused()));
  return metrics.text();
}

}  // namespace tracebed
