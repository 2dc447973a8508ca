// Speculative execution: a task that seems to be slow gets a second attempt on another machine, and
// whichever succeeds first counts. Which task, and when, is decided by one of three published
// rules; the master asks for the containers, launches and kills (map_reduce_speculation.cpp).
//
// - late: Zaharia et al., "Improving MapReduce Performance in Heterogeneous Environments" (OSDI
//   2008), as Hadoop 0.21 has it (JobInProgress.findSpeculativeTask, TaskInProgress.
//   canBeSpeculated). Of the tasks whose last attempt was launched a minute ago and whose rate is
//   more than one standard deviation below the mean, the one with the longest time left,
//   (1 − progress) / rate; not on slow nodes, whose mean duration is more than one standard
//   deviation above the mean of all nodes'; as long as fewer than the largest of 10, 1 % of the
//   cluster's containers of that size and 10 % of the running tasks are duplicated. With
//   `percentiles` the thresholds are the paper's: rates, and sums of progress on nodes, below the
//   25th percentile.
// - hadoop_0_20: 0.20.2 (TaskInProgress.hasSpeculativeTask). Tasks whose progress is 0.2 or more
//   below the average of all the job's tasks of the kind, those that wait and those that are done
//   among them, a minute after the job began: TaskInProgress.startTime is when the job was
//   initialised, not when the task was launched. Those with input near the node first, then in the
//   order in which they were launched.
// - hadoop_3: MRv2 (DefaultSpeculator, LegacyTaskRuntimeEstimator, StartEndTimesBase). When a task
//   and 5 % of all are done: of each kind the task that would gain most, which is the estimated end
//   of its attempt, at begin + time so far / progress, less that of a new one, which lasts the mean
//   of those that are done. Looks again a second later if there was none, else after 15; caps as
//   above, with 1 % of all tasks. Any node, also the attempt's own (before MAPREDUCE-7169).
//
// All of them consider a kind of tasks only while none of it waits for a container, never a task
// with two attempts, and 0.2x no node on which the task runs or has failed.
//
// Deviations, each on purpose:
// - [speculation-asks] Hadoop 0.2x looks for a task when a tracker has a free slot. Here a master
//   asks for a container as soon as some task would be duplicated, and chooses when it has it.
// - [speculation-held-reduces] Reduces that wait for maps are not duplicated, and have no rate.
// - [speculation-reports-with-heartbeats] A task sends its progress to its master; in real worlds
//   it comes with the heartbeats of its machine (agents/task/stated_progress.h).
// - [speculation-late-same-moment] 0.21 compares a task's rate now with rates at the others' last
//   reports, which makes equal tasks slow whenever time has passed since then; here all are of now.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "applications/map_reduce/stage_progress.h"
#include "core/ids.h"
#include "core/settings.h"
#include "core/time.h"

