#include "traces/csv/philly_reader.h"

#include <array>
#include <bit>
#include <charconv>
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

// Eight bytes of text against a form such as "0000-00-": digits where it has '0', and elsewhere
// what it has there.
class FormChunk {
 public:
  FormChunk(const char* text, const char* form) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t wanted = 0;
    std::memcpy(&bytes_, text, sizeof(bytes_));
    std::memcpy(&wanted, form, sizeof(wanted));
    bytes_ ^= wanted;
    for (std::size_t i = 0; i < sizeof(bytes_); ++i) {
      over_ |= std::uint64_t{form[i] == '0' ? 0x76U : 0x7FU} << 8 * i;
    }
  }
  // A byte above what it may be, 9 or 0, reaches the top bit by what is added, or has it. What that
  // carries spoils only bytes after one that does not fit anyway.
  bool fits() const { return (((bytes_ + over_) | bytes_) & 0x8080808080808080) == 0; }
  int digit(std::size_t at) const { return static_cast<int>(bytes_ >> 8 * at & 0xFF); }
  int pair(std::size_t at) const { return digit(at) * 10 + digit(at + 1); }

 private:
  std::uint64_t bytes_ = 0;
  std::uint64_t over_ = 0;
};

}  // namespace

bool read_date_time(std::string_view text, std::int64_t& result) {
  if (text.size() != 19) return false;
  const FormChunk front(text.data(), "0000-00-");
  const FormChunk middle(text.data() + 8, "00 00:00");
  const FormChunk back(text.data() + 11, "00:00:00");
  if (!front.fits() || !middle.fits() || !back.fits()) return false;
  const int hour = back.pair(0);
  const int minute = back.pair(3);
  const int second = back.pair(6);
  const std::chrono::year_month_day date(std::chrono::year{front.pair(0) * 100 + front.pair(2)},
                                         std::chrono::month{static_cast<unsigned>(front.pair(5))},
                                         std::chrono::day{static_cast<unsigned>(middle.pair(0))});
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return false;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  result = ((days * 24 + hour) * 60 + minute) * 60 + second;
  return true;
}

PhillyReader::PhillyReader(LineReader lines, const TraceOptions& options, Names& names)
    : TableReader("philly", std::move(lines), options, names, columns),
      gpu_dimension_(options.dimensions.find("gpu_milli")),
      has_gpu_dimension_(gpu_dimension_ < options.dimensions.size()),
      queues_(names.queues) {}

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
  record.queue = queues_.intern(queue).value();
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
  std::array<char, 20> digits;
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), record.line).ptr;
  job.name.assign("line ").append(std::string_view(digits.data(), end));
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
  set_recorded(RecordedSpan{microseconds(record.duration), 0, 0});
  const Duration run = microseconds(std::max<std::int64_t>(record.duration, 1));
  stage.runs.push_back(
      {static_cast<std::uint32_t>(record.gpus), work_of_run(run, stage.demand, rules().task)});
  return true;
}

}  // namespace tracebed
