#include "traces/csv/philly_reader.h"

#include <array>
#include <chrono>
#include <cstring>

#include "traces/parts/text_numbers.h"
#include "traces/parts/trace_rows.h"
#include "traces/parts/usage.h"

namespace tracebed {
namespace {

constexpr std::array<std::string_view, 5> columns = {"timestamp", "duration", "num_gpus",
                                                     "gpu_time", "cluster"};
enum Column : std::size_t { timestamp, duration, num_gpus, gpu_time, cluster };
enum Tally : TraceTally::Handle { run_time = 1, gpus_of_job };
enum DistinctTally : TraceTally::Handle { clusters };

bool read_digits(std::string_view text, std::size_t begin, std::size_t count, int& value) {
  value = 0;
  for (std::size_t i = begin; i < begin + count; ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    value = value * 10 + (text[i] - '0');
  }
  return true;
}

}  // namespace

bool read_date_time(std::string_view text, std::int64_t& result) {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (text.size() != 19 || text[4] != '-' || text[7] != '-' || text[10] != ' ' || text[13] != ':' ||
      text[16] != ':' || !read_digits(text, 0, 4, year) || !read_digits(text, 5, 2, month) ||
      !read_digits(text, 8, 2, day) || !read_digits(text, 11, 2, hour) ||
      !read_digits(text, 14, 2, minute) || !read_digits(text, 17, 2, second)) {
    return false;
  }
  const std::chrono::year_month_day date(std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)});
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return false;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  result = ((days * 24 + hour) * 60 + minute) * 60 + second;
  return true;
}

PhillyReader::PhillyReader(LineReader lines, const TraceOptions& options, Names& names)
    : TableReader("philly", std::move(lines), options, names, columns),
      gpu_dimension_(options.dimensions.find("gpu_milli")),
      has_gpu_dimension_(gpu_dimension_ < options.dimensions.size()) {}

void PhillyReader::name_tallies(TraceTally& tally) {
  tally.distribution("duration", "s", 1'000'000);
  tally.distribution("GPUs", "");
  tally.distinct("virtual clusters");
}

bool PhillyReader::scan(std::int64_t& submit, Record& record) {
  std::int64_t seconds_since_1970 = 0;
  if (!read_date_time(row().at(timestamp), seconds_since_1970) || seconds_since_1970 < 0) {
    return row().bad(BadRow::number, timestamp, "a time such as 2017-10-09 07:01:55");
  }
  std::string_view queue;
  submit = seconds_since_1970 * 1'000'000;
  record.line = static_cast<std::int64_t>(row().line_number());
  if (!row().decimal(duration, 0, trace_microseconds_max, record.duration) ||
      !row().whole(num_gpus, 1, rules().common.tasks_max, record.gpus) ||
      !row().text(cluster, queue)) {
    return false;
  }
  record.queue = names().queues.intern(queue).value();
  return true;
}

void PhillyReader::collect() {
  while (next_row()) {
    std::int64_t submit = 0;
    Record record;
    if (!scan(submit, record)) continue;
    see_row(submit);
    if (tally() != nullptr) {
      tally()->add(run_time, record.duration);
      tally()->add(gpus_of_job, record.gpus);
      tally()->see(clusters, hash_of(row().at(cluster)));
    }
    keep(submit, std::string_view(reinterpret_cast<const char*>(&record), sizeof(record)));
  }
  note_blank_lines();
}

bool PhillyReader::make(std::string_view bytes, Job& job) {
  Record record;
  std::memcpy(&record, bytes.data(), sizeof(record));
  job.name = "line " + std::to_string(record.line);
  job.kind = JobKind::rigid;
  job.user = only_user();
  job.queue = QueueId(record.queue);
  Stage& stage = begin_stage(job);
  stage.kind = StageKind::gang;
  stage.demand = Resources(rules().philly.gpu_millicores, rules().philly.gpu_memory_mib);
  if (has_gpu_dimension_) {
    stage.demand[gpu_dimension_] = 1000;
  } else {
    note("jobs whose GPUs are not in their demand: the run has no dimension gpu_milli");
  }
  const Duration run = microseconds(std::max<std::int64_t>(record.duration, 1));
  stage.runs.push_back(
      {static_cast<std::uint32_t>(record.gpus), work_of_run(run, stage.demand, rules().task)});
  return true;
}

}  // namespace tracebed
