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
  metrics.family("tracebed_runs", Kind::gauge, "Runs that this coordinator keeps, by state.");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    metrics.sample(static_cast<double>(counts[i]), {{"state", name(run_states[i])}});
  }
  const std::optional<RunEntry> running = queue.running();
  if (!running || !running->progress) return;
  const RunProgress& progress = *running->progress;
  metrics.gauge("tracebed_run_number", "The number of the current run.",
                static_cast<double>(running->id));
  metrics.gauge("tracebed_run_jobs", "Jobs of the current replay.",
                static_cast<double>(progress.jobs));
  metrics.gauge("tracebed_run_jobs_submitted", "How many of them have been submitted.",
                static_cast<double>(progress.jobs_submitted));
  metrics.gauge("tracebed_run_jobs_ended", "How many of them have ended.",
                static_cast<double>(progress.jobs_ended));
  metrics.gauge("tracebed_run_containers", "Containers that it has allocated now.",
                static_cast<double>(progress.containers));
  metrics.gauge("tracebed_run_trace_seconds", "How far it is in trace time.",
                static_cast<double>(to_microseconds(progress.now)) / 1e6);
}

void add_agents(MetricsText& metrics, const AgentRoster::State& state) {
  const auto of_each = [&](std::string_view name, std::string_view help, auto value) {
    metrics.family(name, Kind::gauge, help);
    for (const RosterMember& member : state.members) {
      metrics.sample(value(member), {{"agent", member.machine.name}});
    }
  };
  of_each("tracebed_agent_up", "Whether the agent is there, not lost.",
          [](const RosterMember& member) { return member.is_alive ? 1.0 : 0.0; });
  of_each("tracebed_agent_launcher_up", "Whether it has its launcher.",
          [](const RosterMember& member) { return member.has_launcher ? 1.0 : 0.0; });
  of_each("tracebed_agent_drained", "Whether runs leave it out.",
          [](const RosterMember& member) { return member.is_drained ? 1.0 : 0.0; });
  of_each("tracebed_agent_waiting", "Whether it waits for the next run while one is in progress.",
          [](const RosterMember& member) { return member.is_waiting ? 1.0 : 0.0; });
  of_each("tracebed_agent_silent_seconds", "Time since its last message.",
          [now = std::chrono::steady_clock::now()](const RosterMember& member) {
            return std::chrono::duration<double>(now - member.last_heard).count();
          });
  of_each("tracebed_agent_clock_ahead_seconds", "How far its clock is ahead of the coordinator's.",
          [](const RosterMember& member) {
            return static_cast<double>(member.clock.ahead().count()) / 1e9;
          });
  of_each("tracebed_agent_run_containers", "Containers of the current run.",
          [](const RosterMember& member) { return static_cast<double>(member.containers); });
  of_each("tracebed_agent_vcores", "The vcores that it states.", [](const RosterMember& member) {
    return static_cast<double>(member.machine.capacity.milli_vcores()) / 1e3;
  });
  of_each("tracebed_agent_memory_bytes", "The memory that it states.",
          [](const RosterMember& member) {
            return static_cast<double>(member.machine.capacity.memory_mib()) * 1024 * 1024;
          });
  metrics.counter("tracebed_agents_refused_total", "Registrations that were refused.",
                  static_cast<double>(state.agents_refused));
  metrics.gauge("tracebed_agent_connections", "Connections of agents and masters.",
                static_cast<double>(state.connections.connections));
  metrics.counter("tracebed_agent_connections_cut_total",
                  "Connections to the agents' port that were refused or cut.",
                  static_cast<double>(state.connections.refused + state.connections.cut));
  metrics.counter("tracebed_keys_refused_total", "Connections with an unknown key.",
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
    metrics.gauge("tracebed_redis_up", "Whether the Redis that runs use answers.",
                  state.is_up || !state.is_known ? 1 : 0);
  }
  const GateFigures connections = server.connections();
  metrics.gauge("tracebed_control_connections", "Connections to the control service.",
                static_cast<double>(connections.connections));
  metrics.counter("tracebed_control_connections_cut_total",
                  "Connections to it that were refused or cut.",
                  static_cast<double>(connections.refused + connections.cut));
  metrics.counter("tracebed_control_refused_total",
                  "Calls of the control service without the right token.",
                  static_cast<double>(server.refused()));
  return metrics.text();
}

}  // namespace tracebed
