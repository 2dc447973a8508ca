#include "coordinator/api/run_queue.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "core/input_error.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

using SteadyClock = std::chrono::steady_clock;

std::int64_t seconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

}  // namespace

// Passes progress on to the entry, and the wish to cancel back.
class RunQueue::Watcher final : public RunObserver {
 public:
  Watcher(RunQueue& queue, RunEntry& entry) : queue_(queue), entry_(entry) {}

  bool goes_on() override { return !queue_.is_cancelling_; }
  void progressed(const RunProgress& progress) override {
    const std::lock_guard lock(queue_.mutex_);
    entry_.progress = progress;
  }
  bool wants_snapshot() override { return queue_.wants_snapshot_.exchange(false); }
  void shown(SchedulerSnapshot snapshot) override {
    const std::lock_guard lock(queue_.mutex_);
    queue_.snapshot_ = std::move(snapshot);
    queue_.shown_at_ = SteadyClock::now();
    queue_.shown_.notify_all();
  }
  std::optional<ChangeWish> wanted_change() override {
    if (!queue_.has_wishes_) return std::nullopt;
    const std::lock_guard lock(queue_.mutex_);
    ChangeWish wish = std::move(queue_.wishes_.front());
    queue_.wishes_.erase(queue_.wishes_.begin());
    queue_.has_wishes_ = !queue_.wishes_.empty();
    return wish;
  }
  void changed(bool was_taken, const std::string& outcome) override {
    const std::lock_guard lock(queue_.mutex_);
    entry_.changes.emplace_back(was_taken, outcome);
  }
  void warned(const std::string& message) override {
    spdlog::warn("run {}: {}", entry_.id, message);
    constexpr std::size_t warnings_max = 100;
    const std::lock_guard lock(queue_.mutex_);
    std::vector<std::string>& warnings = entry_.warnings;
    const bool is_new = std::find(warnings.begin(), warnings.end(), message) == warnings.end();
    if (is_new && warnings.size() < warnings_max) warnings.push_back(message);
  }

 private:
  RunQueue& queue_;
  RunEntry& entry_;  // a map's elements stay in place
};

RunQueue::RunQueue(std::filesystem::path state_folder, Execute execute)
    : state_folder_(std::move(state_folder)), execute_(std::move(execute)) {
  std::error_code error;
  std::filesystem::create_directories(state_folder_, error);
  if (!std::filesystem::is_directory(state_folder_)) {
    throw EnvironmentError(
        fmt::format("the state folder {} cannot be made", state_folder_.string()));
  }
  adopt_old_runs();
  worker_ = std::thread([this] { work(); });
}

RunQueue::~RunQueue() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
    is_cancelling_ = true;
  }
  changed_.notify_all();
  worker_.join();
}

void RunQueue::adopt_old_runs() {
  for (const auto& child : std::filesystem::directory_iterator(state_folder_)) {
    std::optional<RunEntry> entry = load_entry(child.path());
    if (!entry) continue;
    if (!has_ended(entry->state)) {
      const bool is_cut_short = entry->state == RunState::running;
      set_state(*entry, RunState::failed,
                is_cut_short ? "its coordinator ended while it ran; what it had written until then "
                               "is in its folder"
                             : "its coordinator ended before it began");
      spdlog::warn("run {} ({}) failed: {}: {}", entry->id, entry->name, entry->message,
                   entry->folder.string());
    }
    next_id_ = std::max(next_id_, entry->id + 1);
    runs_.emplace(entry->id, std::move(*entry));
  }
}

std::optional<std::int64_t> RunQueue::submit(Experiment experiment) {
  const std::lock_guard lock(mutex_);
  if (waiting_.size() >= waiting_max) return std::nullopt;
  RunEntry entry;
  entry.id = next_id_;
  entry.name = experiment.name;
  entry.folder = state_folder_ / fmt::format("{}", entry.id);
  entry.submitted_at = seconds_since_1970();
  std::error_code error;
  if (!std::filesystem::create_directory(entry.folder, error)) {
    throw EnvironmentError(fmt::format("the run folder {} cannot be made", entry.folder.string()));
  }
  try {
    replace_file(entry.folder / "experiment.toml", experiment.source);
    save_entry(entry);
  } catch (const EnvironmentError&) {
    std::filesystem::remove_all(entry.folder, error);  // its number is the next one's
    throw;
  }
  experiment.output = entry.folder;
  waiting_.emplace(entry.id, std::move(experiment));
  runs_.emplace(entry.id, std::move(entry));
  changed_.notify_all();
  return next_id_++;
}

