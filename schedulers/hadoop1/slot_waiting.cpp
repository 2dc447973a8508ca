#include "schedulers/hadoop1/slot_waiting.h"

#include <algorithm>
#include <string>

namespace tracebed {

std::string_view name_of(SlotKind kind) {
  return kind == SlotKind::map ? "map" : "reduce";
}

std::vector<WaitingReason> why_slots_are_waited_for(const ClusterModel& cluster,
                                                    const SlotJobs& jobs, const SlotJob& job,
                                                    AskId id) {
  const auto ask = std::find_if(job.asks.begin(), job.asks.end(), [&](const SlotAsk& candidate) {
    return candidate.remaining > 0 && (!id.is_valid() || candidate.id == id);
  });
  if (ask == job.asks.end()) return {};
  const SlotTable& table = jobs.table();
  const std::string kind(name_of(ask->kind));
  bool has_machine = false;
  bool has_slot = false;
  for (const Node& node : cluster.nodes) {
    if (!node.alive) continue;
    has_machine |= cluster.could_hold(node, ask->demand) &&
                   (ask->is_master || table.unloaded_total(node.id, ask->kind) >= ask->slots);
    const bool has_free = ask->is_master || table.free(node.id, ask->kind) >= ask->slots;
    has_slot |= has_free;
    if (has_free && cluster.has_room(node, ask->demand)) {
      return {{WaitingFor::its_turn, "others come first, or the node's next heartbeat does"}};
    }
  }
  if (!has_machine) {
    return {{WaitingFor::larger_machines, "no node has the room, or the " +
                                              std::to_string(ask->slots) + " " + kind +
                                              " slots, that one task takes"}};
  }
  if (has_slot) return {{WaitingFor::room, "no node that has a free slot has room for the task"}};
  return {{WaitingFor::room, std::to_string(table.used(ask->kind)) + " of " +
                                 std::to_string(table.total(ask->kind)) + " " + kind +
                                 " slots are taken"}};
}

std::vector<WaitingReason> why_slots_are_waited_for(const ClusterModel& cluster,
                                                    const SlotJobs& jobs, const SlotJob& job,
                                                    AskId id, const DelayedJobs& delayed) {
  std::vector<WaitingReason> reasons = why_slots_are_waited_for(cluster, jobs, job, id);
  if (reasons.size() != 1 || reasons.front().reason != WaitingFor::its_turn) return reasons;
  if (auto reason = delayed.why_waiting(job.id)) reasons.front() = std::move(*reason);
  return reasons;
}

}  // namespace tracebed
