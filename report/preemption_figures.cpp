#include "report/preemption_figures.h"

#include <algorithm>

#include "report/jct_parts.h"

namespace tracebed {
namespace {

struct ResourceTime {
  double vcore_seconds = 0;
  double gib_seconds = 0;
};

ResourceTime times(const Resources& resources, double seconds) {
  return {static_cast<double>(resources.milli_vcores()) / 1000 * seconds,
          static_cast<double>(resources.memory_mib()) / 1024 * seconds};
}

void add_to(PreemptionCounts& sum, const PreemptionCounts& counts) {
  sum.asked += counts.asked;
  sum.in_time += counts.in_time;
  sum.forced += counts.forced;
  sum.cancelled += counts.cancelled;
  sum.lost += counts.lost;
  sum.lost_vcore_seconds += counts.lost_vcore_seconds;
  sum.lost_gib_seconds += counts.lost_gib_seconds;
  sum.saved_vcore_seconds += counts.saved_vcore_seconds;
  sum.saved_gib_seconds += counts.saved_gib_seconds;
}

}  // namespace

void PreemptionCounter::add(const PreemptionRecord& record) {
  PreemptionCounts& counts = counts_[record.queue];
  ++counts.asked;
  switch (record.end) {
    case PreemptionEnd::given_up:
    case PreemptionEnd::checkpointed:
    case PreemptionEnd::substituted:
      ++counts.in_time;
      return;
    case PreemptionEnd::forced:
      ++counts.forced;
      return;
    case PreemptionEnd::cancelled:
      ++counts.cancelled;
      return;
    case PreemptionEnd::lost:
      ++counts.lost;
      return;
  }
}

void PreemptionCounter::add(const AttemptRecord& record) {
  const bool was_cut_short = record.end == ContainerEnd::killed ||
                             record.end == ContainerEnd::preempted ||
                             record.end == ContainerEnd::checkpointed;
  if (!was_cut_short || record.is_master || !record.launched) return;
  const TraceTime begun = work_begun(record);
  const double ran = record.account.ended > begun ? to_seconds(record.account.ended - begun) : 0;
  const double saved = to_seconds(kept_time(record));
  const ResourceTime was_saved = times(record.resources, saved);
  const ResourceTime was_lost = times(record.resources, ran - saved);
  PreemptionCounts& counts = counts_[record.queue];
  counts.saved_vcore_seconds += was_saved.vcore_seconds;
  counts.saved_gib_seconds += was_saved.gib_seconds;
  counts.lost_vcore_seconds += was_lost.vcore_seconds;
  counts.lost_gib_seconds += was_lost.gib_seconds;
}

PreemptionFigures PreemptionCounter::figures(const Names& names) const {
  PreemptionFigures figures;
  for (const auto& [queue, counts] : counts_) {
    add_to(figures.all, counts);
    if (!queue.is_valid()) continue;
    figures.queues.push_back({std::string(names.queues.name(queue)), counts});
  }
  std::sort(figures.queues.begin(), figures.queues.end(),
            [](const QueuePreemption& a, const QueuePreemption& b) { return a.queue < b.queue; });
  return figures;
}

}  // namespace tracebed
