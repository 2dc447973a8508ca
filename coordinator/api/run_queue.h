// Submitted experiments, executed one after the other by a thread of the queue's own. Each run has
// a folder below the state folder (run_store.h), with the experiment, its state and the output of
// the replays. A restarted coordinator lists the runs it finds there, and executes those that were
// waiting. While something is away that the next run needs, the queue is paused.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
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
#include "coordinator/monitoring/run_observer.h"

namespace tracebed {

class RunQueue {
 public:
  // Runs an experiment into `experiment.output`; complete, or cancelled. Throws InputError or
  // EnvironmentError if it cannot be run.
  using Execute = std::function<RunOutcome(const Experiment& experiment, RunObserver& observer)>;
  // The experiment that a submission's text defines. Throws InputError or EnvironmentError if it
  // defines none; then the run fails.
  using Read = std::function<Experiment(const std::string& submission)>;

  // What was submitted, and checked. Waiting runs are not kept in memory: the text is read again
  // when the run begins, by this coordinator or by the next.
  struct Submitted {
    std::string name;
    std::string experiment;  // its text, for people
    std::string submission;  // all that was submitted, for Read
  };

  static constexpr std::size_t waiting_max = 100;
  // Maximum of changes that a run has not taken yet, and of those that have a file's content.
  static constexpr std::size_t waiting_changes_max = 100;
  static constexpr std::size_t refreshes_max = 4;

  struct Limits {
    std::size_t completed = 1'000;                // runs that have ended and are kept
    std::int64_t changes = 10'000;                // that one run takes
    std::chrono::milliseconds look_again{2'000};  // while the queue is paused
  };

  // Both may be missing.
  struct Surroundings {
    // Why the experiment could not be run now, in a sentence that stays the same for as long as the
    // reason does; empty if it could. Asked by the queue's thread before each run begins, and again
    // while the queue is paused. It may take some seconds.
    std::function<std::string(const Experiment& experiment)> obstacle;
    // Called by another thread when the queue begins, and when folders of runs are deleted; again
    // later if it returns false.
    std::function<bool()> folders_deleted;
  };

  // Throws EnvironmentError if the folder cannot be used, or another queue uses it. Runs found in
  // it that had begun and not ended are listed as failed: their coordinator died. A state that
  // could not be written to disk is written later. Of the ended runs the latest
  // `limits.completed` are kept; folders of others are deleted.
  RunQueue(std::filesystem::path state_folder, Read read, Execute execute, Limits limits,
           Surroundings surroundings = {});
  RunQueue(std::filesystem::path state_folder, Read read, Execute execute);
  // Cancels the running one and waits for it; waiting runs are not started.
  ~RunQueue();
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  // The new run's number, or none if the queue is full. What is acknowledged is on disk. Throws
  // EnvironmentError if its folder cannot be written; then there is no such run.
  std::optional<std::int64_t> submit(const Submitted& submitted);
  // The latest runs, newest first, without the first `skip` of them; if `before` is not 0, only
  // those before that run. Without changes and warnings.
  std::vector<RunEntry> list(std::size_t limit, std::int64_t before = 0,
                             std::size_t skip = 0) const;
  std::optional<RunEntry> find(std::int64_t run) const;
  std::optional<RunEntry> running() const;
  // Why runs that wait do not begin now; empty if they do, or if none waits.
  std::string paused_for() const;
  // The number of the current run, and a snapshot of it, at most half a second old; whoever asks
  // within that time gets the same one. Waits for the run to provide it; none if it does not within
  // `timeout` or if no run is in progress. A run provides one only on request.
  struct Shown {
    std::int64_t run = 0;
    std::shared_ptr<const RunSnapshot> snapshot;
  };
  std::optional<Shown> snapshot(std::chrono::milliseconds timeout);
  // The configuration of the current run's scheduler, and the run's number; none if no run is in
  // progress, or if it has not begun to replay.
  struct Configured {
    std::int64_t run = 0;
    std::shared_ptr<const EffectiveConfiguration> configuration;
  };
  std::optional<Configured> configuration() const;
  // How many runs there are in each state.
  std::array<std::size_t, run_states.size()> counts() const;
  // The state that the run had when it was cancelled; none if there is no such run. A run that has
  // ended is left as it is.
  std::optional<RunState> cancel(std::int64_t run);
  // Passes the request to the run, if it is running; the outcome is in its entry. None if there is
  // no such run. Throws InputError for a request that names a node that the run does not have, and
  // for one above the limits of changes.
  struct Passed {
    RunState state = RunState::running;  // that the run had
    std::int64_t request = 0;            // the request's number, of a running one
  };
  std::optional<Passed> change(std::int64_t run, RequestedChange request);
  // What came of a request of this number to the run; none as long as that is not known.
  std::optional<RunChange> outcome(std::int64_t run, std::int64_t request) const;
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
  bool can_begin(std::int64_t run);
  void pause(const std::string& reason);
  Experiment experiment_of(const RunEntry& entry);
  void execute(std::int64_t run);
  void end_run(std::int64_t run, RunState state, const std::string& message,
               ExitCode exit_code = ExitCode::run_failed);
  void end(RunEntry entry, RunState state, const std::string& message);
  bool save(const RunEntry& entry);
  void save_again();
  void remove_oldest();

  const Read read_;
  const Execute execute_;
  const Limits limits_;
  const Surroundings surroundings_;

  // Held while writing to disk, which may take long, and locked before mutex_, which is never held
  // meanwhile: a run in progress does not wait for the disk. Guards the next two.
  std::mutex store_mutex_;
  RunStore store_;
  std::set<std::int64_t> unsaved_;  // whose state could not be written to disk yet

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::map<std::int64_t, RunEntry> runs_;  // of those that have ended, without changes and warnings
  std::set<std::int64_t> waiting_;
  std::string paused_for_;
  bool is_closing_ = false;
  std::vector<NumberedChange> requested_changes_;  // for the running one, oldest first
  std::int64_t changes_requested_ = 0;             // number of them for it, so far
  std::set<std::string, std::less<>> nodes_;       // that it has reported
  std::condition_variable shown_;
  std::shared_ptr<const RunSnapshot> snapshot_;  // of the running one, the last that it provided
  std::chrono::steady_clock::time_point shown_at_;
  std::shared_ptr<const EffectiveConfiguration> configuration_;  // of the running one

  std::atomic<bool> is_cancelling_{false};  // the running one is to end
  std::atomic<bool> has_wishes_{false};     // whether to look at requested_changes_
  std::atomic<bool> wants_snapshot_{false};

  // Of the worker: the run that is to begin, read once however long the queue is paused before it.
  std::optional<std::pair<std::int64_t, Experiment>> next_;
  std::thread worker_;  // last: it uses all of the above
};

}  // namespace tracebed
