// Gangs of the ideal model, which run and end as a whole while nothing happens to one of them.
#include <algorithm>
#include <variant>

#include "coordinator/virtual/virtual_fleet.h"

namespace tracebed {

bool VirtualFleet::can_run_as_one(const LaunchGangContainers& command) const {
  const std::int64_t memory_limit = command.limits.memory_mib();
  const VirtualMemoryCheck& check = options_.virtual_memory;
  return options_.is_ideal && options_.faults.exceeded_memory <= 0 &&
         check.looks_survived_by(command.work.memory_mib, memory_limit) < 0 &&
         (memory_limit == 0 || command.work.memory_mib <= memory_limit) && is_plain(command.work) &&
         std::all_of(command.pieces.begin(), command.pieces.end(), [&](const GangPiece& piece) {
           const NodeModel& node = nodes_[piece.node.index()];
           return node.is_up && node.speed == 1'000;
         });
}

void VirtualFleet::launch(const LaunchGangContainers& command) {
  if (!can_run_as_one(command)) {
    return visit_containers(command, [this](const LaunchContainer& one) { launch(one); });
  }
  const std::uint32_t slot = gangs_.add(command.first);
  RunningGang& gang = gangs_.at(slot);
  gang.started = now_ + launch_latency_.draw();
  gang.work = command.work;
  gang.pieces.assign(command.pieces.begin(), command.pieces.end());
  events_.push(gang.started + gang.work.duration,
               {.kind = EventKind::gang_ends, .subject = command.first.value(), .instance = slot});
}

void VirtualFleet::break_up_gang_of(ContainerId container) {
  if (const auto slot = gangs_.slot_of(container)) break_up(*slot);
}

void VirtualFleet::break_up(std::uint32_t slot) {
  const RunningGang& gang = gangs_.at(slot);
  const ContainerId first = gangs_.first_of(slot);
  for (std::size_t i = 0; i < gang.pieces.size(); ++i) {
    RunningTask& task = running_.emplace_at(first + i);
    task.node = gang.pieces[i].node;
    task.started = gang.started;
    task.run_time = gang.work.duration;
    task.ends = task.started + task.run_time;
    task.work.add_side_by_side(gang.work, gang.pieces[i].units);
    schedule_end(first + i, task.ends);
  }
  gangs_.erase(slot);
}

void VirtualFleet::end_gang(ContainerId first, std::uint32_t slot, Round& round) {
  if (!gangs_.is_in(slot, first)) return;  // it was broken up
  const RunningGang& gang = gangs_.at(slot);
  auto& ended = std::get<GangEnded>(round.arrivals.emplace_back(std::in_place_type<GangEnded>));
  ended.first = first;
  ended.containers = static_cast<std::uint32_t>(gang.pieces.size());
  ContainerAccount& account = ended.account;
  account.started = gang.started;
  account.ended = gang.started + gang.work.duration;
  account.cpu_time = gang.work.cpu_time;
  account.memory_peak_mib = gang.work.memory_mib;
  account.bytes_read = gang.work.input_bytes + gang.work.shuffle_bytes;
  account.bytes_written = gang.work.output_bytes;
  gangs_.erase(slot);
}

}  // namespace tracebed
