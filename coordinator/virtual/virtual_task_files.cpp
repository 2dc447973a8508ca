// The part of VirtualFleet that tasks add which read from the run's storage, write to it, or fetch
// from tasks of earlier stages.
#include <algorithm>
#include <cmath>

#include "coordinator/virtual/virtual_fleet.h"

namespace tracebed {

bool VirtualFleet::waits_for_files(ContainerId id) const {
  return storage_ && (storage_->is_reading(id) || storage_->is_writing(id) ||
                      storage_->is_fetching(id) || storage_->is_writing_map_output(id));
}

void VirtualFleet::begin_file_transfers(ContainerId id) {
  const RunningTask* task = running_.find(id);
  if (task == nullptr) return;
  const TraceTime due = now_ + task->run_time;
  storage_->start_reading(id, now_, due);
  storage_->start_writing(id, now_, due);
  storage_->start_map_output(id, now_, due);
  if (shares(*task)) pace_files(task->node);
}

// A task whose time has come ends when its output is there. One that fails or is killed leaves it.
bool VirtualFleet::ends_later(ContainerId id, const RunningTask& task) {
  if (!storage_) return false;
  const bool is_kept = task.end == ContainerEnd::checkpointed;
  const bool needs_more =
      storage_->is_reading(id) || storage_->is_fetching(id) || storage_->is_writing_map_output(id);
  if (task.end == ContainerEnd::succeeded && needs_more) return true;
  if ((task.end != ContainerEnd::succeeded && !is_kept) || !storage_->is_writing(id)) return false;
  const double done = is_kept ? part_done(id, task, now_ - checkpoint_time_) : 1;
  const auto bytes = static_cast<double>(task.work.output_bytes);
  storage_->finish_writing(id, static_cast<std::int64_t>(bytes * done), is_kept, now_);
  return storage_->is_writing(id);
}

void VirtualFleet::take_file_outcomes(Round& round) {
  for (const auto& read : storage_->take_outcomes()) {
    std::optional<std::string> failure;
    if (read.has_failed) failure = "input: a block has no replica on a machine that is up";
    end_file_transfers(read.container, failure, round);
  }
  for (const auto& written : storage_->take_written()) {
    std::optional<std::string> failure;
    if (written.failure) failure = "output: " + *written.failure;
    end_file_transfers(written.container, failure, round);
  }
  for (const ContainerId id : storage_->take_shuffled()) {
    end_file_transfers(id, std::nullopt, round);
  }
}

void VirtualFleet::end_file_transfers(ContainerId id, const std::optional<std::string>& failure,
                                      Round& round) {
  RunningTask* task = running_.find(id);
  if (task == nullptr) return;
  if (failure) {
    if (warn_) {
      warn_("container " + std::to_string(id.value()) + " on " +
            machines_[task->node.index()].name + ": " + *failure);
    }
    task->end = ContainerEnd::failed;
    task->killed_at = now_;
  } else if (now_ < std::min(task->ends, task->killed_at) || waits_for_files(id)) {
    return;
  } else if (now_ >= task->ends && storage_->written_by(id).value_or(task->work.output_bytes) ==
                                       task->work.output_bytes) {
    // All of it is done: one that was to keep its progress just ends.
    task->ends = now_;
    if (task->end == ContainerEnd::checkpointed) {
      task->end = ContainerEnd::succeeded;
      task->killed_at = never;
    }
  }
  end_task(id, round);
}

void VirtualFleet::forget_files(ContainerId id) {
  static_cast<void>(storage_->end_reading(id, now_, 0));
  static_cast<void>(storage_->end_writing(id, now_));
  static_cast<void>(storage_->end_shuffling(id, now_, 0));
  static_cast<void>(storage_->end_spilling(id, 0));
}

// Returns the part of its work that the task has done: no more than of its input and its output.
double VirtualFleet::account_files(ContainerId id, const RunningTask& task, double done,
                                   ContainerAccount& account) {
  const auto part_of = [](std::int64_t bytes, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(bytes) / static_cast<double>(whole) : 1;
  };
  const bool reads_on = storage_->is_reading(id) && task.work.input_bytes > 0;
  const bool writes = storage_->has_output(id);
  const bool fetches_on = storage_->is_fetching(id) && task.work.shuffle_bytes > 0;
  // No less than the part of its work that is done needs.
  const auto needed = [done](std::int64_t whole) {
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(whole) * done));
  };
  // What it still transfers goes on until now, also if its file was closed after its end.
  account.input = storage_->end_reading(id, now_, needed(task.work.input_bytes));
  account.output = storage_->end_writing(id, now_);
  account.shuffled = storage_->end_shuffling(id, now_, needed(task.work.shuffle_bytes));
  account.spilled = storage_->end_spilling(id, done);
  if (fetches_on) done = std::min(done, part_of(account.shuffled.total(), task.work.shuffle_bytes));
  if (reads_on) done = std::min(done, part_of(account.input.total(), task.work.input_bytes));
  if (writes) done = std::min(done, part_of(account.output, task.work.output_bytes));
  return done;
}

}  // namespace tracebed
