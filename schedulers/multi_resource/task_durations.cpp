#include "schedulers/multi_resource/task_durations.h"

#include <algorithm>
#include <iterator>

namespace tracebed {
namespace {

constexpr std::int64_t micros_of_unknown = 1'000'000;

}  // namespace

void TaskDurations::refused(AskId ask) {
  const auto found = starts_.find(ask);
  if (found == starts_.end()) return;
  std::map<NodeId, Starts>& by_node = found->second;
  TraceTime newest{};
  for (const auto& [node, starts] : by_node) newest = std::max(newest, starts.back());
  for (auto of_node = by_node.begin(); of_node != by_node.end();) {
    Starts& starts = of_node->second;
    while (!starts.empty() && starts.back() == newest) starts.pop_back();
    of_node = starts.empty() ? by_node.erase(of_node) : std::next(of_node);
  }
  if (by_node.empty()) starts_.erase(found);
}

void TaskDurations::ended(AskId ask, NodeId node, ApplicationId job, std::optional<SlotKind> kind,
                          TraceTime when) {
  const auto of_ask = starts_.find(ask);
  if (of_ask == starts_.end()) return;
  const auto found = of_ask->second.find(node);
  if (found == of_ask->second.end()) return;
  Starts& starts = found->second;
  const std::int64_t micros = (when - starts.front()).count();
  starts.erase(starts.begin());
  if (starts.empty()) of_ask->second.erase(found);
  if (of_ask->second.empty()) starts_.erase(of_ask);
  if (!kind) return;
  for (Mean* mean : {&of_jobs_[job][*kind], &of_all_[*kind]}) {
    mean->sum += micros;
    ++mean->count;
  }
}

std::int64_t TaskDurations::estimate(ApplicationId job, SlotKind kind) const {
  const auto of_job = of_jobs_.find(job);
  for (const Mean& mean :
       {of_job == of_jobs_.end() ? Mean() : of_job->second[kind], of_all_[kind]}) {
    if (mean.count > 0) return std::max<std::int64_t>(1, mean.sum / mean.count);
  }
  return micros_of_unknown;
}

}  // namespace tracebed
