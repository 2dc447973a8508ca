// The part of VirtualFleet that tasks add which report their progress
// (TaskWork::progress_interval). Those of a machine do so together, an interval after the first of
// them began and so on for as long as there are any, and their reports arrive at once, as a task's
// status does at its master (TaskUmbilicalProtocol.statusUpdate).
#include <algorithm>

#include "coordinator/virtual/virtual_fleet.h"
#include "core/preemption.h"

namespace tracebed {

void VirtualFleet::report_progress_from(ContainerId id, const RunningTask& task, TraceTime begun) {
  const auto interval = progress_intervals_.find(id);
  if (interval == progress_intervals_.end()) return;
  const auto [place, is_first] = progress_reports_.try_emplace(task.node);
  ProgressReports& reports = place->second;
  reports.tasks.insert(id);
  if (!is_first) return;
  reports.interval = interval->second;
  events_.push(begun + reports.interval, {.kind = EventKind::progress_is_due,
                                          .subject = task.node.value(),
                                          .instance = nodes_[task.node.index()].outages});
}

void VirtualFleet::report_progress(NodeId node, std::uint32_t outage, Round& round) {
  if (nodes_[node.index()].outages != outage) return;
  const auto place = progress_reports_.find(node);
  if (place == progress_reports_.end()) return;
  ProgressReports& reports = place->second;
  std::erase_if(reports.tasks, [this](ContainerId id) { return running_.find(id) == nullptr; });
  for (const ContainerId id : reports.tasks) {
    const RunningTask& task = running_[id];
    if (now_ < task.started || task.killed_at <= now_) continue;
    round.arrivals.push_back(AttemptProgress{id, progress_of(id, task)});
  }
  if (reports.tasks.empty()) {
    progress_reports_.erase(place);
    return;
  }
  events_.push(now_ + reports.interval,
               {.kind = EventKind::progress_is_due, .subject = node.value(), .instance = outage});
}

std::uint32_t VirtualFleet::progress_of(ContainerId id, const RunningTask& task) const {
  double done = part_done(id, task, now_);
  if (storage_) done = std::min(done, storage_->part_received(id, now_));
  return static_cast<std::uint32_t>(std::clamp(done, 0.0, 1.0) * whole_work);
}

}  // namespace tracebed
