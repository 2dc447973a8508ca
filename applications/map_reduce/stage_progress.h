// How far the attempts at a job's maps, or at its reduces, are, as its master knows from their
// progress reports (core/application_master.h), and how long those lasted that are done: what rules
// of speculative execution decide by (speculation.h).
//
// A task's progress is that of its attempt's own work. Attempts that wait for maps (held) have
// begun nothing, and time does not count for them. Rates are progress per second since the
// attempt's work was begun by the master.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/application_master.h"
#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

// org.apache.hadoop.mapred.JobInProgress.DataStatistics: of all numbers, not of a sample of them.
struct NumberStatistics {
  std::uint64_t count = 0;
  double sum = 0;
  double squares = 0;

  void add(double number) {
    ++count;
    sum += number;
    squares += number * number;
  }
  // Of some.
  double mean() const { return sum / static_cast<double>(count); }
  double deviation() const {
    const double variance = squares / static_cast<double>(count) - mean() * mean();
    return variance > 0 ? std::sqrt(variance) : 0;
  }
};

class StageProgress {
 public:
  struct Attempt {
    ContainerId container;
    NodeId node;
    TraceTime begun = never;  // `never`: it is held
    double progress = 0;      // from 0 to 1
    TraceTime changed{};      // when that last changed

    // At `now`, so that it falls while nothing is reported.
    double rate(TraceTime now) const;
    // How long it lasts in all, by what was last heard: that its progress changed, or every nine
    // seconds since then that it did not (LegacyTaskRuntimeEstimator.updateAttempt;
    // DefaultSpeculator simulates a heartbeat when it has heard of nothing for that long).
    Duration run_time(TraceTime now) const;
  };
  struct Task {
    std::vector<Attempt> attempts;  // one, or two
    std::uint64_t order = 0;        // in which the tasks were first launched
    TraceTime last_launch{};

    bool is_held() const { return attempts.front().begun == never; }
    bool is_on(NodeId node) const;
    // Of the attempt that does best.
    double progress() const;
    double rate(TraceTime now) const;
  };

  StageProgress() = default;
  explicit StageProgress(std::uint32_t tasks) : tasks_(tasks) {}

  void launched(std::uint32_t task, const Grant& grant, bool is_held, TraceTime now);
  // A held attempt may work.
  void began(ContainerId container, TraceTime now);
  void reported(const AttemptProgress& report, TraceTime now);
  // Of a task that another attempt has done, `succeeded` is false.
  void ended(const AttemptEnd& end, bool succeeded, bool failed, TraceTime now);
  // A finished task is to run once more.
  void undone(std::uint32_t task);

  std::uint32_t tasks() const { return tasks_; }
  std::uint32_t done() const { return static_cast<std::uint32_t>(done_.size()); }
  // Tasks of which an attempt runs, and which are not done.
  const std::map<std::uint32_t, Task>& running() const { return running_; }
  // With two attempts.
  std::uint32_t duplicated() const { return duplicated_; }
  // Whether an attempt at the task failed there.
  bool has_failed_on(std::uint32_t task, NodeId node) const {
    return failed_.contains({task, node});
  }
  // Where its attempts run, and where some have failed.
  std::vector<NodeId> nodes_of(std::uint32_t task) const;
  // Of all tasks; those that wait count 0, those that are done 1.
  double average_progress() const;
  // The rates of running tasks, and those that the finished ones had when they ended.
  NumberStatistics rates(TraceTime now) const;
  // How long the successful attempts lasted, each task once.
  const NumberStatistics& durations() const { return durations_; }
  // Likewise those on one node, if any; each time that a task was done.
  const std::map<NodeId, NumberStatistics>& durations_on_nodes() const { return on_nodes_; }
  // Adds to each node the progress of its finished and running attempts.
  void add_progress_on_nodes(std::map<NodeId, double>& sums) const;

 private:
  Attempt* find(ContainerId container);

  std::uint32_t tasks_ = 0;
  std::map<std::uint32_t, Task> running_;
  std::map<ContainerId, std::uint32_t> task_of_;  // of attempts of `running_`
  std::set<std::uint32_t> done_;
  std::set<std::uint32_t> timed_;  // that are in `durations_`
  std::set<std::pair<std::uint32_t, NodeId>> failed_;
  std::uint32_t duplicated_ = 0;
  std::uint64_t next_order_ = 0;
  NumberStatistics finished_rates_;
  NumberStatistics durations_;
  std::map<NodeId, NumberStatistics> on_nodes_;
};

}  // namespace tracebed
