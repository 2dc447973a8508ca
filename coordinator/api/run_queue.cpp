#include "coordinator/api/run_queue.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "coordinator/api/queued_run_observer.h"
#include "core/input_error.h"
#include "core/visit.h"

namespace tracebed {
namespace {

using SteadyClock = std::chrono::steady_clock;

}  // namespace

RunQueue::RunQueue(std::filesystem::path state_folder, Read read, Execute execute)
    : RunQueue(std::move(state_folder), std::move(read), std::move(execute), Limits()) {}

RunQueue::RunQueue(std::filesystem::path state_folder, Read read, Execute execute, Limits limits,
                   Surroundings surroundings)
    : read_(std::move(read)),
      execute_(std::move(execute)),
      limits_(limits),
      surroundings_(std::move(surroundings)),
      store_(std::move(state_folder), surroundings_.folders_deleted) {
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

std::optional<RunQueue::Shown> RunQueue::snapshot(std::chrono::milliseconds timeout) {
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
  return Shown{running->id, snapshot_};
}

std::array<std::size_t, run_states.size()> RunQueue::counts() const {
  const Lock lock(mutex_);
  std::array<std::size_t, run_states.size()> counts{};
  for (const auto& [id, entry] : runs_) ++counts[index_of(entry.state)];
  return counts;
}

std::string RunQueue::paused_for() const {
  const Lock lock(mutex_);
  return paused_for_;
}

// With its place in the queue: the running one, and all that wait and were submitted before it.
RunEntry RunQueue::seen(const RunEntry& entry) const {
  RunEntry copy = entry;
  if (entry.state != RunState::waiting) return copy;
  copy.waits_for = paused_for_;
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
      [](const RequestedTuning&) { return false; }, [](const RequestedUpdate&) { return true; },
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
      requested_changes_.begin(), requested_changes_.end(), [](const NumberedChange& other) {
        return std::holds_alternative<RequestedRefresh>(other.change) ||
               std::holds_alternative<RequestedUpdate>(other.change);
      });
  if (requested_changes_.size() < waiting_changes_max &&
      (!is_refresh || refreshes < static_cast<std::ptrdiff_t>(refreshes_max))) {
    return;
  }
  throw InputError(
      fmt::format("{} changes are pending for run {}: try again when they have been processed",
                  requested_changes_.size(), entry.id));
}

std::optional<RunQueue::Passed> RunQueue::change(std::int64_t run, RequestedChange request) {
  const Lock lock(mutex_);
  const auto found = runs_.find(run);
  if (found == runs_.end()) return std::nullopt;
  if (found->second.state == RunState::running) {
    check_requested(found->second, request);
    requested_changes_.push_back({++changes_requested_, std::move(request)});
    has_wishes_ = true;
    return Passed{found->second.state, changes_requested_};
  }
  return Passed{found->second.state, 0};
}

std::optional<RunChange> RunQueue::outcome(std::int64_t run, std::int64_t request) const {
  const Lock lock(mutex_);
  const auto found = runs_.find(run);
  if (found == runs_.end()) return std::nullopt;
  for (const RunChange& change : found->second.changes) {
    if (change.request == request) return change;
  }
  return std::nullopt;
}

std::optional<RunQueue::Configured> RunQueue::configuration() const {
  const Lock lock(mutex_);
  const RunEntry* running = find_running();
  if (running == nullptr || configuration_ == nullptr) return std::nullopt;
  return Configured{running->id, configuration_};
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

}  // namespace tracebed
