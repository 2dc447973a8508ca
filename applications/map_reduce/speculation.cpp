#include "applications/map_reduce/speculation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "core/unknown_constant.h"

namespace tracebed {
namespace {

using WatchedTask = StageProgress::Task;

bool may_be_duplicated(const WatchedTask& task) {
  return task.attempts.size() == 1 && !task.is_held();
}

bool is_free_of(NodeId node, std::uint32_t task, const StageProgress& stage) {
  const auto running = stage.running().find(task);
  return running != stage.running().end() && !running->second.is_on(node) &&
         !stage.has_failed_on(task, node);
}

// The number at that part of the ascending numbers; those below it are the least part.
double percentile(std::vector<double> numbers, double part) {
  std::sort(numbers.begin(), numbers.end());
  const auto place = static_cast<std::size_t>(part * static_cast<double>(numbers.size()));
  return numbers[std::min(place, numbers.size() - 1)];
}

class Late final : public SpeculationPolicy {
 public:
  Late(const SpeculationOptions& options, Duration interval)
      : options_(options), interval_(interval) {}

  Wanted look(TraceTime now, const SpeculatedJob& job) override {
    return {candidates(now, job.maps), candidates(now, job.reduces)};
  }

  bool may_run_on(NodeId node, std::uint32_t task, const StageProgress& stage) const override {
    return is_free_of(node, task, stage);
  }

  std::vector<NodeId> slow_nodes(const SpeculatedJob& job) const override {
    return options_.has_percentiles ? nodes_of_least_progress(job) : nodes_of_long_tasks(job);
  }

  TraceTime next_look(TraceTime now) const override { return now + interval_; }

 private:
  // JobInProgress.atSpeculativeCap
  std::uint32_t room(const SpeculatedStage& stage) const {
    const auto share = [](double part, double whole) {
      return static_cast<std::uint32_t>(std::ceil(part * whole));
    };
    const std::uint32_t cap = std::max(
        {options_.cap_minimum,
         share(options_.cap_of_total, static_cast<double>(stage.cluster_holds)),
         share(options_.cap_of_running, static_cast<double>(stage.progress->running().size()))});
    const std::uint32_t taken = stage.progress->duplicated();
    return cap > taken ? cap - taken : 0;
  }

  // Tasks with a lower rate are slow.
  double slow_rate(TraceTime now, const StageProgress& stage) const {
    if (options_.has_percentiles) {
      std::vector<double> rates;
      for (const auto& [index, task] : stage.running()) {
        if (!task.is_held()) rates.push_back(task.rate(now));
      }
      return rates.empty() ? 0 : percentile(std::move(rates), options_.slow_task_percentile);
    }
    const NumberStatistics rates = stage.rates(now);
    if (rates.count == 0) return 0;
    // What sums of equal numbers are off by does not make one of them slow.
    constexpr double exactness = 1e-9;
    return rates.mean() * (1 - exactness) - rates.deviation() * options_.slow_task_deviations;
  }

  std::vector<std::uint32_t> candidates(TraceTime now, const SpeculatedStage& of) const {
    const std::uint32_t most = of.waiting > 0 ? 0 : room(of);
    if (most == 0) return {};
    const StageProgress& stage = *of.progress;
    const double limit = slow_rate(now, stage);
    // EstimatedTimeLeftComparator: by the inverse of the time left.
    std::vector<std::tuple<double, std::uint64_t, std::uint32_t>> slow;
    for (const auto& [index, task] : stage.running()) {
      const bool is_old_enough = now - task.last_launch >= options_.least_run;
      if (!may_be_duplicated(task) || !is_old_enough || !(task.rate(now) < limit)) continue;
      constexpr double least_left = 0.0001;
      const double speed = task.rate(now) / std::max(least_left, 1 - task.progress());
      slow.emplace_back(speed, task.order, index);
    }
    std::sort(slow.begin(), slow.end());
    std::vector<std::uint32_t> tasks;
    for (const auto& entry : slow) {
      if (tasks.size() == most) break;
      tasks.push_back(std::get<std::uint32_t>(entry));
    }
    return tasks;
  }

