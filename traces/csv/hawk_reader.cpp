#include "traces/csv/hawk_reader.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "traces/parts/text_numbers.h"
#include "traces/parts/trace_rows.h"
#include "traces/parts/usage.h"

namespace tracebed {
namespace {

enum Tally : TraceTally::Handle { tasks_of_job = 1, task_time };

bool is_blank(char letter) {
  return letter == ' ' || letter == '\t';
}

}  // namespace

HawkReader::HawkReader(LineReader lines, const TraceOptions& options, Names& names)
    : CollectedReader("hawk", lines.name(), options, names), lines_(std::move(lines), " \t") {}

void HawkReader::name_tallies(TraceTally& tally) {
  tally.distribution("tasks", "");
  tally.distribution("task duration", "s", 1'000'000);
}

void HawkReader::collect() {
  std::string_view line;
  std::string record;
  while (lines_.next(bad(), line)) {
    if (!scan(line)) continue;
    see_row(submit_);
    if (tally() != nullptr) {
      ignored_fields().add("mean duration");
      tally()->add(tasks_of_job, static_cast<std::int64_t>(durations_.size()));
      for (const std::int64_t each : durations_) tally()->add(task_time, each);
    }
    const auto number = static_cast<std::int64_t>(lines_.line_number());
    record.assign(reinterpret_cast<const char*>(&number), sizeof(number));
    record.append(reinterpret_cast<const char*>(durations_.data()),
                  durations_.size() * sizeof(durations_[0]));
    keep(submit_, record);
  }
  note(header_note, lines_.header_rows());
  note("blank lines", lines_.blank_lines());
}

bool HawkReader::scan_number(const char*& at, const char* end, std::int64_t low,
                             std::int64_t& millionths) {
  while (at != end && is_blank(*at)) ++at;
  const char* const word = at;
  const Decimal number =
      at == end ? Decimal{0, false, NumberFault::not_a_number} : scan_decimal(at, end);
  const std::string_view got(word, static_cast<std::size_t>(at - word));
  const auto refuse = [&](BadRow reason, std::string_view expected) {
    bad().add(reason, lines_.line_number(), "line", expected, shown(got));
    return false;
  };
  if (number.fault == NumberFault::not_a_number) return refuse(BadRow::number, "a number");
  if (number.millionths < low && number.fault == NumberFault::none) {
    return refuse(BadRow::negative, "a number that is not negative");
  }
  if (number.fault != NumberFault::none || number.millionths > trace_microseconds_max) {
    return refuse(BadRow::out_of_range, "at most 1000000000000");
  }
  millionths = number.millionths;
  return true;
}

bool HawkReader::scan(std::string_view line) {
  const char* at = line.data();
  const char* const end = at + line.size();
  std::int64_t tasks = 0;
  std::int64_t mean = 0;
  if (!scan_number(at, end, 0, submit_) || !scan_number(at, end, 0, tasks) ||
      !scan_number(at, end, 0, mean)) {
    return false;
  }
  const auto wrong = [&](BadRow reason, const std::string& expected, const std::string& got) {
    bad().add(reason, lines_.line_number(), "column 2 (tasks)", expected, got);
    return false;
  };
  if (tasks % millionths_per_one != 0 || tasks == 0) {
    return wrong(BadRow::number, "a whole number from 1 on",
                 fmt::format("{}", static_cast<double>(tasks) / 1e6));
  }
  tasks /= millionths_per_one;
  durations_.clear();
  while (at != end && is_blank(*at)) ++at;
  while (at != end) {
    std::int64_t duration = 0;
    if (!scan_number(at, end, 0, duration)) return false;
    durations_.push_back(duration);
    while (at != end && is_blank(*at)) ++at;
  }
  if (static_cast<std::size_t>(tasks) == durations_.size()) return true;
  return wrong(BadRow::columns, fmt::format("as many tasks as durations, {}", durations_.size()),
               fmt::format("{}", tasks));
}

bool HawkReader::make(std::string_view record, Job& job) {
  std::int64_t number = 0;
  std::memcpy(&number, record.data(), sizeof(number));
  durations_.resize((record.size() - sizeof(number)) / sizeof(durations_[0]));
  std::memcpy(durations_.data(), record.data() + sizeof(number), record.size() - sizeof(number));
  job.name = "line " + std::to_string(number);
  job.kind = JobKind::dag;
  job.user = only_user();
  job.queue = only_queue();
  Stage& stage = begin_stage(job);
  stage.demand = default_demand(rules().task);
  for (const std::int64_t duration : durations_) {
    // What took less than the clock can tell took its smallest step.
    add_tasks(
        stage, 1,
        work_of_run(microseconds(std::max<std::int64_t>(duration, 1)), stage.demand, rules().task));
  }
  return true;
}

}  // namespace tracebed
