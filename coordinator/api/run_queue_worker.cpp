// The queue's thread: what begins, is executed and ends, and how that reaches the disk.
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <malloc.h>
#include <spdlog/spdlog.h>
#include <utility>

#include "coordinator/api/program_end.h"
#include "coordinator/api/queued_run_observer.h"
#include "coordinator/api/run_queue.h"
#include "core/input_error.h"

namespace tracebed {

void RunQueue::work() {
  for (;;) {
    {
      Lock lock(mutex_);
      const auto has_work = [this] {
        return is_closing_ || (!waiting_.empty() && paused_for_.empty());
      };
      changed_.wait_for(lock, limits_.look_again, has_work);
    }
    save_again();
    if (const std::optional<std::int64_t> run = begin_next()) {
      execute(*run);
      remove_oldest();
      // glibc keeps what a run has freed, as fits the run's own peak: hundreds of megabytes.
      ::malloc_trim(0);
      continue;
    }
    const Lock lock(mutex_);
    if (is_closing_) return;
  }
}

// Logged when it begins and ends, and not each time that it is found to last.
void RunQueue::pause(const std::string& reason) {
  std::size_t waiting = 0;
  {
    const Lock lock(mutex_);
    if (paused_for_ == reason) return;
    paused_for_ = reason;
    waiting = waiting_.size();
  }
  if (reason.empty()) {
    spdlog::info("the queue goes on");
  } else {
    spdlog::warn("the queue is paused, {} runs wait: {}", waiting, reason);
  }
}

Experiment RunQueue::experiment_of(const RunEntry& entry) {
  if (next_ && next_->first == entry.id) return std::exchange(next_, std::nullopt)->second;
  const std::optional<std::string> submission = RunStore::submission_of(entry);
  if (!submission) {
    throw EnvironmentError(
        fmt::format("the submission cannot be read from {}", entry.folder.string()));
  }
  return read_(*submission);
}

// One that cannot be read has no need of anything: it begins, and fails for that reason.
bool RunQueue::can_begin(std::int64_t run) {
  if (!surroundings_.obstacle) return true;
  if (!next_ || next_->first != run) {
    RunEntry entry;
    {
      const Lock lock(mutex_);
      entry = runs_.at(run);
    }
    try {
      Experiment experiment = experiment_of(entry);
      next_.emplace(run, std::move(experiment));
    } catch (const std::exception&) {
      pause({});
      return true;
    }
  }
  const std::string obstacle = surroundings_.obstacle(next_->second);
  pause(obstacle);
  return obstacle.empty();
}

std::optional<std::int64_t> RunQueue::begin_next() {
  std::optional<std::int64_t> next;
  {
    const Lock lock(mutex_);
    if (!is_closing_ && !waiting_.empty()) next = *waiting_.begin();
  }
  if (!next) {
    pause({});
    return std::nullopt;
  }
  if (!can_begin(*next)) return std::nullopt;
  const Lock store_lock(store_mutex_);
  RunEntry begun;
  {
    const Lock lock(mutex_);
    const std::int64_t run = *next;
    // It may have been cancelled meanwhile.
    if (is_closing_ || waiting_.erase(run) == 0) return std::nullopt;
    is_cancelling_ = false;
    requested_changes_.clear();
    changes_requested_ = 0;
    nodes_.clear();
    has_wishes_ = false;
    wants_snapshot_ = false;
    RunEntry& entry = runs_.at(run);
    entry.state = RunState::running;
    entry.started_at = seconds_since_1970();
    begun = entry;
  }
  log_state(begun);
  save(begun);
  return begun.id;
}

void RunQueue::execute(std::int64_t run) {
  RunState state = RunOutcome::failed;
  std::string message;
  ExitCode exit_code = ExitCode::run_failed;
  // A run's fault is its own: the queue reports it and goes on with the next.
  try {
    Lock lock(mutex_);
    RunEntry& entry = runs_.at(run);  // a map's elements stay in place
    lock.unlock();
    Watcher watcher(*this, entry);
    Experiment experiment = experiment_of(entry);
    experiment.name = entry.name;
    experiment.output = entry.folder;
    RunStore::drop_submission(entry);
    state = execute_(experiment, watcher);
  } catch (const RunInterrupted&) {
    state = RunOutcome::cancelled;
  } catch (const std::exception& error) {
    message = error.what();
    exit_code = exit_code_of(error);
  }
  end_run(run, state, message, exit_code);
  const Lock lock(mutex_);
  snapshot_.reset();
  configuration_.reset();
  shown_.notify_all();
}

void RunQueue::end_run(std::int64_t run, RunState state, const std::string& message,
                       ExitCode exit_code) {
  const Lock store_lock(store_mutex_);
  RunEntry copy;
  {
    const Lock lock(mutex_);
    copy = runs_.at(run);
  }
  if (state == RunOutcome::failed) copy.exit_code = exit_code;
  end(std::move(copy), state, message);
}

// The store is locked. What has ended can be fetched: before that is reported, its files are whole.
void RunQueue::end(RunEntry entry, RunState state, const std::string& message) {
  entry.state = state;
  entry.message = clipped(message);
  entry.progress.reset();
  entry.ended_at = seconds_since_1970();
  log_state(entry);
  if (save(entry)) forget_details(entry);  // they are on disk
  const Lock lock(mutex_);
  runs_.at(entry.id) = std::move(entry);
}

// What has happened is so, whether or not a full disk takes it: it is written when there is room.
bool RunQueue::save(const RunEntry& entry) {
  try {
    save_entry(entry);
    unsaved_.erase(entry.id);
    return true;
  } catch (const EnvironmentError& error) {
    const bool is_first = unsaved_.insert(entry.id).second;
    if (is_first) {
      spdlog::error("run {} is {}, but this could not be saved yet: {}", entry.id,
                    name(entry.state), error.what());
    }
    return false;
  }
}

void RunQueue::save_again() {
  const Lock store_lock(store_mutex_);
  const std::set<std::int64_t> unsaved = unsaved_;
  for (const std::int64_t run : unsaved) {
    Lock lock(mutex_);
    const RunEntry entry = runs_.at(run);
    lock.unlock();
    if (!save(entry) || !entry.state.has_ended()) continue;
    lock.lock();
    forget_details(runs_.at(run));
  }
}

void RunQueue::remove_oldest() {
  const Lock store_lock(store_mutex_);
  std::vector<RunEntry> removed;
  {
    const Lock lock(mutex_);
    const auto is_over = [](const auto& run) { return run.second.state.has_ended(); };
    auto ended = static_cast<std::size_t>(std::count_if(runs_.begin(), runs_.end(), is_over));
    for (auto run = runs_.begin(); run != runs_.end() && ended > limits_.completed;) {
      if (!is_over(*run)) {
        ++run;
        continue;
      }
      removed.push_back(std::move(run->second));
      run = runs_.erase(run);
      --ended;
    }
  }
  for (const RunEntry& run : removed) {
    unsaved_.erase(run.id);
    store_.remove(run);
    spdlog::info("run {} ({}) is deleted: only the latest {} completed runs are kept", run.id,
                 run.name, limits_.completed);
  }
}

}  // namespace tracebed
