#include "traces/trace_info.h"

#include <algorithm>

#include "core/check.h"
#include "system/input_witness.h"
#include "traces/trace_formats.h"
#include "traces/workload_sizes.h"
#include "traces/workload_totals.h"

namespace tracebed {
namespace {

DistributionSummary summarize(std::string name, std::string unit, std::int64_t per_unit,
                              Quantiles& values) {
  DistributionSummary summary;
  summary.name = std::move(name);
  summary.unit = std::move(unit);
  const double scale = static_cast<double>(per_unit);
  summary.count = values.count();
  summary.minimum = static_cast<double>(values.minimum()) / scale;
  summary.maximum = static_cast<double>(values.maximum()) / scale;
  for (std::size_t i = 0; i < summary.percentiles.size(); ++i) {
    summary.percentiles[i] =
        static_cast<double>(values.percentile(DistributionSummary::percents[i])) / scale;
  }
  summary.mean = values.mean() / scale;
  summary.sum = values.sum() / scale;
  summary.exact = values.is_exact();
  return summary;
}

void add_columns(TraceInfo& info, TraceTally& tally) {
  for (TraceTally::Distribution& each : tally.distributions()) {
    if (each.values.count() == 0) continue;
    info.columns.push_back(summarize(each.name, each.unit, each.per_unit, each.values));
  }
  info.counts = tally.counts();
  info.distinct = tally.distinct_counts();
}

std::vector<DistributionSummary> summaries_of(const std::vector<WorkloadSizes::Sizes*>& sizes) {
  std::vector<DistributionSummary> summaries;
  for (WorkloadSizes::Sizes* const each : sizes) {
    summaries.push_back(summarize(each->name, each->unit, each->per_unit, each->values));
  }
  return summaries;
}

void add_workload(TraceInfo& info, const WorkloadTotals& totals, WorkloadSizes& sizes) {
  info.jobs = totals.jobs();
  info.tasks = totals.tasks();
  info.span_seconds = to_seconds(totals.span());
  info.vcore_seconds = totals.vcore_seconds();
  info.offered_vcores = totals.offered_vcores();
  if (info.recorded_vcores && *info.recorded_vcores > 0) {
    info.load = info.offered_vcores / *info.recorded_vcores;
  }
  info.job_sizes = summaries_of(sizes.of_jobs());
  info.task_sizes = summaries_of(sizes.of_tasks());
}

void add_bad_rows(TraceInfo& info, const BadRows& bad) {
  for (std::size_t i = 0; i < bad_row_reasons; ++i) {
    const auto reason = static_cast<BadRow>(i);
    const BadRows::Reason& entry = bad.reason(reason);
    if (entry.rows == 0) continue;
    info.bad_rows.push_back({std::string(name(reason)), entry.rows, entry.first_message});
  }
}

}  // namespace

double DistributionSummary::percentile(unsigned percent) const {
  const auto* found = std::find(percents.begin(), percents.end(), percent);
  TRACEBED_CHECK(found != percents.end(), "the percentile is one of those kept");
  return percentiles[static_cast<std::size_t>(found - percents.begin())];
}

TraceInfo measure_trace(const std::string& path, const TraceOptions& options,
                        const InfoOptions& info_options) {
  InputWitness witness;
  Names names;
  const auto reader = open_trace(path, options.witnessed_by(witness), names);
  TraceTally tally(info_options.exact_max);
  reader->tally_into(tally);
  WorkloadTotals totals;
  WorkloadSizes sizes(options.dimensions, info_options.exact_max);
  TraceInfo info;
  const TraceFormat& format = format_of(*reader);
  SpanComparison spans(format.resolution, info_options.exact_max);
  Job job;
  while (reader->next(job)) {
    totals.add(job);
    spans.add(job, reader->recorded_span());
    sizes.add(job);
    info.load_over_time.add((job.submit - totals.first_submit()).count(), vcore_seconds(job));
  }
  const LoadReport report = reader->report();
  info.path = path;
  info.format = reader->format();
  info.format_reason = reader->format_reason();
  info.compression = reader->compression();
  info.text_bytes = reader->text_bytes();
  info.rows = report.rows;
  info.left_out = report.left_out;
  info.notes = report.notes;
  info.ignored = reader->ignored();
  info.first_submit_seconds = static_cast<double>(reader->first_submit_microseconds()) / 1e6;
  info.last_submit_seconds = static_cast<double>(reader->last_submit_microseconds()) / 1e6;
  info.spans = spans.summary();
  info.span_text = span_text(format, info.spans.has_value());
  info.rule_effects = reader->rule_effects();
  info.recorded_vcores = reader->recorded_vcores();
  info.rules = rules_of(*reader, options.rules);
  add_bad_rows(info, reader->bad_rows());
  add_columns(info, tally);
  add_workload(info, totals, sizes);
  return info;
}

}  // namespace tracebed
