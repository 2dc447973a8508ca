// Submitted experiments, executed one after the other by a thread of the queue's own. Each run has
// a folder below the state folder (run_store.h), with the experiment, its state and what the
// replays leave. A coordinator that starts again lists the runs it finds there, and runs those that
// waited.
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
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "coordinator/api/run_entry.h"
#include "coordinator/api/run_store.h"
#include "coordinator/config/experiment.h"
#include "coordinator/runner/run_observer.h"

namespace tracebed {

class RunQueue {
 public:
  // Runs an experiment into `experiment.output` and returns whether it was cancelled. Throws
  // InputError or EnvironmentError where it cannot be run.
  enum class Verdict : std::uint8_t { finished, cancelled };
  using Execute = std::function<Verdict(const Experiment& experiment, RunObserver& observer)>;
  // The experiment that a submission's text stands for. Throws InputError or EnvironmentError where
  // there is none; then the run fails.
  using Read = std::function<Experiment(const std::string& submission)>;

  // What was submitted, and checked. Runs that wait are not kept in memory: the text is read again
  // when the run begins, by this coordinator or by the next.
  struct Submitted {
    std::string name;
    std::string experiment;  // its text, for people
    std::string submission;  // all that was submitted, for Read
  };

  static constexpr std::size_t waiting_max = 100;
  static constexpr std::size_t completed_default = 1'000;
  // Changes that a run has not taken yet, those that are a file's content, and all that it takes.
  static constexpr std::size_t waiting_changes_max = 100;
  static constexpr std::size_t refreshes_max = 4;
  static constexpr std::int64_t changes_max = 10'000;

  // Throws EnvironmentError if the folder cannot be used, or another queue has it. Runs found in it
  // that had begun and not ended are listed as failed: their coordinator died. A state that the
  // disk does not take is written later. Of runs that have ended the latest `completed_max` are
  // kept; folders of others are deleted.
  RunQueue(std::filesystem::path state_folder, Read read, Execute execute,
           std::size_t completed_max = completed_default);
  // Cancels the running one and waits for it; those that wait stay unstarted.
  ~RunQueue();
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  // The new run's number, or none if the queue is full. What is acknowledged is on disk. Throws
  // EnvironmentError if its folder cannot be written; then there is no such run.
  std::optional<std::int64_t> submit(const Submitted& submitted);
  // The latest runs, newest first, but the first `skip` of them; of those before the run of that
  // number, if it is not 0. Without changes and warnings.
  std::vector<RunEntry> list(std::size_t limit, std::int64_t before = 0,
                             std::size_t skip = 0) const;
  std::optional<RunEntry> find(std::int64_t run) const;
  std::optional<RunEntry> running() const;
  // The number of the current run, and the queues of its scheduler as they stood not longer
  // ago than half a second. Waits for the run to show them; none if it does not within `timeout`
  // or if no run is in progress. A run that nobody asks about shows nothing.
  std::optional<std::pair<std::int64_t, SchedulerSnapshot>> snapshot(
      std::chrono::milliseconds timeout);
  // How many there are of each state.
  std::array<std::size_t, 5> counts() const;
  // The state that the run had when it was asked to end; none if there is no such run. A run that
  // has ended is left as it is.
  std::optional<RunState> cancel(std::int64_t run);
  // Hands the request to the run, if it is running; what became of it stands in its entry. Returns
  // the state that the run had; none if there is no such run. Throws InputError for a request that
  // names a node that the run does not have, and for one more than a run takes or can be waiting.
  std::optional<RunState> change(std::int64_t run, RequestedChange request);
  // Forgets a run that has ended, and deletes its folder. Returns the state that it had; none if
  // there is no such run. One that has not ended is left as it is.
  std::optional<RunState> remove(std::int64_t run);

 private:
  class Watcher;
  using Lock = std::unique_lock<std::mutex>;

  void adopt_old_runs();
  RunEntry seen(const RunEntry& entry) const;
  const RunEntry* find_running() const;
  void check_requested(const RunEntry& entry, const RequestedChange& request) const;
  void work();
  std::optional<std::int64_t> begin_next();
  void execute(std::int64_t run);
  void end_run(std::int64_t run, RunState state, const std::string& message);
  void end(RunEntry entry, RunState state, const std::string& message);
  bool save(const RunEntry& entry);
  void save_again();
  void remove_oldest();

  const Read read_;
  const Execute execute_;
  const std::size_t completed_max_;

  // Held while the disk is written to, which may take long, and locked before mutex_, which never
  // is held so: a run that goes on waits for no disk. Guards the next two.
  std::mutex store_mutex_;
  RunStore store_;
  std::set<std::int64_t> unsaved_;  // whose state the disk did not take yet

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::map<std::int64_t, RunEntry> runs_;  // of those that have ended, without changes and warnings
  std::set<std::int64_t> waiting_;
  bool is_closing_ = false;
  std::vector<RequestedChange> requested_changes_;  // for the running one, oldest first
  std::int64_t changes_requested_ = 0;              // of it, so far
  std::set<std::string, std::less<>> nodes_;        // that it has told of
  std::condition_variable shown_;
  std::optional<SchedulerSnapshot> snapshot_;  // of the running one, the last that it has shown
  std::chrono::steady_clock::time_point shown_at_;

  std::atomic<bool> is_cancelling_{false};  // the running one is to end
  std::atomic<bool> has_wishes_{false};     // whether to look at requested_changes_
  std::atomic<bool> wants_snapshot_{false};

  std::thread worker_;  // last: it uses all of the above
};

}  // namespace tracebed
