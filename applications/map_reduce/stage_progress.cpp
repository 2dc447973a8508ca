#include "applications/map_reduce/stage_progress.h"

#include <algorithm>

#include "core/preemption.h"

namespace tracebed {
namespace {

// JobInProgress.getCurrentProgressRate and LegacyTaskRuntimeEstimator keep divisors positive so.
constexpr Duration least_time = milliseconds(1);
constexpr double least_progress = 0.0001;
// DefaultSpeculator.MAX_WAITTING_TIME_FOR_HEARTBEAT
constexpr Duration longest_silence = seconds(9);

template <class Value>
double best_of(const std::vector<StageProgress::Attempt>& attempts, const Value& value) {
  double best = 0;
  for (const StageProgress::Attempt& attempt : attempts) best = std::max(best, value(attempt));
  return best;
}

}  // namespace

double StageProgress::Attempt::rate(TraceTime now) const {
  if (begun == never) return 0;
  return progress / to_seconds(std::max(now - begun, least_time));
}

Duration StageProgress::Attempt::run_time(TraceTime now) const {
  if (begun == never) return Duration::zero();
  const TraceTime heard = changed + (now - changed) / longest_silence * longest_silence;
  const double so_far = static_cast<double>((heard - begun).count());
  return Duration(static_cast<std::int64_t>(so_far / std::max(progress, least_progress)));
}

bool StageProgress::Task::is_on(NodeId node) const {
  return std::any_of(attempts.begin(), attempts.end(),
                     [&](const Attempt& attempt) { return attempt.node == node; });
}

double StageProgress::Task::progress() const {
  return best_of(attempts, [](const Attempt& attempt) { return attempt.progress; });
}

double StageProgress::Task::rate(TraceTime now) const {
  return best_of(attempts, [&](const Attempt& attempt) { return attempt.rate(now); });
}

void StageProgress::launched(std::uint32_t task, const Grant& grant, bool is_held, TraceTime now) {
  const auto [place, is_new] = running_.try_emplace(task);
  Task& state = place->second;
  if (is_new) {
    state.order = next_order_++;
  } else {
    ++duplicated_;
  }
  state.last_launch = now;
  Attempt& attempt = state.attempts.emplace_back();
  attempt.container = grant.container;
  attempt.node = grant.node;
  attempt.begun = is_held ? never : now;
  attempt.changed = now;
  task_of_.emplace(grant.container, task);
}

StageProgress::Attempt* StageProgress::find(ContainerId container) {
  const auto known = task_of_.find(container);
  if (known == task_of_.end()) return nullptr;
  std::vector<Attempt>& attempts = running_.at(known->second).attempts;
  return &*std::find_if(attempts.begin(), attempts.end(),
                        [&](const Attempt& attempt) { return attempt.container == container; });
}

void StageProgress::began(ContainerId container, TraceTime now) {
  Attempt* const attempt = find(container);
  if (attempt == nullptr) return;
  attempt->begun = attempt->changed = now;
  running_.at(task_of_.at(container)).last_launch = now;
}

void StageProgress::reported(const AttemptProgress& report, TraceTime now) {
  Attempt* const attempt = find(report.container);
  if (attempt == nullptr || attempt->begun == never) return;
  const double progress = static_cast<double>(report.progress) / whole_work;
  if (progress != attempt->progress) attempt->changed = now;
  attempt->progress = progress;
}

void StageProgress::ended(const AttemptEnd& end, bool succeeded, bool failed, TraceTime now) {
  const auto known = task_of_.find(end.container);
  if (known == task_of_.end()) return;  // of a task that is done
  const std::uint32_t task = known->second;
  Task& state = running_.at(task);
  if (failed) failed_.emplace(task, end.node);
  if (state.attempts.size() > 1) --duplicated_;
  if (!succeeded) {
    task_of_.erase(known);
    std::erase_if(state.attempts,
                  [&](const Attempt& attempt) { return attempt.container == end.container; });
    if (state.attempts.empty()) running_.erase(task);
    return;
  }
  const TraceTime begun = find(end.container)->begun;
  const double lasted = to_seconds(std::max(now - std::min(now, begun), least_time));
  finished_rates_.add(1 / lasted);
  if (timed_.insert(task).second) durations_.add(lasted);
  on_nodes_[end.node].add(lasted);
  done_.insert(task);
  for (const Attempt& attempt : state.attempts) task_of_.erase(attempt.container);
  running_.erase(task);
}

void StageProgress::undone(std::uint32_t task) {
  done_.erase(task);
}

std::vector<NodeId> StageProgress::nodes_of(std::uint32_t task) const {
  std::vector<NodeId> nodes;
  if (const auto running = running_.find(task); running != running_.end()) {
    for (const Attempt& attempt : running->second.attempts) nodes.push_back(attempt.node);
  }
  for (auto failed = failed_.lower_bound({task, NodeId(0u)});
       failed != failed_.end() && failed->first == task; ++failed) {
    nodes.push_back(failed->second);
  }
  return nodes;
}

double StageProgress::average_progress() const {
  if (tasks_ == 0) return 0;
  double sum = static_cast<double>(done_.size());
  for (const auto& [task, state] : running_) sum += state.progress();
  return sum / tasks_;
}

NumberStatistics StageProgress::rates(TraceTime now) const {
  NumberStatistics rates = finished_rates_;
  for (const auto& [task, state] : running_) {
    if (!state.is_held()) rates.add(state.rate(now));
  }
  return rates;
}

void StageProgress::add_progress_on_nodes(std::map<NodeId, double>& sums) const {
  for (const auto& [node, lasted] : on_nodes_) sums[node] += static_cast<double>(lasted.count);
  for (const auto& [task, state] : running_) {
    for (const Attempt& attempt : state.attempts) sums[attempt.node] += attempt.progress;
  }
}

}  // namespace tracebed
