// Submitted experiments, executed one after the other by a thread of the queue's own. Each run has
// a folder below the state folder, named by its number, with the experiment, its state and what the
// replays leave. A coordinator that starts again lists the runs it finds there.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "coordinator/api/run_entry.h"
#include "coordinator/config/experiment.h"
#include "coordinator/runner/run_observer.h"

namespace tracebed {

class RunQueue {
 public:
  // Runs an experiment into `experiment.output` and returns whether it was cancelled. Throws
  // InputError or EnvironmentError where it cannot be run.
  enum class Verdict : std::uint8_t { finished, cancelled };
  using Execute = std::function<Verdict(const Experiment& experiment, RunObserver& observer)>;

  // Throws EnvironmentError if the folder cannot be used. Runs found in it that had not ended are
  // listed as failed: their coordinator died. A state that the disk does not take is written later.
  RunQueue(std::filesystem::path state_folder, Execute execute);
  // Cancels the running one and waits for it; those that wait stay unstarted.
  ~RunQueue();
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  static constexpr std::size_t waiting_max = 100;

  // The new run's number, or none if the queue is full. Throws EnvironmentError if its folder
  // cannot be written; then there is no such run.
  std::optional<std::int64_t> submit(Experiment experiment);
  // The latest runs, newest first.
  std::vector<RunEntry> list(std::size_t limit) const;
  std::optional<RunEntry> find(std::int64_t run) const;
  std::optional<RunEntry> running() const;
  // The number of the run that goes on, and the queues of its scheduler as they stood not longer
  // ago than half a second. Waits for the run to show them; none if it does not within `patience`
  // or if no run goes on. A run that nobody asks about shows nothing.
  std::optional<std::pair<std::int64_t, SchedulerSnapshot>> snapshot(
      std::chrono::milliseconds patience);
  // How many there are of each state.
  std::array<std::size_t, 5> counts() const;
  // The state that the run had when it was asked to end; none if there is no such run. A run that
  // has ended is left as it is.
  std::optional<RunState> cancel(std::int64_t run);
  // Hands the wish to the run, if it is running; what became of it stands in its entry. Returns the
  // state that the run had; none if there is no such run.
  std::optional<RunState> change(std::int64_t run, ChangeWish wish);

 private:
  class Watcher;

  void adopt_old_runs();
  RunEntry seen(const RunEntry& entry) const;
  const RunEntry* find_running() const;
  void work();
  void execute(RunEntry& entry, const Experiment& experiment);
  void set_state(RunEntry& entry, RunState state, std::string message = {});
  void save(const RunEntry& entry);
  void save_again();

  const std::filesystem::path state_folder_;
  const Execute execute_;

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::map<std::int64_t, RunEntry> runs_;
  std::map<std::int64_t, Experiment> waiting_;
  std::set<std::int64_t> unsaved_;  // whose state the disk did not take yet
  std::int64_t next_id_ = 1;
  bool is_closing_ = false;
  std::vector<ChangeWish> wishes_;  // for the running one, oldest first
  std::condition_variable shown_;
  std::optional<SchedulerSnapshot> snapshot_;  // of the running one, the last that it has shown
  std::chrono::steady_clock::time_point shown_at_;

  std::atomic<bool> is_cancelling_{false};  // the running one is to end
  std::atomic<bool> has_wishes_{false};     // whether to look at wishes_
  std::atomic<bool> wants_snapshot_{false};

  std::thread worker_;  // last: it uses all of the above
};

}  // namespace tracebed