  // JobInProgress.isSlowTracker: the mean of a node's maps or reduces against the nodes' means.
  std::vector<NodeId> nodes_of_long_tasks(const SpeculatedJob& job) const {
    std::set<NodeId> slow;
    for (const SpeculatedStage* stage : {&job.maps, &job.reduces}) {
      const std::map<NodeId, NumberStatistics>& nodes = stage->progress->durations_on_nodes();
      NumberStatistics means;
      for (const auto& [node, lasted] : nodes) means.add(lasted.mean());
      for (const auto& [node, lasted] : nodes) {
        const double excess = lasted.mean() - means.mean();
        if (excess > means.deviation() * options_.slow_node_deviations) slow.insert(node);
      }
    }
    return {slow.begin(), slow.end()};
  }

  std::vector<NodeId> nodes_of_least_progress(const SpeculatedJob& job) const {
    std::map<NodeId, double> sums;
    job.maps.progress->add_progress_on_nodes(sums);
    job.reduces.progress->add_progress_on_nodes(sums);
    std::vector<double> numbers;
    for (const auto& [node, sum] : sums) numbers.push_back(sum);
    if (numbers.empty()) return {};
    const double limit = percentile(std::move(numbers), options_.slow_node_percentile);
    std::vector<NodeId> slow;
    for (const auto& [node, sum] : sums) {
      if (sum < limit) slow.push_back(node);
    }
    return slow;
  }

  SpeculationOptions options_;
  Duration interval_;
};

class Hadoop020 final : public SpeculationPolicy {
 public:
  Hadoop020(const SpeculationOptions& options, Duration interval)
      : options_(options), interval_(interval) {}

  Wanted look(TraceTime now, const SpeculatedJob& job) override {
    if (now - job.started < options_.least_run) return {};
    return {candidates(job.maps), candidates(job.reduces)};
  }

  bool may_run_on(NodeId node, std::uint32_t task, const StageProgress& stage) const override {
    return is_free_of(node, task, stage);
  }
  bool prefers_near_input() const override { return true; }
  TraceTime next_look(TraceTime now) const override { return now + interval_; }

 private:
  std::vector<std::uint32_t> candidates(const SpeculatedStage& of) const {
    if (of.waiting > 0) return {};
    const double average = of.progress->average_progress();
    std::vector<std::pair<std::uint64_t, std::uint32_t>> behind;  // by order
    for (const auto& [index, task] : of.progress->running()) {
      const bool is_behind = average - task.progress() >= options_.progress_gap;
      if (may_be_duplicated(task) && is_behind) behind.emplace_back(task.order, index);
    }
    std::sort(behind.begin(), behind.end());
    std::vector<std::uint32_t> tasks;
    for (const auto& [order, task] : behind) tasks.push_back(task);
    return tasks;
  }

  SpeculationOptions options_;
  Duration interval_;
};

class Hadoop3 final : public SpeculationPolicy {
 public:
  explicit Hadoop3(const SpeculationOptions& options) : options_(options) {}

  // DefaultSpeculator.computeSpeculations. What is wanted stays so until it is launched, or needed
  // no longer; meanwhile it is a container of its kind that is waited for.
  Wanted look(TraceTime now, const SpeculatedJob& job) override {
    forget_if_over(map_, *job.maps.progress);
    forget_if_over(reduce_, *job.reduces.progress);
    if (now >= next_look_) {
      const bool has_map = !map_ && choose(now, job.maps, map_);
      const bool has_reduce = !reduce_ && choose(now, job.reduces, reduce_);
      const bool has_any = has_map || has_reduce;
      next_look_ = now + (has_any ? options_.retry_after_some : options_.retry_after_none);
    }
    return {list(map_), list(reduce_)};
  }

  bool may_run_on(NodeId /*node*/, std::uint32_t /*task*/,
                  const StageProgress& /*stage*/) const override {
    return true;
  }
  TraceTime next_look(TraceTime /*now*/) const override { return next_look_; }

 private:
  static std::vector<std::uint32_t> list(const std::optional<std::uint32_t>& task) {
    return task ? std::vector{*task} : std::vector<std::uint32_t>();
  }

  static void forget_if_over(std::optional<std::uint32_t>& chosen, const StageProgress& stage) {
    if (!chosen) return;
    const auto running = stage.running().find(*chosen);
    if (running == stage.running().end() || !may_be_duplicated(running->second)) chosen.reset();
  }

