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
    append_predecessors(record);
    append_job(job, names_, record);
    jobs_.add(to_microseconds(job.submit), record);
  }
}

void SortedReader::append_predecessors(std::string& record) {
  names_others_ = rows_->job_number().has_value();
  if (!names_others_) return;
  const auto append = [&](std::int64_t value) {
    record.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  const NamedPredecessors& named = *rows_->predecessors();
  append(*rows_->job_number());
  append(named.think.count());
  append(static_cast<std::int64_t>(named.jobs.size()));
  for (const std::int64_t job : named.jobs) append(job);
}

void SortedReader::read_predecessors(std::string_view& record) {
  if (!names_others_) return;
  const auto take = [&] {
    std::int64_t value = 0;
    std::memcpy(&value, record.data(), sizeof(value));
    record.remove_prefix(sizeof(value));
    return value;
  };
  number_ = take();
  predecessors_.think = microseconds(take());
  predecessors_.jobs.resize(static_cast<std::size_t>(take()));
  for (std::int64_t& job : predecessors_.jobs) job = take();
}

bool SortedReader::next(Job& job) {
  if (!is_collected_) collect();
  std::int64_t submit = 0;
  std::string_view record;
  if (!jobs_.next(submit, record)) return false;
  std::memcpy(&recorded_, record.data(), sizeof(recorded_));
  record.remove_prefix(sizeof(recorded_));
  read_predecessors(record);
  read_job(record, names_, spare_, job);
  // The rows' own origin is their first one, which need not be the first submitted.
  if (taken_ == 0 && origin_rule_ == Origin::first_job) origin_ = submit;
  job.submit = trace_time(submit - origin_);
  job.id = JobId(taken_++);
  return true;
}

}  // namespace tracebed
