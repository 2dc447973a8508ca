#include "coordinator/api/run_queue.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <malloc.h>
#include <spdlog/spdlog.h>

#include "coordinator/api/queued_run_observer.h"
#include "core/check.h"
#include "core/input_error.h"
#include "core/visit.h"

namespace tracebed {
namespace {

using SteadyClock = std::chrono::steady_clock;

void forget_details(RunEntry& entry) {
  entry.changes = {};
  entry.warnings = {};
}

// Begin, end and failure, for the journal.
void log_state(const RunEntry& run) {
  const std::string who = fmt::format("run {} ({})", run.id, run.name);
  const std::int64_t took = run.started_at == 0 ? 0 : run.ended_at - run.started_at;
  const std::optional<RunOutcome> outcome = run.state.outcome();
  if (!outcome) {
    return spdlog::info("{} {}", who, run.state == RunState::waiting ? "is submitted" : "begins");
  }
  switch (*outcome) {
    case RunOutcome::complete:
      return spdlog::info("{} finished after {} s", who, took);
    case RunOutcome::cancelled:
      return spdlog::info("{} is cancelled after {} s", who, took);
    case RunOutcome::failed:
      return spdlog::error("{} failed after {} s: {}", who, took, run.message);
    case RunOutcome::unsuccessful:
    case RunOutcome::stalled:
    case RunOutcome::log_ended:
      break;
  }
  TRACEBED_CHECK(false, "a submitted run ends complete, failed or cancelled");
}

}  // namespace

RunQueue::RunQueue(std::filesystem::path state_folder, Read read, Execute execute)
    : RunQueue(std::move(state_folder), std::move(read), std::move(execute), Limits()) {}

RunQueue::RunQueue(std::filesystem::path state_folder, Read read, Execute execute, Limits limits)
    : read_(std::move(read)),
      execute_(std::move(execute)),
      limits_(limits),
      store_(std::move(state_folder)) {
  adopt_old_runs();
  worker_ = std::thread([this] { work(); });
}

RunQueue::~RunQueue() {
  {
    const Lock lock(mutex_);
    is_closing_ = true;
    is_cancelling_ = true;
  }
  changed_.notify_all();
  worker_.join();
}

void RunQueue::adopt_old_runs() {
  for (RunEntry& run : store_.adopt()) {
    const std::int64_t id = run.id;
    const RunState state = run.state;
    const bool can_begin = state == RunState::waiting && RunStore::submission_of(run);
    if (state.has_ended()) forget_details(run);
    if (can_begin) {
      spdlog::info("run {} ({}) was queued before this coordinator started", id, run.name);
      waiting_.insert(id);
    }
    runs_.emplace(id, std::move(run));
    if (state == RunState::running) {
      end_run(id, RunOutcome::failed,
              "its coordinator ended while it ran; its folder has what was written until then");
    } else if (state == RunState::waiting && !can_begin) {
      end_run(id, RunOutcome::failed,
              "its coordinator ended before the run began, and the submission cannot be read from "
              "its folder");
    }
  }
  remove_oldest();
}

std::optional<std::int64_t> RunQueue::submit(const Submitted& submitted) {
  const Lock store_lock(store_mutex_);
  {
    const Lock lock(mutex_);
    if (waiting_.size() >= waiting_max) return std::nullopt;
  }
  RunEntry entry = store_.create(submitted.name, submitted.experiment, submitted.submission);
  log_state(entry);
  const std::int64_t id = entry.id;
  const Lock lock(mutex_);
  waiting_.insert(id);
  runs_.emplace(id, std::move(entry));
  changed_.notify_all();
  return id;
}

std::vector<RunEntry> RunQueue::list(std::size_t limit, std::int64_t before,
                                     std::size_t skip) const {
  const Lock lock(mutex_);
  std::vector<RunEntry> latest;
  auto run = std::make_reverse_iterator(before == 0 ? runs_.end() : runs_.lower_bound(before));
  for (; run != runs_.rend() && skip > 0; ++run) --skip;
  for (; run != runs_.rend() && latest.size() < limit; ++run) {
    forget_details(latest.emplace_back(seen(run->second)));
  }
  return latest;
}

std::optional<RunEntry> RunQueue::find(std::int64_t run) const {
  RunEntry entry;
  {
    const Lock lock(mutex_);
    const auto found = runs_.find(run);
    if (found == runs_.end()) return std::nullopt;
    entry = seen(found->second);
  }
  if (entry.state.has_ended() && entry.warnings.empty() && entry.changes.empty()) {
    if (std::optional<RunEntry> kept = load_entry(entry.folder)) {
      entry.warnings = std::move(kept->warnings);
      entry.changes = std::move(kept->changes);
    }
  }
  return entry;
}

std::optional<RunEntry> RunQueue::running() const {
  const Lock lock(mutex_);
  const RunEntry* found = find_running();
  return found == nullptr ? std::nullopt : std::optional(*found);
}

const RunEntry* RunQueue::find_running() const {
  const auto found = std::find_if(runs_.rbegin(), runs_.rend(), [](const auto& run) {
    return run.second.state == RunState::running;
  });
  return found == runs_.rend() ? nullptr : &found->second;
}

std::optional<std::pair<std::int64_t, SchedulerSnapshot>> RunQueue::snapshot(
    std::chrono::milliseconds timeout) {
  constexpr std::chrono::milliseconds good_for{500};
  Lock lock(mutex_);
  const auto oldest = SteadyClock::now() - good_for;
  const auto is_recent = [&] { return snapshot_ && shown_at_ >= oldest; };
  if (!is_recent()) {
    wants_snapshot_ = true;
    shown_.wait_for(lock, timeout, [&] { return is_recent() || find_running() == nullptr; });
  }
  const RunEntry* running = find_running();
  if (running == nullptr || !is_recent()) return std::nullopt;
  return std::pair(running->id, *snapshot_);
}

std::array<std::size_t, run_states.size()> RunQueue::counts() const {
  const Lock lock(mutex_);
  std::array<std::size_t, run_states.size()> counts{};
  for (const auto& [id, entry] : runs_) ++counts[index_of(entry.state)];
  return counts;
}

// With its place in the queue: the running one, and all that wait and were submitted before it.
RunEntry RunQueue::seen(const RunEntry& entry) const {
  RunEntry copy = entry;
  if (entry.state != RunState::waiting) return copy;
  const auto before = std::distance(waiting_.begin(), waiting_.find(entry.id));
  copy.ahead = static_cast<std::size_t>(before) + (find_running() == nullptr ? 0 : 1);
  return copy;
}

std::optional<RunState> RunQueue::cancel(std::int64_t run) {
  const Lock store_lock(store_mutex_);
  RunEntry cancelled;
  {
    const Lock lock(mutex_);
    const auto found = runs_.find(run);
    if (found == runs_.end()) return std::nullopt;
    RunEntry& entry = found->second;
    if (entry.state == RunState::running) is_cancelling_ = true;
    if (entry.state != RunState::waiting) return entry.state;
    waiting_.erase(run);
    cancelled = entry;
  }
  end(std::move(cancelled), RunOutcome::cancelled, {});
  return RunState::waiting;
}

void RunQueue::check_requested(const RunEntry& entry, const RequestedChange& request) const {
  const bool is_refresh = visit_all(
      request, [](const RequestedRefresh&) { return true; },
      [&](const AdministratorRequest& command) {
        // Before the replay has listed its nodes, it is the replay that refuses unknown ones.
        if (!command.node.empty() && !nodes_.empty() && !nodes_.contains(command.node)) {
          throw InputError(fmt::format("there is no node \"{}\" in the run", command.node));
        }
        return false;
      });
  if (changes_requested_ >= limits_.changes) {
    throw InputError(fmt::format("run {} has received {} changes, the maximum for a run", entry.id,
                                 limits_.changes));
  }
  const auto refreshes = std::count_if(
      requested_changes_.begin(), requested_changes_.end(),
      [](const RequestedChange& other) { return std::holds_alternative<RequestedRefresh>(other); });
  if (requested_changes_.size() < waiting_changes_max &&
      (!is_refresh || refreshes < static_cast<std::ptrdiff_t>(refreshes_max))) {
    return;
  }
  throw InputError(
      fmt::format("{} changes are pending for run {}: try again when they have been processed",
                  requested_changes_.size(), entry.id));
}

std::optional<RunState> RunQueue::change(std::int64_t run, RequestedChange request) {
  const Lock lock(mutex_);
  const auto found = runs_.find(run);
  if (found == runs_.end()) return std::nullopt;
  if (found->second.state == RunState::running) {
    check_requested(found->second, request);
    requested_changes_.push_back(std::move(request));
    ++changes_requested_;
    has_wishes_ = true;
  }
  return found->second.state;
}

std::optional<RunState> RunQueue::remove(std::int64_t run) {
  const Lock store_lock(store_mutex_);
  RunEntry removed;
  {
    const Lock lock(mutex_);
    const auto found = runs_.find(run);
    if (found == runs_.end()) return std::nullopt;
    if (!found->second.state.has_ended()) return found->second.state;
    removed = std::move(found->second);
    runs_.erase(found);
  }
  unsaved_.erase(run);
  store_.remove(removed);
  spdlog::info("run {} ({}) is deleted", removed.id, removed.name);
  return removed.state;
}

void RunQueue::end_run(std::int64_t run, RunState state, const std::string& message) {
  const Lock store_lock(store_mutex_);
  RunEntry copy;
  {
    const Lock lock(mutex_);
    copy = runs_.at(run);
  }
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

void RunQueue::work() {
  for (;;) {
    constexpr std::chrono::seconds save_pause{2};
    {
      Lock lock(mutex_);
      changed_.wait_for(lock, save_pause, [this] { return is_closing_ || !waiting_.empty(); });
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

std::optional<std::int64_t> RunQueue::begin_next() {
  const Lock store_lock(store_mutex_);
  RunEntry begun;
  {
    const Lock lock(mutex_);
    if (is_closing_ || waiting_.empty()) return std::nullopt;
    const std::int64_t run = *waiting_.begin();
    waiting_.erase(run);
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
  // A run's fault is its own: the queue reports it and goes on with the next.
  try {
    Lock lock(mutex_);
    RunEntry& entry = runs_.at(run);  // a map's elements stay in place
    lock.unlock();
    Watcher watcher(*this, entry);
    const std::optional<std::string> submission = RunStore::submission_of(entry);
    if (!submission) {
      throw EnvironmentError(
          fmt::format("the submission cannot be read from {}", entry.folder.string()));
    }
    Experiment experiment = read_(*submission);
    experiment.name = entry.name;
    experiment.output = entry.folder;
    RunStore::drop_submission(entry);
    state = execute_(experiment, watcher);
  } catch (const RunInterrupted&) {
    state = RunOutcome::cancelled;
  } catch (const std::exception& error) {
    message = error.what();
  }
  end_run(run, state, message);
  const Lock lock(mutex_);
  snapshot_.reset();
  shown_.notify_all();
}

}  // namespace tracebed
