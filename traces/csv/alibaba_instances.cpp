#include "traces/csv/alibaba_instances.h"

#include <array>
#include <span>
#include <utility>

#include "core/text.h"
#include "traces/parts/text_numbers.h"
#include "traces/parts/trace_rows.h"

namespace tracebed {
namespace {

constexpr std::array<std::string_view, 12> instance_columns_2017 = {
    "start_timestamp", "end_timestamp", "job_id",       "task_id",
    "machineID",       "status",        "seq_no",       "total_seq_no",
    "real_cpu_max",    "real_cpu_avg",  "real_mem_max", "real_mem_avg"};
constexpr std::array<std::string_view, 14> instance_columns_2018 = {
    "instance_name", "task_name", "job_name",     "task_type", "status",  "start_time", "end_time",
    "machine_id",    "seq_no",    "total_seq_no", "cpu_avg",   "cpu_max", "mem_avg",    "mem_max"};

constexpr std::int64_t instance_time_max = trace_microseconds_max / 1'000'000;

}  // namespace

struct AlibabaInstanceTable::Columns {
  std::span<const std::string_view> names;
  std::size_t job, task, status, start, end, cpu, memory;
  std::int64_t milli_vcores_per_one;  // of a 1 in the column of CPU
  std::int64_t time_min;              // the trace of 2017 begins in the middle of what ran
};

const AlibabaInstanceTable::Columns& AlibabaInstanceTable::columns_of(AlibabaYear year) {
  static constexpr Columns of_2017{instance_columns_2017, 2, 3, 5, 0, 1, 9, 10, 1000,
                                   -instance_time_max};
  static constexpr Columns of_2018{instance_columns_2018, 2, 1, 4, 5, 6, 10, 13, 10, 0};
  return year == AlibabaYear::y2017 ? of_2017 : of_2018;
}

AlibabaInstanceTable::AlibabaInstanceTable(AlibabaYear year, LineReader lines, BadRows& bad_rows)
    : columns_(columns_of(year)),
      lines_(std::move(lines), ","),
      bad_rows_(bad_rows),
      row_(columns_.names, bad_rows),
      ignored_columns_(year == AlibabaYear::y2017 ? "alibaba2017" : "alibaba2018",
                       "batch_instance.", columns_.names) {}

bool AlibabaInstanceTable::next(AlibabaInstance& instance, std::string_view& job) {
  while (lines_.next(bad_rows_, line_)) {
    if (row_.assign(line_, lines_.line_number()) && scan(instance, job)) return true;
  }
  return false;
}

bool AlibabaInstanceTable::scan(AlibabaInstance& instance, std::string_view& job) {
  instance = AlibabaInstance();
  if (trimmed(row_.at(columns_.status)) != "Terminated") {
    ++others_;
    return false;
  }
  if (!row_.text(columns_.job, job) || !row_.text(columns_.task, instance.task) ||
      !row_.whole(columns_.start, columns_.time_min, instance_time_max, instance.start) ||
      !row_.whole(columns_.end, columns_.time_min, instance_time_max, instance.end)) {
    return false;
  }
  if (instance.end < instance.start) {
    return row_.bad(BadRow::out_of_range, columns_.end, "a time that is not before its start");
  }
  return scan_use(instance);
}

bool AlibabaInstanceTable::scan_use(AlibabaInstance& instance) {
  constexpr std::int64_t large = 1'000'000 * millionths_per_one;
  std::int64_t cpu = 0;
  if (row_.has(columns_.cpu)) {
    if (!row_.decimal(columns_.cpu, 0, large, cpu)) return false;
    instance.cpu = cpu / (millionths_per_one / columns_.milli_vcores_per_one);
  }
  return !row_.has(columns_.memory) || row_.decimal(columns_.memory, 0, large, instance.memory);
}

}  // namespace tracebed
