// The part of VirtualFleet that machines add which were given more than they have: their containers
// share it. The end of a task that shares is not known, as it depends on what begins beside it: it
// is `never` in its RunningTask while it works.
#include <algorithm>

#include "coordinator/virtual/virtual_fleet.h"

namespace tracebed {

bool VirtualFleet::shares(const RunningTask& task) const {
  return task.ends == never && !task.is_held;
}

double VirtualFleet::part_done(ContainerId id, const RunningTask& task, TraceTime at) const {
  if (!shares(task)) return part_done(task, at);
  // Nothing of what has not begun. One that was stopped has done no more since.
  const auto run_time = static_cast<double>(task.run_time.count());
  return 1 - shared_[task.node].left(id, now_).value_or(run_time) / run_time;
}

TraceTime VirtualFleet::expected_end(ContainerId id, const RunningTask& task) const {
  if (!shares(task)) return task.ends;
  if (now_ < task.started) return task.started + task.run_time;
  return shared_[task.node].done_at(id);
}

template <class Change>
void VirtualFleet::change_shares(NodeId node, Change&& change) {
  shared_.change(node, change);
  pace_files(node);
}

void VirtualFleet::pace_files(NodeId node) {
  if (!storage_) return;
  shared_[node].for_each_working([&](ContainerId id) {
    if (!waits_for_files(id)) return;
    const double part_left = 1 - part_done(id, running_[id], now_);
    const TraceTime due = shared_[node].done_at(id);
    if (part_left <= 0 || due == never) return;
    const double run_time = static_cast<double>((due - now_).count()) / part_left;
    storage_->pace(id, Duration(static_cast<std::int64_t>(run_time)), due, now_);
  });
}

// What its containers demand at most is compared: there is nothing to share while that fits, and
// nothing to do for it.
void VirtualFleet::share_if_oversubscribed(NodeId node) {
  const Resources& capacity = machines_[node.index()].capacity;
  if (!shared_.is_too_much(nodes_[node.index()].usage, capacity) || shared_.has(node)) return;
  shared_.add(node, capacity);
  std::vector<ContainerId> there;
  running_.for_each([&](ContainerId container, const RunningTask& task) {
    if (task.node == node) there.push_back(container);
  });
  for (const ContainerId container : there) take_over(container, running_[container]);
}

void VirtualFleet::take_over(ContainerId id, RunningTask& task) {
  if (task.is_held || task.run_time == Duration::zero()) return;
  const bool goes = task.killed_at <= now_ || task.end == ContainerEnd::checkpointed;
  if (task.ends <= now_ || goes) {
    return change_shares(
        task.node, [&](CoreShares& machine) { machine.hold(id, task.work.memory_mib, now_); });
  }
  if (now_ < task.started) return share(id, task);
  const Duration left = task.ends - now_;
  expect_memory_look(task, task.ends - task.run_time, never);
  if (task.killed_at != never) schedule_end(id, task.killed_at);
  task.ends = never;
  begin_sharing(id, task, left);
}

void VirtualFleet::share(ContainerId id, RunningTask& task) {
  const TraceTime begun = std::max(now_, task.started);
  // It may last for long enough.
  expect_memory_look(task, begun, never);
  if (task.killed_at != never) schedule_end(id, task.killed_at);
  task.ends = never;
  if (begun == now_) return begin_sharing(id, task, task.run_time);
  events_.push(begun, {.kind = EventKind::sharing_begins, .subject = id.value()});
}

void VirtualFleet::begin_sharing(ContainerId id) {
  const RunningTask* task = running_.find(id);
  // Gone meanwhile, or stopped.
  if (task == nullptr || task->end == ContainerEnd::checkpointed) return;
  begin_sharing(id, *task, task->run_time);
}

void VirtualFleet::begin_sharing(ContainerId id, const RunningTask& task, Duration left) {
  const Resources usage = usage_of(task.work, task.run_time);
  change_shares(task.node, [&](CoreShares& machine) {
    machine.begin(id,
                  {.milli_cores = usage.milli_vcores(),
                   .weight = task.cpu_weight,
                   .memory_mib = usage.memory_mib(),
                   .run_time = left},
                  now_);
  });
}

void VirtualFleet::stop_sharing(ContainerId id, const RunningTask& task) {
  if (!shares(task)) return;
  change_shares(task.node, [&](CoreShares& machine) { machine.stop(id, now_); });
}

void VirtualFleet::end_sharing(ContainerId id, NodeId node) {
  if (!shared_.has(node)) return;
  change_shares(node, [&](CoreShares& machine) { machine.end(id, now_); });
}

void VirtualFleet::take_shared_ends(Round& round) {
  shared_done_.clear();
  shared_.take_done(now_, shared_done_);
  for (const ContainerId id : shared_done_) {
    RunningTask& task = running_[id];
    task.ends = now_;
    // It has ended before the look that would have found it.
    if (task.end == ContainerEnd::virtual_memory_exceeded && task.killed_at > now_) {
      task.end = ContainerEnd::succeeded;
      task.killed_at = never;
    }
    const NodeId node = task.node;
    end_task(id, round);
    pace_files(node);
  }
}

}  // namespace tracebed
