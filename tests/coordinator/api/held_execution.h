// Stands for the runner in tests of the queue: an execution begins when the queue says so and ends
// when the test says so.
#pragma once

#include <atomic>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <string>
#include <vector>

#include "coordinator/api/run_queue.h"
#include "support/eventually.h"

namespace tracebed {

class HeldExecution {
 public:
  // Of a submission that is an experiment's name.
  static RunQueue::Read read() {
    return [](const std::string& submission) {
      Experiment experiment;
      experiment.name = submission;
      return experiment;
    };
  }
  RunQueue::Execute execute() {
    return [this](const Experiment& experiment, RunObserver& observer) {
      return run(experiment, observer);
    };
  }
  // Waits until the n-th execution (from 1) runs.
  void wait_for_start(std::size_t n) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return started_.size() >= n; });
  }
  void let_one_end() {
    const std::lock_guard lock(mutex_);
    ++allowed_ends_;
    changed_.notify_all();
  }
  // The names of the experiments, as they started.
  std::vector<std::string> started() {
    const std::lock_guard lock(mutex_);
    return started_;
  }
  std::vector<Experiment> experiments() {
    const std::lock_guard lock(mutex_);
    return experiments_;
  }
  // How often executions were asked for a snapshot, which they show with this time and name.
  int shown() {
    const std::lock_guard lock(mutex_);
    return shown_;
  }
  std::exception_ptr failure;                  // thrown by every execution instead of an end
  std::atomic<bool> is_mute{false};            // executions show no snapshots
  RunSnapshot shown_snapshot = of_capacity();  // but for its label and time
  std::vector<std::string> nodes;              // that executions tell of
  int warnings = 0;                            // that executions give, of 3,000 bytes
  std::atomic<bool> takes_changes{false};  // and says at 5 s of the trace that it did not take them

 private:
  static RunSnapshot of_capacity() {
    RunSnapshot snapshot;
    snapshot.scheduler.scheduler = "capacity";
    snapshot.scheduler.form = SchedulerInfoForm::capacity;
    return snapshot;
  }

  RunOutcome run(const Experiment& experiment, RunObserver& observer) {
    RunProgress progress;
    progress.scheduler = "fifo";
    progress.jobs = 10;
    progress.jobs_ended = 4;
    observer.progressed(progress);
    RunRequests& requests = *observer.requests();
    for (const std::string& node : nodes) requests.joined(node);
    for (int i = 0; i < warnings; ++i) {
      observer.warned("warning " + std::to_string(i) + " " + std::string(3'000, 'x'));
    }
    std::unique_lock lock(mutex_);
    started_.push_back(experiment.name);
    experiments_.push_back(experiment);
    changed_.notify_all();
    while (observer.should_continue() && allowed_ends_ == 0) {
      changed_.wait_for(lock, std::chrono::milliseconds(1));
      while (takes_changes) {
        const std::optional<NumberedChange> request = requests.requested_change();
        if (!request) break;
        requests.changed({request->number, false, trace_time(5), "not taken"});
      }
      if (is_mute || !requests.wants_snapshot()) continue;
      RunSnapshot snapshot = shown_snapshot;
      snapshot.scheduler.label = experiment.name;
      snapshot.scheduler.at = trace_time(++shown_);
      requests.shown(std::move(snapshot));
    }
    if (!observer.should_continue()) return RunOutcome::cancelled;
    --allowed_ends_;
    if (failure) std::rethrow_exception(failure);
    return RunOutcome::complete;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> started_;
  std::vector<Experiment> experiments_;
  int allowed_ends_ = 0;
  int shown_ = 0;
};

// For HeldExecution::read().
inline RunQueue::Submitted named(const std::string& name) {
  return {name, "name = \"" + name + "\"\n", name};
}

// Waits until the run has ended; its state is set by the queue's thread after the execution.
inline RunEntry ended(const RunQueue& queue, std::int64_t run) {
  EXPECT_TRUE(eventually([&] { return queue.find(run)->state.has_ended(); }));
  return *queue.find(run);
}

}  // namespace tracebed
