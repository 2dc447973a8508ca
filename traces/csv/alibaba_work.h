// How much work the tasks of Alibaba's batch tables are: from when on it counts, what an instance
// asks for and how long it lasts.
//
// A task's start_time is its registration with the job master, not the start of its first instance
// (alibaba/clusterdata, issue 56): a reduce and its maps often begin in the same second. Until the
// last task that it needs has ended it waits, which a replay reproduces by itself; so its work
// counts from then on (rule alibaba.work_start).
//
// Instances last as long as batch_instance says, counted from then on too. Where that table does
// not have them, the rule alibaba.instance_time says how long. Its figures were measured on 77,179
// Terminated tasks of 2018 whose mean instance duration is published (three extracts of the erdos
// scheduling simulator): Σ instances × vcores × mean duration, at most the window, over Σ instances
// × vcores × window, by the task's number of instances. One instance lasts the whole window, which
// keeps the task's recorded end; the others, equally long, make up the mean. Against the recorded
// durations this makes 0.70, 0.83 and 1.56 times the load of the three extracts, and whole windows
// 2.55, 3.01 and 5.57 times.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/workload.h"
#include "traces/csv/alibaba_rows.h"
#include "traces/parts/recorded_span.h"
#include "traces/parts/rules.h"
#include "traces/parts/stage_order.h"
#include "traces/parts/trace_reader.h"

namespace tracebed {

// The mean duration of a task's instances as a share of its window, from 0 to 1.
double instance_share(std::int64_t instances);

class AlibabaWork {
 public:
  // Units of the tables: how much of the largest machine's memory is all of it.
  AlibabaWork(const TraceRules& rules, std::int64_t memory_per_machine)
      : alibaba_(rules.alibaba), task_(rules.task), memory_per_machine_(memory_per_machine) {}

  // Finds from when the work of each row counts. `needs` are those of all rows, and `order` that of
  // order_of_stages().
  void find_starts(const std::vector<AlibabaRow>& rows, const StageNeeds& needs,
                   const std::vector<std::uint32_t>& order);
  // Demand and runs of the task at `position` of these rows; `instances` are its own.
  void fill_stage(std::size_t position, const AlibabaTask& task,
                  std::span<const AlibabaInstance> instances, Stage& stage);

  // Sums over all stages that were filled, of what rules make of them.
  std::vector<RuleEffect> effects() const;

  struct Counts {
    std::uint64_t tasks_without_window = 0;  // that ended no later than one that they need
    std::uint64_t instances_recorded = 0;    // that last as batch_instance says
    std::uint64_t instances_by_rule = 0;     // and those that do not
  };
  // Of the stages filled since the last call.
  Counts take_counts() { return std::exchange(counts_, {}); }

 private:
  struct InstanceTimes {
    Duration first{};
    Duration others{};
    double seconds(std::uint32_t count) const {
      return to_seconds(first) + (count - 1) * to_seconds(others);
    }
  };

  static InstanceTimes measured_times(Duration window, std::int64_t instances);
  InstanceTimes times_by_rule(Duration window, std::int64_t instances) const;
  void fill_demand(const AlibabaTask& task, Stage& stage) const;
  void fill_by_rule(std::size_t position, const AlibabaTask& task, Stage& stage);
  void fill_recorded(std::size_t position, const AlibabaTask& task,
                     std::span<const AlibabaInstance> instances, Stage& stage);
  Work work_of(const AlibabaInstance& instance, Duration duration, const Stage& stage) const;

  AlibabaRules alibaba_;
  TaskRules task_;
  std::int64_t memory_per_machine_;
  std::vector<std::int64_t> starts_;  // s, by position: from when on work counts
  std::vector<std::int64_t> ends_;    // s: when the task and all that it needs had ended
  double whole_windows_ = 0;          // vcore-seconds if instances lasted as long as their task
  double registered_ = 0;             // vcore-seconds if work counted from start_time on
  bool has_recorded_ = false;         // an instance's times
  Counts counts_;
};

}  // namespace tracebed
