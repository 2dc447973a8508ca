#include "traces/trace_validate.h"

#include <algorithm>
#include <array>

#include "system/input_witness.h"
#include "traces/parts/record_sorter.h"
#include "traces/parts/statistics.h"
#include "traces/trace_formats.h"
#include "traces/workload_totals.h"

namespace tracebed {
namespace {

// Finds ids that come twice by sorting all of them.
class JobIds {
 public:
  explicit JobIds(std::size_t sort_bytes_max) : ids_(sort_bytes_max) {}

  void add(const std::string& id) {
    // RecordSorter's keys are signed, and any order puts equal ids side by side.
    ids_.add(static_cast<std::int64_t>(hash_of(id)), id);
  }
  void count(ValidateResult& result) {
    std::int64_t hash = 0;
    std::int64_t last_hash = 0;
    std::string_view id;
    std::vector<std::string> of_this_hash;
    while (ids_.next(hash, id)) {
      if (hash != last_hash) of_this_hash.clear();
      last_hash = hash;
      if (std::find(of_this_hash.begin(), of_this_hash.end(), id) == of_this_hash.end()) {
        of_this_hash.emplace_back(id);
        continue;
      }
      if (result.repeated_ids++ == 0 || id < result.repeated_id) {
        result.repeated_id = id;
      }
    }
  }

 private:
  RecordSorter ids_;
};

}  // namespace

ValidateResult validate_trace(const std::string& path, TraceOptions options) {
  ValidateResult result;
  options.skip_bad = true;
  InputWitness witness;
  Names names;
  const auto reader = open_trace(path, options.witnessed_by(witness), names);
  result.format = reader->format();
  result.format_reason = reader->format_reason();
  // Names of other formats' jobs stand for something else: a position, or what several share.
  const TraceFormat& format = format_of(*reader);
  const bool has_ids = format.names_jobs;
  SpanComparison spans(format.resolution, TraceTally::default_exact_max);
  JobIds ids(options.sort_bytes_max);
  Job job;
  while (reader->next(job)) {
    if (has_ids) ids.add(job.name);
    spans.add(job, reader->recorded_span());
    ++result.jobs;
    result.tasks += task_count(job);
  }
  ids.count(result);
  result.spans = spans.summary();
  result.span_text = span_text(format, result.spans.has_value());
  const BadRows& bad = reader->bad_rows();
  for (std::size_t i = 0; i < bad_row_reasons; ++i) {
    const auto reason = static_cast<BadRow>(i);
    const BadRows::Reason& entry = bad.reason(reason);
    if (entry.rows == 0) continue;
    result.by_reason.push_back({std::string(name(reason)), entry.rows, entry.first_message});
  }
  const LoadReport report = reader->report();
  result.rows = report.rows;
  result.problems = bad.total();
  result.messages = bad.messages();
  result.left_out = report.left_out;
  result.notes = report.notes;
  return result;
}

}  // namespace tracebed
