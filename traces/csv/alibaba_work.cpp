#include "traces/csv/alibaba_work.h"

#include <algorithm>
#include <array>

#include "traces/parts/rounding.h"
#include "traces/parts/usage.h"

namespace tracebed {
namespace {

struct MeasuredShare {
  std::int64_t instances_most;
  double share;
};
constexpr std::array<MeasuredShare, 4> measured_shares = {{
    {5, 0.73},
    {20, 0.68},
    {100, 0.59},
    {1000, 0.46},
}};
constexpr double share_above = 0.26;

// `millionths` of the format's unit, of which the largest machine has `per_machine`.
std::int64_t mib_of(std::int64_t millionths, std::int64_t machine_mib, std::int64_t per_machine) {
  const double amount = static_cast<double>(millionths) / 1e6 * static_cast<double>(machine_mib) /
                        static_cast<double>(per_machine);
  const std::int64_t whole = floored(amount);
  return std::max<std::int64_t>(1, whole + (static_cast<double>(whole) < amount ? 1 : 0));
}

// What took less than the second of the trace's clock took one (rule alibaba.zero_run_time).
Duration window_between(std::int64_t start, std::int64_t end) {
  return seconds(std::max<std::int64_t>(end - start, 1));
}

}  // namespace

double instance_share(std::int64_t instances) {
  if (instances <= 1) return 1;  // one whose task ends with it
  for (const MeasuredShare& each : measured_shares) {
    if (instances <= each.instances_most) return each.share;
  }
  return share_above;
}

void AlibabaWork::find_starts(const std::vector<AlibabaRow>& rows, const StageNeeds& needs,
                              const std::vector<std::uint32_t>& order) {
  starts_.resize(rows.size());
  ends_.resize(rows.size());
  for (const std::uint32_t position : order) {
    const AlibabaTask& task = rows[position].task;
    std::int64_t needed_end = 0;
    for (const std::uint32_t needed : needs[position]) {
      needed_end = std::max(needed_end, ends_[needed]);
    }
    const bool counts_from_needed = alibaba_.work_start == WorkStart::parents_end;
    starts_[position] = counts_from_needed && !needs[position].empty()
                            ? std::max(task.start, needed_end)
                            : task.start;
    // One that did not end lets those behind it wait for what it needs itself.
    ends_[position] = task.has_ended() ? std::max(task.end, needed_end) : needed_end;
  }
}

AlibabaWork::InstanceTimes AlibabaWork::measured_times(Duration window, std::int64_t instances) {
  if (instances <= 1) return {window, window};
  const auto count = static_cast<double>(instances);
  const double others = std::max(count * instance_share(instances) - 1, 0.0) / (count - 1);
  const auto microseconds_each = nearest_whole(static_cast<double>(window.count()) * others);
  return {window, microseconds(std::max<std::int64_t>(microseconds_each, 1))};
}

AlibabaWork::InstanceTimes AlibabaWork::times_by_rule(Duration window,
                                                      std::int64_t instances) const {
  if (alibaba_.instance_time == InstanceTime::measured) return measured_times(window, instances);
  return {window, window};
}

void AlibabaWork::fill_demand(const AlibabaTask& task, Stage& stage) const {
  stage.demand = default_demand(task_);
  if (task.cpu >= 0) {
    stage.demand[Resources::vcores_dimension] = std::max<std::int64_t>(task.cpu * 10, 1);
  }
  if (task.memory >= 0) {
    stage.demand[Resources::memory_dimension] =
        mib_of(task.memory, alibaba_.machine_memory_mib, memory_per_machine_);
  }
}

void AlibabaWork::fill_stage(std::size_t position, const AlibabaTask& task,
                             std::span<const AlibabaInstance> instances, Stage& stage) {
  fill_demand(task, stage);
  if (task.end <= starts_[position] && task.duration() > 0) ++counts_.tasks_without_window;
  if (instances.empty()) {
    fill_by_rule(position, task, stage);
  } else {
    fill_recorded(position, task, instances, stage);
  }
}

void AlibabaWork::fill_by_rule(std::size_t position, const AlibabaTask& task, Stage& stage) {
  const Duration window = window_between(starts_[position], task.end);
  const std::int64_t instances = std::max<std::int64_t>(task.instances, 1);
  const auto count = static_cast<std::uint32_t>(std::min(instances, alibaba_.instances_max));
  const InstanceTimes times = times_by_rule(window, instances);
  stage.runs.push_back({1, work_of_run(times.first, stage.demand, task_)});
  if (times.others == times.first) {
    stage.runs.back().count = count;
  } else if (count > 1) {
    stage.runs.push_back({count - 1, work_of_run(times.others, stage.demand, task_)});
  }
  const double vcores = static_cast<double>(stage.demand.milli_vcores()) / 1000;
  whole_windows_ += vcores * count * to_seconds(window);
  registered_ +=
      vcores * times_by_rule(window_between(task.start, task.end), instances).seconds(count);
  counts_.instances_by_rule += count;
}

Work AlibabaWork::work_of(const AlibabaInstance& instance, Duration duration,
                          const Stage& stage) const {
  Work work = work_of_run(duration, stage.demand, task_);
  // Measured; but a container has no more than its demand, so no more is replayed.
  if (instance.cpu >= 0) {
    const auto lasted = seconds(std::max<std::int64_t>(instance.end - instance.start, 1));
    work.cpu_time =
        std::min(lasted * instance.cpu / 1000, duration * stage.demand.milli_vcores() / 1000);
  }
  if (instance.memory >= 0) {
    work.memory_mib =
        std::min(mib_of(instance.memory, alibaba_.machine_memory_mib, memory_per_machine_),
                 stage.demand.memory_mib());
  }
  return work;
}

void AlibabaWork::fill_recorded(std::size_t position, const AlibabaTask& task,
                                std::span<const AlibabaInstance> instances, Stage& stage) {
  const std::int64_t start = starts_[position];
  const double vcores = static_cast<double>(stage.demand.milli_vcores()) / 1000;
  const auto most = static_cast<std::size_t>(alibaba_.instances_max);
  const std::span<const AlibabaInstance> replayed =
      instances.first(std::min(instances.size(), most));
  Duration sum{};
  for (const AlibabaInstance& instance : replayed) {
    const Duration duration = window_between(std::max(instance.start, start), instance.end);
    const Work work = work_of(instance, duration, stage);
    if (!stage.runs.empty() && stage.runs.back().work == work) {
      ++stage.runs.back().count;
    } else {
      stage.runs.push_back({1, work});
    }
    sum += duration;
    registered_ += vcores * to_seconds(window_between(instance.start, instance.end));
  }
  const auto recorded = static_cast<std::int64_t>(replayed.size());
  const std::int64_t count = std::max(recorded, std::min(task.instances, alibaba_.instances_max));
  counts_.instances_recorded += replayed.size();
  has_recorded_ = true;
  if (count > recorded) {  // they last as long as the others on average
    const auto missing = static_cast<std::uint32_t>(count - recorded);
    const Duration mean = sum / recorded;
    stage.runs.push_back({missing, work_of_run(mean, stage.demand, task_)});
    registered_ += vcores * missing * to_seconds(mean);
    counts_.instances_by_rule += missing;
  }
  whole_windows_ +=
      vcores * static_cast<double>(count) * to_seconds(window_between(start, task.end));
}

std::vector<RuleEffect> AlibabaWork::effects() const {
  std::vector<RuleEffect> effects;
  if (alibaba_.instance_time == InstanceTime::measured || has_recorded_) {
    effects.push_back({"alibaba.instance_time", "window", whole_windows_});
  }
  if (alibaba_.work_start == WorkStart::parents_end) {
    effects.push_back({"alibaba.work_start", "registered", registered_});
  }
  return effects;
}

}  // namespace tracebed
