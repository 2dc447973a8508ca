#include "coordinator/sweeps/sweep_run.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <thread>
#include <unistd.h>
#include <utility>

#include "coordinator/real/child_process.h"
#include "coordinator/runner/experiment_record.h"
#include "coordinator/sweeps/point_document.h"
#include "coordinator/sweeps/sweep_folder.h"
#include "coordinator/sweeps/sweep_traces.h"
#include "core/exit_codes.h"
#include "core/input_error.h"
#include "report/run_json.h"
#include "report/text_table.h"
#include "system/folder_lock.h"
#include "system/regular_file.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

using namespace std::chrono_literals;

// The last line that a point's process wrote, which says what went wrong.
std::string last_line_of(const std::filesystem::path& log) {
  constexpr std::size_t log_bytes_max = std::size_t{64} << 20;
  constexpr std::size_t line_max = 500;
  std::string text;
  try {
    text = read_regular_file(log, log_bytes_max);
  } catch (const std::exception& error) {
    return error.what();
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t begin = text.rfind('\n');
  if (begin != std::string::npos) text.erase(0, begin + 1);
  return text.substr(0, line_max);
}

// Why what a process left is no result, or nothing. Runs that stalled, or in which no job
// succeeded, are results.
std::string defect_of(const std::filesystem::path& output) {
  const auto folders = recorded_run_folders(output);
  if (!folders) return "it left no experiment.json";
  for (const std::filesystem::path& folder : *folders) {
    const RunRecord record = read_run_json(folder / run_json_file);
    const RunOutcome outcome = record.end ? record.end->outcome : RunOutcome::failed;
    if (outcome != RunOutcome::complete && outcome != RunOutcome::unsuccessful &&
        outcome != RunOutcome::stalled) {
      return fmt::format("{} {}", folder.lexically_relative(output).string(), name(outcome));
    }
  }
  return {};
}

class SweepRun {
 public:
  SweepRun(const SweepPlan& plan, const SweepRunOptions& options, RunObserver& observer)
      : plan_(plan), options_(options), observer_(observer), folder_(options.output) {}

  SweepRunEnd run() {
    folder_.adopt(plan_, options_.replaces_plan);
    for (const SweepPoint& point : plan_.points) {
      if (!options_.shard.has(point.number)) continue;
      ++end_.points;
      if (folder_.finished(point.digest)) {
        ++end_.finished;
        clear_work(point);
      } else {
        waiting_.push_back(&point);
      }
    }
    observer_.noted(fmt::format("{} of {} points have finished{}", end_.finished, end_.points,
                                waiting_.empty() ? "" : "; running the rest"));
    say_what_runs_again();
    prepare_traces();
    run_all();
    return std::move(end_);
  }

 private:
  void say_what_runs_again() {
    for (const SweepPoint* point : waiting_) {
      const std::string failure = folder_.failure(point->digest);
      if (!failure.empty()) {
        observer_.noted(
            fmt::format("{} failed when it ran last, and runs again: {}", title(*point), failure));
      } else if (folder_.was_begun(point->digest)) {
        observer_.noted(
            fmt::format("{} was begun and has not finished; unless another process has it, it runs "
                        "again",
                        title(*point)));
      }
    }
  }

  std::string title(const SweepPoint& point) const {
    return fmt::format("point {} ({})", point.number, values_text(plan_.keys, point.values));
  }

  // Of the points that are to run, before the first of them.
  void prepare_traces() {
    traces_.resize(plan_.traces.size());
    std::vector<bool> is_ready(plan_.traces.size());
    for (const SweepPoint* point : waiting_) {
      if (!point->trace || is_ready[*point->trace]) continue;
      is_ready[*point->trace] = true;
      traces_[*point->trace] =
          binary_trace(plan_.traces[*point->trace], folder_.traces(),
                       [&](const std::string& text) { observer_.noted(text); });
    }
  }

  void run_all() {
    const std::size_t at_a_time = std::min<std::size_t>(options_.parallel, waiting_.size());
    if (at_a_time == 0) return;
    // Cores that points leave idle are for the repetitions of a point.
    threads_of_point_ = std::max<std::size_t>(1, options_.parallel / at_a_time);
    std::vector<std::thread> workers;
    workers_left_ = at_a_time;
    for (std::size_t i = 0; i < at_a_time; ++i) workers.emplace_back([this] { work(); });
    std::exception_ptr stopped;
    try {
      watch();
    } catch (...) {
      stopped = std::current_exception();
      stop();
    }
    for (std::thread& worker : workers) worker.join();
    if (stopped) std::rethrow_exception(stopped);
    std::sort(end_.failed.begin(), end_.failed.end());
    std::sort(end_.elsewhere.begin(), end_.elsewhere.end());
  }

  // On the caller's thread, which alone talks to the observer, until all workers have ended.
  void watch() {
    std::unique_lock lock(mutex_);
    for (;;) {
      const bool is_last = workers_left_ == 0;
      std::deque<std::string> notes = std::exchange(notes_, {});
      lock.unlock();
      for (const std::string& note : notes) observer_.noted(note);
      if (is_last) return;
      if (!observer_.should_continue()) {
        stop();
        end_.is_cancelled = true;
      }
      lock.lock();
      changed_.wait_for(lock, 100ms, [&] { return workers_left_ == 0 || !notes_.empty(); });
    }
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    waiting_.clear();
  }

  void work() {
    for (;;) {
      const SweepPoint* point = nullptr;
      {
        const std::lock_guard lock(mutex_);
        if (waiting_.empty()) break;
        point = waiting_.front();
        waiting_.pop_front();
      }
      std::string failure;
      try {
        failure = run_point(*point);
      } catch (const std::exception& error) {
        failure = error.what();
      }
      if (!failure.empty()) take_failure(*point, failure);
    }
    const std::lock_guard lock(mutex_);
    --workers_left_;
    changed_.notify_all();
  }

  void take_failure(const SweepPoint& point, const std::string& reason) {
    try {
      folder_.note_failure(point.digest, reason);
    } catch (const std::exception&) {
      // On a full disk the point is just not there; it runs again, and is named here.
    }
    const std::lock_guard lock(mutex_);
    end_.failed.push_back(point.number);
    note(fmt::format("{} failed: {}; see {}", title(point), reason,
                     (folder_.work(point.digest) / "log.txt").string()));
  }

  // With the mutex.
  void note(std::string text) {
    notes_.push_back(std::move(text));
    changed_.notify_all();
  }

  // Why it failed; empty if it did not.
  std::string run_point(const SweepPoint& point) {
    const std::filesystem::path work = folder_.work(point.digest);
    std::filesystem::create_directories(work);
    std::optional<FolderLock> lock;
    try {
      lock.emplace(work);
    } catch (const EnvironmentError& error) {
      const std::lock_guard guard(mutex_);
      end_.elsewhere.push_back(point.number);
      note(fmt::format("{} is left to another process: {}", title(point), error.what()));
      return {};
    }
    if (folder_.finished(point.digest)) return remove_work(work, *lock);
    for (const auto& entry : std::filesystem::directory_iterator(work)) {
      if (entry.path().filename() != "lock") std::filesystem::remove_all(entry.path());
    }
    replace_file(work / "experiment.toml", document_of(point));
    const auto began = std::chrono::steady_clock::now();
    const std::string failure = run_process(work);
    if (!failure.empty()) return is_stopped() ? "" : failure;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    if (const std::string defect = defect_of(work / "out"); !defect.empty()) {
      return fmt::format("{}: {}", defect, last_line_of(work / "log.txt"));
    }
    folder_.move_into_place(point, took.count());
    take_finished(point, took.count());
    return remove_work(work, *lock);
  }

  void take_finished(const SweepPoint& point, double seconds) {
    const std::lock_guard guard(mutex_);
    ++end_.finished;
    ++end_.ran;
    note(fmt::format("{} finished in {} s; {} of {} points", title(point), readable(seconds),
                     end_.finished, end_.points));
  }

  // A process that was killed when it had just moved the point into place left its work.
  void clear_work(const SweepPoint& point) const {
    const std::filesystem::path work = folder_.work(point.digest);
    if (!std::filesystem::exists(work)) return;
    try {
      FolderLock lock(work);
      remove_work(work, lock);
    } catch (const EnvironmentError&) {
      // Its process is about to remove it.
    }
  }

  static std::string remove_work(const std::filesystem::path& work, FolderLock& lock) {
    for (const auto& entry : std::filesystem::directory_iterator(work)) {
      if (entry.path().filename() != "lock") std::filesystem::remove_all(entry.path());
    }
    lock.remove();
    std::error_code ignored;  // another process may have begun to look at it
    std::filesystem::remove(work, ignored);
    return {};
  }

  std::string document_of(const SweepPoint& point) const {
    const std::optional<std::filesystem::path> binary =
        point.trace ? traces_[*point.trace] : std::nullopt;
    if (!binary) return point.document;
    toml::table root = toml::parse(point.document);
    use_binary_trace(*binary, root);
    return document_text(root);
  }

  // The kernel kills the process when this one ends, however it does (setpriv(1)); the shell finds
  // that it has ended before that was arranged.
  std::string run_process(const std::filesystem::path& work) {
    ChildProcess::Start start;
    start.program = "setpriv";
    start.arguments = {"--pdeathsig",
                       "KILL",
                       "sh",
                       "-c",
                       "[ \"$PPID\" = \"$1\" ] || exit 1; shift; exec \"$@\"",
                       "sh",
                       std::to_string(::getpid()),
                       options_.program.string(),
                       "run",
                       (work / "experiment.toml").string(),
                       "--output",
                       (work / "out").string(),
                       "--parallel",
                       std::to_string(threads_of_point_),
                       "--quiet"};
    start.output = (work / "log.txt").string();
    ChildProcess process(start);
    for (;;) {
      const std::optional<ProcessEnd> end = process.wait(200ms);
      if (is_stopped()) return "interrupted";
      if (!end) continue;
      const bool may_be_result =
          end->signal == 0 && (end->exit_code == to_int(ExitCode::success) ||
                               end->exit_code == to_int(ExitCode::run_failed) ||
                               end->exit_code == to_int(ExitCode::stalled) ||
                               end->exit_code == to_int(ExitCode::none_succeeded));
      if (may_be_result) return {};
      return fmt::format("its process {}: {}", end->describe(), last_line_of(work / "log.txt"));
    }
  }

  bool is_stopped() {
    const std::lock_guard lock(mutex_);
    return is_stopped_;
  }

  const SweepPlan& plan_;
  const SweepRunOptions& options_;
  RunObserver& observer_;
  const SweepFolder folder_;
  std::vector<std::optional<std::filesystem::path>> traces_;  // in binary form, by trace
  std::size_t threads_of_point_ = 1;
  std::mutex mutex_;  // guards what follows while workers live
  std::condition_variable changed_;
  std::deque<const SweepPoint*> waiting_;
  std::deque<std::string> notes_;
  std::size_t workers_left_ = 0;
  bool is_stopped_ = false;
  SweepRunEnd end_;
};

}  // namespace

SweepRunEnd run_sweep(const SweepPlan& plan, const SweepRunOptions& options,
                      RunObserver& observer) {
  return SweepRun(plan, options, observer).run();
}

}  // namespace tracebed
