// The part of RealFleet that accounts for containers: what agents say of their ends, and what they
// still have when they come back.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

#include "coordinator/real/real_fleet.h"
#include "core/mebibyte.h"

namespace tracebed {

// Brings what the engine believes of the node's containers and what the agent reports together
// again.
void RealFleet::reconcile(NodeId node, const wire::Hello& hello, Round& round) {
  AgentRecord& agent = agents_[node.index()];
  take_exits(node, hello.exits, round);
  std::unordered_set<ContainerId> running(hello.running.begin(), hello.running.end());
  wire::ContinueBatch continues;
  wire::KillBatch kills;
  wire::CheckpointBatch checkpoints;
  for (const ContainerId container : hello.running) {
    const auto known = agent.containers.find(container);
    const bool is_stray = known == agent.containers.end();
    if (is_stray) ++counters_.strays_killed;
    if (is_stray || known->second.kill_ordered) {
      kills.containers.push_back(container);
      continue;
    }
    if (known->second.was_continued) continues.containers.push_back(container);
    if (known->second.checkpoint_ordered) checkpoints.containers.push_back(container);
  }
  if (!continues.containers.empty()) send(node, std::move(continues));
  if (!kills.containers.empty()) send(node, std::move(kills));
  if (!checkpoints.containers.empty()) send(node, std::move(checkpoints));
  const TraceTime now = advance_clock();
  for (auto it = agent.containers.begin(); it != agent.containers.end();) {
    if (running.contains(it->first)) {
      ++it;
      continue;
    }
    // The launch never reached the agent, nor will it, as its session is over; or its launcher was
    // killed and took the container with it. Neither is the task's failure.
    ++counters_.launches_lost;
    ContainerEnded ended;
    ended.container = it->first;
    ended.node = node;
    ended.end = it->second.kill_ordered ? ContainerEnd::killed : ContainerEnd::node_lost;
    ended.account.started = ended.account.ended = now;
    round.arrivals.push_back(ended);
    if (it->second.master_session != 0) forget_master(it->second.master_session);
    it = agent.containers.erase(it);
  }
}

void RealFleet::take_exits(NodeId node, const std::vector<wire::ContainerExit>& exits,
                           Round& round) {
  AgentRecord& agent = agents_[node.index()];
  for (const wire::ContainerExit& exit : exits) {
    agent.exits_seen = std::max(agent.exits_seen, exit.sequence);
    const auto known = agent.containers.find(exit.container);
    if (known == agent.containers.end()) {
      // Told before, or the end of one that the engine counts as lost.
      ++counters_.repeats;
      continue;
    }
    look_at_exit(agent, exit, known->second.expected);
    round.arrivals.push_back(to_arrival(node, exit, known->second.ordered));
    if (known->second.master_session != 0) forget_master(known->second.master_session);
    agent.containers.erase(known);
    if (!exit.diagnostics.empty()) {
      warn_(fmt::format("container {} on {}: {}", exit.container.value(), agent.machine.name,
                        exit.diagnostics));
    }
  }
}

void RealFleet::look_at_exit(const AgentRecord& agent, const wire::ContainerExit& exit,
                             const ExpectedUse& expected) {
  if (exit.end == ContainerEnd::succeeded && expected.is_limited &&
      expected.cpu_time > WallDuration::zero()) {
    const auto microseconds_of = [](WallDuration time) {
      return static_cast<std::uint64_t>(
          std::max<std::int64_t>(std::chrono::duration_cast<Duration>(time).count(), 0));
    };
    counters_.task_cpu += microseconds_of(exit.cpu_time);
    counters_.task_cpu_work += microseconds_of(expected.cpu_time);
  }
  const std::optional<std::string> why = why_implausible(exit, expected);
  if (!why || counters_.exits_implausible++ > 0) return;
  warn_(fmt::format(
      "agent {} reported an implausible exit of container {}: {}; further ones are only counted",
      agent.machine.name, exit.container.value(), *why));
}

ContainerEnded RealFleet::to_arrival(NodeId node, const wire::ContainerExit& exit,
                                     TraceTime ordered) const {
  // Clocks are read in different processes, so stamps are brought into the order that the records
  // promise: ordered ≤ started ≤ ended ≤ now.
  const TraceTime now = std::max(ordered, clock_.now());
  const AgentRecord& agent = agents_[node.index()];
  const auto stamp = [&](wire::WallTime at) {
    return std::clamp(clock_.at(to_monotonic(agent, at)), ordered, now);
  };
  ContainerEnded ended;
  ended.container = exit.container;
  ended.node = node;
  ended.end = exit.end;
  ended.account.started = stamp(exit.started);
  ended.account.ended = std::max(ended.account.started, stamp(exit.ended));
  ended.account.cpu_time = clock_.to_trace(exit.cpu_time);
  ended.account.memory_peak_mib = (exit.memory_peak_bytes + mebibyte - 1) / mebibyte;
  ended.account.bytes_read = exit.bytes_read;
  ended.account.bytes_written = exit.bytes_written;
  static_cast<TaskAccount&>(ended.account) = exit.account;
  ended.account.exit_code = exit.exit_code;
  ended.account.signal = exit.signal;
  ended.account.progress = exit.progress;
  return ended;
}

}  // namespace tracebed
