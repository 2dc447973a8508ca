#include "traces/trace_validate.h"

#include "core/input_error.h"
#include "traces/workload_totals.h"

namespace tracebed {

ValidateResult validate_trace(const std::string& path, TraceOptions options) {
  ValidateResult result;
  options.skip_bad = true;
  Names names;
  const auto reader = open_trace(path, options, names);
  result.format = reader->format();
  result.format_reason = reader->format_reason();
  Job job;
  while (reader->next(job)) {
    ++result.jobs;
    result.tasks += task_count(job);
  }
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