namespace tracebed {

enum class SpeculationRule : std::uint8_t { none, late, hadoop_0_20, hadoop_3 };

struct SpeculationOptions {
  SpeculationRule rule = SpeculationRule::none;
  // How often tasks report their progress (Task.PROGRESS_INTERVAL, 3 s).
  Duration report_interval = seconds(3);
  // late, hadoop_0_20 (TaskInProgress.SPECULATIVE_LAG).
  Duration least_run = seconds(60);
  double progress_gap = 0.2;  // hadoop_0_20 (TaskInProgress.SPECULATIVE_GAP)
  // late. Standard deviations (mapreduce.job.speculative.slowtaskthreshold, …slownodethreshold), or
  // parts of all.
  bool has_percentiles = false;
  double slow_task_deviations = 1;
  double slow_node_deviations = 1;
  double slow_task_percentile = 0.25;
  double slow_node_percentile = 0.25;
  // late, hadoop_3: duplicated tasks are at most the largest of these
  // (mapreduce.job.speculative.speculativecap, …speculative-cap-running-tasks; …-total-tasks;
  // …minimum-allowed-tasks).
  double cap_of_running = 0.1;
  double cap_of_total = 0.01;
  std::uint32_t cap_minimum = 10;
  // hadoop_3 (mapreduce.job.speculative.retry-after-no-speculate, …retry-after-speculate).
  Duration retry_after_none = seconds(1);
  Duration retry_after_some = seconds(15);
};

inline constexpr std::array<SettingDescription, 14> speculation_settings{{
    {"speculation.policy", "none",
     "which slow maps and reduces get a second attempt, of which the first to succeed counts: "
     "none, "
     "late (as in Hadoop 0.21), hadoop_0_20 or hadoop_3"},
    {"speculation.progress_interval_ms", "3000",
     "how often tasks report their progress if there is a policy (Task.PROGRESS_INTERVAL)"},
    {"speculation.least_run_ms", "60000",
     "late: age of an attempt that may be duplicated; hadoop_0_20: of the job "
     "(TaskInProgress.SPECULATIVE_LAG)"},
    {"speculation.progress_gap", "0.2",
     "hadoop_0_20: how far a task is behind the average progress (TaskInProgress.SPECULATIVE_GAP)"},
    {"speculation.thresholds", "deviations",
     "late: tasks and nodes are slow by standard deviations from the mean, as in Hadoop 0.21 "
     "(deviations), or below a percentile, as in its paper (percentiles)"},
    {"speculation.slow_task_deviations", "1",
     "late: standard deviations (mapreduce.job.speculative.slowtaskthreshold)"},
    {"speculation.slow_node_deviations", "1",
     "the same of nodes (mapreduce.job.speculative.slownodethreshold)"},
    {"speculation.slow_task_percentile", "0.25", "late: the part of the running tasks"},
    {"speculation.slow_node_percentile", "0.25", "late: the part of the nodes with tasks"},
    {"speculation.cap_of_running", "0.1",
     "late and hadoop_3: duplicated tasks at most, as a fraction of running ones "
     "(mapreduce.job.speculative.speculativecap, speculative-cap-running-tasks), unless the next "
     "two allow more"},
    {"speculation.cap_of_total", "0.01",
     "the same, late: of the containers of their size that the cluster holds; hadoop_3: of the "
     "job's tasks (speculative-cap-total-tasks)"},
    {"speculation.cap_minimum", "10",
     "the same, at all times (mapreduce.job.speculative.minimum-allowed-tasks)"},
    {"speculation.retry_after_none_ms", "1000",
     "hadoop_3: until it looks again when no task would gain "
     "(mapreduce.job.speculative.retry-after-no-speculate)"},
    {"speculation.retry_after_some_ms", "15000",
     "hadoop_3: when one did (mapreduce.job.speculative.retry-after-speculate)"},
}};
// `reader` knows them.
SpeculationOptions read_speculation_options(SettingReader& reader);

// A job's tasks of one kind.
struct SpeculatedStage {
  const StageProgress* progress = nullptr;
  std::uint32_t waiting = 0;        // tasks without a container
  std::uint64_t cluster_holds = 0;  // containers of that size at most; 0: not known
};
struct SpeculatedJob {
  TraceTime started{};
  SpeculatedStage maps;
  SpeculatedStage reduces;
};

class SpeculationPolicy {
 public:
  struct Wanted {
    std::vector<std::uint32_t> maps;  // the most wanted first
    std::vector<std::uint32_t> reduces;
  };

  virtual ~SpeculationPolicy() = default;
  // The tasks that may be duplicated at `now`, no more than may be in all.
  virtual Wanted look(TraceTime now, const SpeculatedJob& job) = 0;
  // Whether a task's duplicate may run there; of those above.
  virtual bool may_run_on(NodeId node, std::uint32_t task, const StageProgress& stage) const = 0;
  // Nodes on which no duplicate may run, ascending.
  virtual std::vector<NodeId> slow_nodes(const SpeculatedJob& /*job*/) const { return {}; }
  // Tasks near their input come before others.
  virtual bool prefers_near_input() const { return false; }
  // When to look next, after a look at `now`.
  virtual TraceTime next_look(TraceTime now) const = 0;
};

// Null for `none`. `interval` is between looks of rules that have none of their own.
std::unique_ptr<SpeculationPolicy> make_speculation_policy(const SpeculationOptions& options,
                                                           Duration interval);

}  // namespace tracebed