  // DefaultSpeculator.maybeScheduleASpeculation
  bool choose(TraceTime now, const SpeculatedStage& of, std::optional<std::uint32_t>& chosen) {
    // StartEndTimesBase.thresholdRuntime
    constexpr double least_done = 0.05;
    const std::uint32_t done = of.progress->done();
    if (of.waiting > 0 || done == 0 || done < least_done * of.progress->tasks()) return false;
    const Duration anew(static_cast<std::int64_t>(of.progress->durations().mean() * 1e6));
    std::optional<Duration> best;
    std::optional<std::uint32_t> best_task;
    for (const auto& [index, task] : of.progress->running()) {
      if (!may_be_duplicated(task)) continue;
      const std::optional<Duration> gain = gain_of(now, task.attempts.front(), anew);
      if (!gain || (best && *gain <= *best)) continue;
      best = gain;
      best_task = index;
    }
    const auto share = [](double part, std::size_t whole) {
      return static_cast<std::uint32_t>(part * static_cast<double>(whole));
    };
    const std::uint32_t cap =
        std::max({options_.cap_minimum, share(options_.cap_of_total, of.progress->tasks()),
                  share(options_.cap_of_running, of.progress->running().size())});
    if (!best_task || cap <= of.progress->duplicated()) return false;
    chosen = best_task;
    return true;
  }

  // DefaultSpeculator.speculationValue
  static std::optional<Duration> gain_of(TraceTime now, const StageProgress::Attempt& attempt,
                                         Duration anew) {
    const TraceTime end = attempt.begun + attempt.run_time(now);
    if (end < now || now + anew >= end) return std::nullopt;
    return end - (now + anew);
  }

  SpeculationOptions options_;
  TraceTime next_look_{};
  std::optional<std::uint32_t> map_;  // that waits for a container
  std::optional<std::uint32_t> reduce_;
};

}  // namespace

SpeculationOptions read_speculation_options(SettingReader& reader) {
  constexpr std::int64_t milliseconds_max = std::int64_t{1000} * 60 * 60 * 24 * 365;
  constexpr SpeculationRule rules[] = {SpeculationRule::none, SpeculationRule::late,
                                       SpeculationRule::hadoop_0_20, SpeculationRule::hadoop_3};
  const auto time = [&](std::string_view name, std::int64_t low) {
    return reader.milliseconds_of(name, low, milliseconds_max);
  };
  SpeculationOptions options;
  options.rule =
      rules[reader.choice("speculation.policy", {"none", "late", "hadoop_0_20", "hadoop_3"})];
  options.report_interval = time("speculation.progress_interval_ms", 1);
  options.least_run = time("speculation.least_run_ms", 0);
  options.progress_gap = reader.fraction("speculation.progress_gap", 0, 1);
  options.has_percentiles =
      reader.choice("speculation.thresholds", {"deviations", "percentiles"}) == 1;
  options.slow_task_deviations = reader.fraction("speculation.slow_task_deviations", 0, 100);
  options.slow_node_deviations = reader.fraction("speculation.slow_node_deviations", 0, 100);
  options.slow_task_percentile = reader.fraction("speculation.slow_task_percentile", 0, 1);
  options.slow_node_percentile = reader.fraction("speculation.slow_node_percentile", 0, 1);
  options.cap_of_running = reader.fraction("speculation.cap_of_running", 0, 1);
  options.cap_of_total = reader.fraction("speculation.cap_of_total", 0, 1);
  options.cap_minimum =
      static_cast<std::uint32_t>(reader.integer("speculation.cap_minimum", 0, 1'000'000));
  options.retry_after_none = time("speculation.retry_after_none_ms", 1);
  options.retry_after_some = time("speculation.retry_after_some_ms", 1);
  return options;
}

std::unique_ptr<SpeculationPolicy> make_speculation_policy(const SpeculationOptions& options,
                                                           Duration interval) {
  switch (options.rule) {
    case SpeculationRule::none:
      return nullptr;
    case SpeculationRule::late:
      return std::make_unique<Late>(options, interval);
    case SpeculationRule::hadoop_0_20:
      return std::make_unique<Hadoop020>(options, interval);
    case SpeculationRule::hadoop_3:
      return std::make_unique<Hadoop3>(options);
  }
  unknown_constant();
}

}  // namespace tracebed
