#include "report/html_preemption.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace tracebed {
namespace {

constexpr std::size_t bins_max = 120;  // bars that a chart's width shows apart
constexpr std::size_t applications_max = 10;

const char* settled_as(PreemptionEnd end) {
  switch (end) {
    case PreemptionEnd::given_up:
    case PreemptionEnd::checkpointed:
    case PreemptionEnd::substituted:
      return "in_time";
    case PreemptionEnd::forced:
      return "forced";
    case PreemptionEnd::cancelled:
      return "cancelled";
    case PreemptionEnd::lost:
      break;
  }
  return "lost";
}

// The time that plots of the run's queues show.
std::pair<TraceTime, TraceTime> shown_time(const RunFolder& run) {
  TraceTime first = run.preemptions.front().asked;
  TraceTime last = first;
  for (const PreemptionSpan& span : run.preemptions) {
    first = std::min(first, span.asked);
    last = std::max(last, span.ended);
  }
  const std::vector<QueueSample>& samples = run.queue_series.samples;
  if (!samples.empty()) {
    first = std::min(first, samples.front().at);
    last = std::max(last, samples.back().at);
  }
  return {first, last};
}

Json bins_of(const RunFolder& run) {
  const auto [first, last] = shown_time(run);
  // At least a second each, so that a bar means something.
  const Duration width = std::max<Duration>(
      seconds(1), (last - first) / static_cast<std::int64_t>(bins_max) + microseconds(1));
  const std::size_t bins = static_cast<std::size_t>((last - first) / width) + 1;
  const auto bin_of = [&, from = first](TraceTime at) {
    return static_cast<std::size_t>((at - from) / width);
  };
  Json result = {{"start", to_seconds(first)}, {"width", to_seconds(width)}};
  for (const char* kind : {"asked", "in_time", "forced", "cancelled", "lost"}) {
    result[kind] = std::vector<std::uint64_t>(bins);
  }
  const auto count = [&](const char* kind, TraceTime at) {
    Json& bin = result[kind][bin_of(at)];
    bin = bin.get<std::uint64_t>() + 1;
  };
  for (const PreemptionSpan& span : run.preemptions) {
    count("asked", span.asked);
    count(settled_as(span.end), span.ended);
  }
  return result;
}

Json application_row(const PreemptedApplication& application, const RunFolder& run) {
  Json row = {{"job", application.job.value()}, {"user", ""}, {"queue", ""}};
  const auto job =
      std::lower_bound(run.jobs.begin(), run.jobs.end(), application.job,
                       [](const JobFigures& figures, JobId id) { return figures.job < id; });
  if (job != run.jobs.end() && job->job == application.job) {
    row["user"] = run.users.name(job->user);
    row["queue"] = run.queues.name(job->queue);
  }
  const PreemptionCounts& counts = application.counts;
  row["asked"] = counts.asked;
  row["in_time"] = counts.in_time;
  row["substituted"] = counts.substituted;
  row["forced"] = counts.forced;
  row["cancelled"] = counts.cancelled;
  row["lost"] = counts.lost;
  row["lost_vcore_seconds"] = counts.lost_vcore_seconds;
  row["saved_vcore_seconds"] = counts.saved_vcore_seconds;
  row["lost_mib_seconds"] = counts.lost_mib_seconds;
  row["saved_mib_seconds"] = counts.saved_mib_seconds;
  return row;
}

Json applications_of(const RunFolder& run) {
  std::vector<PreemptedApplication> most = run.preempted;
  const auto weight = [](const PreemptedApplication& application) {
    const PreemptionCounts& counts = application.counts;
    return std::tuple(counts.lost_vcore_seconds + counts.saved_vcore_seconds, counts.asked);
  };
  std::sort(most.begin(), most.end(), [&](const auto& a, const auto& b) {
    return weight(a) != weight(b) ? weight(a) > weight(b) : a.application < b.application;
  });
  most.resize(std::min(most.size(), applications_max));
  Json rows = Json::array();
  for (const PreemptedApplication& application : most) {
    rows.push_back(application_row(application, run));
  }
  return {{"total", run.preempted.size()}, {"most", std::move(rows)}};
}

}  // namespace

Json preemption_data(const RunFolder& run) {
  if (run.preemptions.empty()) return nullptr;
  return {{"bins", bins_of(run)}, {"applications", applications_of(run)}};
}

}  // namespace tracebed