std::vector<RunEntry> RunQueue::list(std::size_t limit) const {
  const std::lock_guard lock(mutex_);
  std::vector<RunEntry> latest;
  for (auto run = runs_.rbegin(); run != runs_.rend() && latest.size() < limit; ++run) {
    latest.push_back(seen(run->second));
  }
  return latest;
}

std::optional<RunEntry> RunQueue::find(std::int64_t run) const {
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(run);
  return found == runs_.end() ? std::nullopt : std::optional(seen(found->second));
}

std::optional<RunEntry> RunQueue::running() const {
  const std::lock_guard lock(mutex_);
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
    std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds good_for{500};
  std::unique_lock lock(mutex_);
  const auto oldest = SteadyClock::now() - good_for;
  const auto is_there = [&] { return snapshot_ && shown_at_ >= oldest; };
  if (!is_there()) {
    wants_snapshot_ = true;
    shown_.wait_for(lock, patience, [&] { return is_there() || find_running() == nullptr; });
  }
  const RunEntry* running = find_running();
  if (running == nullptr || !is_there()) return std::nullopt;
  return std::pair(running->id, *snapshot_);
}

std::array<std::size_t, 5> RunQueue::counts() const {
  const std::lock_guard lock(mutex_);
  std::array<std::size_t, 5> counts{};
  for (const auto& [id, entry] : runs_) ++counts[static_cast<std::size_t>(entry.state)];
  return counts;
}

// With its place in the queue: the running one, and all that wait and were submitted before it.
RunEntry RunQueue::seen(const RunEntry& entry) const {
  RunEntry copy = entry;
  if (entry.state != RunState::waiting) return copy;
  for (auto before = runs_.begin(); before->first != entry.id; ++before) {
    if (!has_ended(before->second.state)) ++copy.ahead;
  }
  return copy;
}

std::optional<RunState> RunQueue::cancel(std::int64_t run) {
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(run);
  if (found == runs_.end()) return std::nullopt;
  const RunState state = found->second.state;
  if (state == RunState::waiting) {
    waiting_.erase(run);
    set_state(found->second, RunState::cancelled);
  } else if (state == RunState::running) {
    is_cancelling_ = true;
  }
  return state;
}

std::optional<RunState> RunQueue::change(std::int64_t run, ChangeWish wish) {
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(run);
  if (found == runs_.end()) return std::nullopt;
  if (found->second.state == RunState::running) {
    wishes_.push_back(std::move(wish));
    has_wishes_ = true;
  }
  return found->second.state;
}

void RunQueue::set_state(RunEntry& entry, RunState state, std::string message) {
  entry.state = state;
  entry.message = std::move(message);
  entry.progress.reset();
  if (state == RunState::running) entry.started_at = seconds_since_1970();
  if (has_ended(state)) entry.ended_at = seconds_since_1970();
  save(entry);
}

// What has happened is so, whether or not a full disk takes it: it is written when there is room.
void RunQueue::save(const RunEntry& entry) {
  try {
    save_entry(entry);
    unsaved_.erase(entry.id);
  } catch (const EnvironmentError& error) {
    const bool is_first = unsaved_.insert(entry.id).second;
    if (!is_first) return;
    spdlog::error("run {} is {}, which is not written down yet: {}", entry.id, name(entry.state),
                  error.what());
  }
}

void RunQueue::save_again() {
  const std::set<std::int64_t> unsaved = unsaved_;
  for (const std::int64_t run : unsaved) save(runs_.at(run));
}

void RunQueue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    constexpr std::chrono::seconds save_pause{2};
    const auto has_work = [this] { return is_closing_ || !waiting_.empty(); };
    while (!changed_.wait_for(lock, save_pause, has_work)) save_again();
    if (is_closing_) return save_again();
    auto next = waiting_.extract(waiting_.begin());
    RunEntry& entry = runs_.at(next.key());
    is_cancelling_ = false;
    wishes_.clear();
    has_wishes_ = false;
    wants_snapshot_ = false;
    set_state(entry, RunState::running);
    lock.unlock();
    execute(entry, next.mapped());
    lock.lock();
  }
}

void RunQueue::execute(RunEntry& entry, const Experiment& experiment) {
  RunState state = RunState::failed;
  std::string message;
  Watcher watcher(*this, entry);
  // A run's fault is its own: the queue reports it and goes on with the next.
  try {
    const Verdict verdict = execute_(experiment, watcher);
    state = verdict == Verdict::finished ? RunState::finished : RunState::cancelled;
  } catch (const std::exception& error) {
    message = error.what();
  }
  const std::lock_guard lock(mutex_);
  set_state(entry, state, std::move(message));
  snapshot_.reset();
  shown_.notify_all();
}

}  // namespace tracebed
