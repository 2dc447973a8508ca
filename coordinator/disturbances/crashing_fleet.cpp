#include "coordinator/disturbances/crashing_fleet.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/input_error.h"
#include "system/quantities.h"

namespace tracebed {

std::vector<PlannedCrash> planned_crashes(const std::vector<CrashChoice>& crashes,
                                          const std::vector<Machine>& machines) {
  std::vector<PlannedCrash> planned;
  for (const CrashChoice& choice : crashes) {
    PlannedCrash crash{choice.at, NodeId(), choice.down};
    if (!choice.node.empty()) {
      const auto found =
          std::find_if(machines.begin(), machines.end(),
                       [&](const Machine& machine) { return machine.name == choice.node; });
      if (found == machines.end()) {
        throw InputError(
            fmt::format("{}: expected `node` to be the name of one of the run's {} machines, got "
                        "\"{}\"",
                        choice.where, machines.size(), choice.node));
      }
      crash.node = NodeId(static_cast<std::size_t>(found - machines.begin()));
    }
    planned.push_back(crash);
  }
  return planned;
}

CrashingFleet::CrashingFleet(RunWorld& world, std::vector<PlannedCrash> crashes,
                             const Engine& engine)
    : world_(world), engine_(engine) {
  for (const PlannedCrash& crash : crashes) {
    if (crash.at) {
      at_times_.emplace(*crash.at, crash);
    } else {
      on_occasion_.push_back(crash);
    }
  }
}

void CrashingFleet::execute(std::span<const Command> commands, const HeartbeatInterest& interest) {
  world_.fleet().execute(commands, interest);
  for (auto it = on_occasion_.begin(); it != on_occasion_.end();) {
    const NodeId node = node_in_preemption(it->node);
    if (!node.is_valid()) {
      ++it;
      continue;
    }
    crash(node, *it);
    it = on_occasion_.erase(it);
  }
}

void CrashingFleet::wait_until(TraceTime deadline, Round& round) {
  while (!at_times_.empty() && at_times_.begin()->first <= now_) {
    const PlannedCrash due = at_times_.extract(at_times_.begin()).mapped();
    crash(due.node, due);
  }
  while (!returns_.empty() && returns_.begin()->first <= now_) {
    world_.bring_back(returns_.extract(returns_.begin()).mapped(), now_);
  }
  const TraceTime next_crash = at_times_.empty() ? never : at_times_.begin()->first;
  const TraceTime next_return = returns_.empty() ? never : returns_.begin()->first;
  world_.fleet().wait_until(std::min({deadline, next_crash, next_return}), round);
  if (round.now != never) now_ = round.now;
}

bool CrashingFleet::expects_changes() const {
  return !at_times_.empty() || !returns_.empty() || world_.fleet().expects_changes();
}

std::vector<std::string> CrashingFleet::remarks(const std::vector<Machine>& machines) const {
  std::vector<std::string> remarks;
  for (const auto& [at, crash] : at_times_) {
    remarks.push_back(fmt::format("the crash of {} at {} did not happen: the run ended before",
                                  machines[crash.node.index()].name,
                                  duration_text(at.time_since_epoch())));
  }
  for (const PlannedCrash& crash : on_occasion_) {
    remarks.push_back(
        fmt::format("the crash of {} during a preemption did not happen: none of its containers "
                    "was marked for preemption",
                    crash.node.is_valid() ? machines[crash.node.index()].name : "a node"));
  }
  return remarks;
}

void CrashingFleet::crash(NodeId node, const PlannedCrash& crash) {
  world_.crash(node, now_, crash.down.has_value());
  if (crash.down) returns_.emplace(now_ + *crash.down, node);
}

NodeId CrashingFleet::node_in_preemption(NodeId node) const {
  NodeId found;
  engine_.preemptions().for_each([&](const PreemptionRequest& request) {
    const bool is_on_node = !node.is_valid() || request.node == node;
    if (!found.is_valid() && is_on_node && !request.is_forced && !request.is_orphaned)
      found = request.node;
  });
  return found;
}

}  // namespace tracebed
