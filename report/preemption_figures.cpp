#include "report/preemption_figures.h"

#include "report/jct_parts.h"

namespace tracebed {
namespace {

struct ResourceTime {
  double vcore_seconds = 0;
  double mib_seconds = 0;
};

ResourceTime times(const Resources& resources, double seconds) {
  return {static_cast<double>(resources.milli_vcores()) / 1000 * seconds,
          static_cast<double>(resources.memory_mib()) * seconds};
}

void add_to(PreemptionCounts& sum, const PreemptionCounts& counts) {
  sum.asked += counts.asked;
  sum.in_time += counts.in_time;
  sum.checkpointed += counts.checkpointed;
  sum.substituted += counts.substituted;
  sum.forced += counts.forced;
  sum.cancelled += counts.cancelled;
  sum.lost += counts.lost;
  sum.lost_vcore_seconds += counts.lost_vcore_seconds;
  sum.lost_mib_seconds += counts.lost_mib_seconds;
  sum.saved_vcore_seconds += counts.saved_vcore_seconds;
  sum.saved_mib_seconds += counts.saved_mib_seconds;
}

}  // namespace

template <class Record>
PreemptedApplication& PreemptionCounter::application_of(const Record& record) {
  PreemptedApplication& found = applications_[record.application];
  found.application = record.application;
  found.job = record.job;
  found.queue = record.queue;
  found.leaf = record.leaf;
  return found;
}

void PreemptionCounter::add(const PreemptionRecord& record) {
  PreemptionCounts& counts = application_of(record).counts;
  ++counts.asked;
  switch (record.end) {
    case PreemptionEnd::checkpointed:
      ++counts.checkpointed;
      ++counts.in_time;
      return;
    case PreemptionEnd::substituted:
      ++counts.substituted;
      ++counts.in_time;
      return;
    case PreemptionEnd::given_up:
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
  PreemptionCounts& counts = application_of(record).counts;
  counts.saved_vcore_seconds += was_saved.vcore_seconds;
  counts.saved_mib_seconds += was_saved.mib_seconds;
  counts.lost_vcore_seconds += was_lost.vcore_seconds;
  counts.lost_mib_seconds += was_lost.mib_seconds;
}

PreemptionFigures PreemptionCounter::figures(const QueueNames& names) const {
  PreemptionFigures figures;
  std::map<std::string, PreemptionCounts> by_queue;
  for (const auto& [id, application] : applications_) {
    if (application.counts.asked == 0) continue;
    add_to(figures.all, application.counts);
    add_to(by_queue[names.name(application.queue, application.leaf)], application.counts);
  }
  for (const auto& [queue, counts] : by_queue) figures.queues.push_back({queue, counts});
  return figures;
}

std::vector<PreemptedApplication> PreemptionCounter::applications() const {
  std::vector<PreemptedApplication> asked;
  for (const auto& [id, application] : applications_) {
    if (application.counts.asked > 0) asked.push_back(application);
  }
  return asked;
}

}  // namespace tracebed
