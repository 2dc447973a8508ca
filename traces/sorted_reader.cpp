#include "traces/sorted_reader.h"

#include <cstring>

#include "traces/parts/job_record.h"

namespace tracebed {

SortedReader::SortedReader(std::unique_ptr<TraceReader> rows, const TraceOptions& options,
                           Names& names)
    : rows_(std::move(rows)),
      origin_rule_(options.rules.common.origin),
      names_(names),
      jobs_(options.sort_bytes_max) {}

void SortedReader::collect() {
  is_collected_ = true;
  Job job;
  std::string record;
  while (rows_->next(job)) {
    recorded_ = rows_->recorded_span();
    record.assign(reinterpret_cast<const char*>(&recorded_), sizeof(recorded_));
    append_job(job, names_, record);
    jobs_.add(to_microseconds(job.submit), record);
  }
}

bool SortedReader::next(Job& job) {
  if (!is_collected_) collect();
  std::int64_t submit = 0;
  std::string_view record;
  if (!jobs_.next(submit, record)) return false;
  std::memcpy(&recorded_, record.data(), sizeof(recorded_));
  record.remove_prefix(sizeof(recorded_));
  read_job(record, names_, spare_, job);
  // The rows' own origin is their first one, which need not be the first submitted.
  if (taken_ == 0 && origin_rule_ == Origin::first_job) origin_ = submit;
  job.submit = trace_time(submit - origin_);
  job.id = JobId(taken_++);
  return true;
}

}  // namespace tracebed
