#include "traces/csv/alibaba_reader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "traces/parts/rounding.h"
#include "traces/parts/text_numbers.h"
#include "traces/parts/trace_rows.h"
#include "traces/parts/usage.h"

namespace tracebed {
namespace {

// The first is what the one copy with a header calls its first column.
constexpr std::array<std::string_view, 8> columns_2017 = {
    "task_create_time", "task_end_time", "job_id", "task_id",
    "instances",        "status",        "cpu",    "memory"};
constexpr std::array<std::string_view, 9> columns_2018 = {"task_name", "instance_num", "job_name",
                                                          "task_type", "status",       "start_time",
                                                          "end_time",  "plan_cpu",     "plan_mem"};
constexpr std::array<std::string_view, 6> statuses = {"Ready",      "Waiting", "Running",
                                                      "Terminated", "Failed",  "Cancelled"};

enum Tally : TraceTally::Handle { run_time = 1, instances_of_task, memory_share, tasks, depths };
enum Count : TraceTally::Handle {
  first_status,
  no_cpu = statuses.size(),
  no_instances,
  zero_time,
  negative_time,
  instances_all,
  needs_all,
  first_cpu,
};
// Those that the published figures name.
constexpr std::array<std::int64_t, 4> known_cpus = {40, 50, 100, 200};

std::int64_t scaled(std::int64_t millionths, std::int64_t of, std::int64_t per_one) {
  const double amount = static_cast<double>(millionths) / 1e6 * static_cast<double>(of) /
                        static_cast<double>(per_one);
  const std::int64_t whole = floored(amount);
  return std::max<std::int64_t>(1, whole + (static_cast<double>(whole) < amount ? 1 : 0));
}

}  // namespace

bool read_task_name(std::string_view name, std::int64_t& number, std::vector<std::int64_t>& needs) {
  needs.clear();
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  std::size_t begin = 0;
  while (begin < name.size() && is_letter(name[begin])) ++begin;
  if (begin == 0) return false;
  std::string_view rest = name.substr(begin);
  const std::size_t mark = rest.rfind('_');
  if (mark != std::string_view::npos && rest.substr(mark + 1).starts_with("Stg")) {
    rest = rest.substr(0, mark);
  }
  for (bool is_first = true;; is_first = false) {
    const std::size_t end = rest.find('_');
    const Whole part = read_whole(rest.substr(0, end));
    if (part.fault != NumberFault::none || part.value < 0) return false;
    if (is_first) {
      number = part.value;
    } else if (std::find(needs.begin(), needs.end(), part.value) == needs.end()) {
      needs.push_back(part.value);
    }
    if (end == std::string_view::npos) return true;
    rest.remove_prefix(end + 1);
  }
}

struct AlibabaReader::Columns {
  std::size_t job, task, instances, status, start, end, cpu, memory;
  std::int64_t memory_per_machine;
};

namespace {

constexpr std::int64_t time_max = trace_microseconds_max / 1'000'000;

}  // namespace

AlibabaReader::AlibabaReader(Year year, LineReader lines, const TraceOptions& options, Names& names)
    : TableReader(year == Year::y2017 ? "alibaba2017" : "alibaba2018", std::move(lines), options,
                  names,
                  year == Year::y2017 ? std::span<const std::string_view>(columns_2017)
                                      : std::span<const std::string_view>(columns_2018)),
      year_(year),
      columns_([&]() -> const Columns& {
        static constexpr Columns of_2017{2, 3, 4, 5, 0, 1, 6, 7, 1};
        static constexpr Columns of_2018{2, 0, 1, 4, 5, 6, 7, 8, 100};
        return year == Year::y2017 ? of_2017 : of_2018;
      }()),
      jobs_seen_(sort_bytes_max() / 16) {}

void AlibabaReader::name_tallies(TraceTally& tally) {
  tally.distribution("task duration", "s");
  tally.distribution("instances of a task", "");
  tally.distribution("memory", "", millionths_per_one);
  tally.distribution("tasks of a job", "");
  tally.distribution("depth of a job", "");
  for (const std::string_view status : statuses) tally.count("status " + std::string(status));
  for (const char* const what :
       {"no vcores", "no number of instances", "a duration of 0", "an end before the start",
        "instances, in all", "needs of other tasks, in all"}) {
    tally.count(what);
  }
  for (const std::int64_t cpu : known_cpus)
    tally.count(fmt::format("{} hundredths of a vcore", cpu));
  tally.distinct("jobs");
}

bool AlibabaReader::scan_times(AlibabaTask& task) {
  // The trace of 2017 begins in the middle of what ran; 0 as the end means none.
  const std::int64_t time_min = year_ == Year::y2017 ? -time_max : 0;
  return row().whole(columns_.start, time_min, time_max, task.start) &&
         row().whole(columns_.end, time_min, time_max, task.end);
}

bool AlibabaReader::scan(AlibabaRow& scanned, std::string_view& job) {
  AlibabaTask& task = scanned.task;
  if (!row().text(columns_.task, scanned.name) || !row().text(columns_.job, job) ||
      !scan_times(task)) {
    return false;
  }
  constexpr std::int64_t large = 1'000'000;
  if (row().has(columns_.instances) &&
      !row().whole(columns_.instances, 1, rules().common.tasks_max, task.instances)) {
    return false;
  }
  if (row().has(columns_.cpu)) {
    if (!row().decimal(columns_.cpu, 0, large * millionths_per_one, task.cpu)) return false;
    task.cpu /= millionths_per_one;
  }
  if (row().has(columns_.memory) &&
      !row().decimal(columns_.memory, 0, large * millionths_per_one, task.memory)) {
    return false;
  }
  const auto* const found = std::find(statuses.begin(), statuses.end(), row().at(columns_.status));
  if (found == statuses.end()) {
    return row().bad(BadRow::text, columns_.status,
                     "Ready, Waiting, Running, Terminated, Failed or Cancelled");
  }
  task.status = static_cast<AlibabaStatus>(found - statuses.begin());
  return true;
}

void AlibabaReader::tally_row(const AlibabaTask& task) {
  TraceTally& to = *tally();
  to.add(run_time, std::max<std::int64_t>(task.duration(), 0));  // negative ones are counted too
  if (task.instances > 0) to.add(instances_of_task, task.instances);
  if (task.memory >= 0) to.add(memory_share, task.memory);
  to.increment(first_status + static_cast<std::size_t>(task.status));
  if (task.cpu < 0) to.increment(no_cpu);
  if (task.instances == 0) to.increment(no_instances);
  if (task.duration() == 0) to.increment(zero_time);
  if (task.duration() < 0) to.increment(negative_time);
  to.increment(instances_all, static_cast<std::uint64_t>(task.instances));
  const auto* const cpu = std::find(known_cpus.begin(), known_cpus.end(), task.cpu);
  if (cpu != known_cpus.end()) {
    to.increment(first_cpu + static_cast<std::size_t>(cpu - known_cpus.begin()));
  }
}

void AlibabaReader::collect() {
  constexpr std::size_t record_bytes_max = 1 << 20;
  while (next_row()) {
    AlibabaRow scanned;
    std::string_view job;
    if (!scan(scanned, job)) continue;
    see_row(scanned.task.start * 1'000'000);
    if (tally() != nullptr) tally_row(scanned.task);
    if (record_.empty() || job != job_ || record_.size() > record_bytes_max) {
      keep_rows();
      job_.assign(job);
      job_hash_ = hash_of(job);
      jobs_seen_.expect(job_hash_);
      has_start_ = false;
      begin_rows(static_cast<std::int64_t>(row().line_number()), job, record_);
    }
    if (scanned.task.has_begun()) {
      start_ = has_start_ ? std::min(start_, scanned.task.start) : scanned.task.start;
      has_start_ = true;
    }
    append_row(scanned, record_);
  }
  keep_rows();
  note_blank_lines();
  if (are_all_apart_ || !apart_.empty()) join_rows();
}

void AlibabaReader::keep_rows() {
  if (record_.empty()) return;
  if (tally() != nullptr) tally()->see(0, job_hash_);
  if (jobs_seen_.add(job_hash_) && !are_all_apart_) {
    constexpr std::size_t apart_max = 1 << 18;
    apart_.insert(job_hash_);
    are_all_apart_ = apart_.size() > apart_max;
  }
  keep((has_start_ ? start_ : 0) * 1'000'000, record_);
}

void AlibabaReader::join_rows() {
  RecordSorter kept = take_kept();
  RecordSorter by_job(sort_bytes_max());
  std::int64_t submit = 0;
  std::string_view record;
  while (kept.next(submit, record)) {
    const std::uint64_t hash = hash_of(read_rows(record).job);
    if (are_all_apart_ || apart_.contains(hash)) {
      by_job.add(static_cast<std::int64_t>(hash), record);
    } else {
      keep(submit, record);
    }
  }
  std::vector<std::string> parts;
  std::int64_t last_hash = 0;
  std::int64_t hash = 0;
  while (by_job.next(hash, record)) {
    if (!parts.empty() && hash != last_hash) keep_joined(parts);
    last_hash = hash;
    parts.emplace_back(record);
  }
  if (!parts.empty()) keep_joined(parts);
}

void AlibabaReader::keep_joined(std::vector<std::string>& parts) {
  std::vector<AlibabaRows> sorted;
  for (const std::string& part : parts) sorted.push_back(read_rows(part));
  std::sort(sorted.begin(), sorted.end(), [](const AlibabaRows& a, const AlibabaRows& b) {
    return a.job != b.job ? a.job < b.job : a.line < b.line;
  });
  for (std::size_t begin = 0; begin < sorted.size();) {
    begin_rows(sorted[begin].line, sorted[begin].job, record_);
    rows_.clear();
    std::size_t end = begin;
    for (; end < sorted.size() && sorted[end].job == sorted[begin].job; ++end) {
      append_rows(sorted[end], rows_);
      record_.append(sorted[end].rows);
    }
    keep(first_start(rows_) * 1'000'000, record_);
    begin = end;
  }
  parts.clear();
}

bool AlibabaReader::make(std::string_view record, Job& job) {
  const AlibabaRows of_job = read_rows(record);
  rows_.clear();
  append_rows(of_job, rows_);
  const auto refuse = [&](BadRow reason, const std::string& expected, const std::string& got) {
    bad().add(reason, static_cast<std::uint64_t>(of_job.line), "job " + std::string(of_job.job),
              expected, got);
    return false;
  };
  if (rows_.size() > stages_max) {
    return refuse(BadRow::too_many_tasks,
                  fmt::format("at most {} tasks of many instances", stages_max),
                  std::to_string(rows_.size()));
  }
  note("needs of tasks that the trace does not have", find_needs());
  const auto order = order_of_stages(needs_);
  if (!order) {
    return refuse(BadRow::cycle, "tasks that can run in some order", "tasks that need each other");
  }
  if (tally() != nullptr) tally_job(*order);
  job.name.assign(of_job.job);
  job.kind = JobKind::dag;
  job.user = only_user();
  job.queue = only_queue();
  fill_stages(*order, job);
  if (stages_begun() > 0) return true;
  note("jobs of which no task is left");
  return false;
}

void AlibabaReader::tally_job(const std::vector<std::uint32_t>& order) {
  std::uint64_t edges = 0;
  for (const auto& of_task : needs_) edges += of_task.size();
  tally()->increment(needs_all, edges);
  tally()->add(tasks, static_cast<std::int64_t>(rows_.size()));
  tally()->add(depths, depth_of_stages(needs_, order));
}

void AlibabaReader::clear_needs() {
  while (needs_.size() > rows_.size()) {
    spare_needs_.push_back(std::move(needs_.back()));
    needs_.pop_back();
  }
  while (needs_.size() < rows_.size() && !spare_needs_.empty()) {
    needs_.push_back(std::move(spare_needs_.back()));
    spare_needs_.pop_back();
  }
  needs_.resize(rows_.size());
  for (auto& of_row : needs_) of_row.clear();
}

std::uint64_t AlibabaReader::find_needs() {
  clear_needs();
  if (year_ == Year::y2017) return 0;
  numbers_.clear();
  wanted_.clear();
  for (std::uint32_t i = 0; i < rows_.size(); ++i) {
    std::int64_t own = 0;
    if (!read_task_name(rows_[i].name, own, wanted_by_row_)) continue;
    numbers_.emplace_back(own, i);
    for (const std::int64_t number : wanted_by_row_) wanted_.emplace_back(i, number);
  }
  std::sort(numbers_.begin(), numbers_.end());
  std::uint64_t unknown = 0;
  for (const auto& [position, number] : wanted_) {
    // Of several tasks of a number, the first.
    const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), std::pair(number, 0U));
    if (found != numbers_.end() && found->first == number) {
      needs_[position].push_back(found->second);
    } else {
      ++unknown;
    }
  }
  return unknown;
}

bool AlibabaReader::is_replayed(const AlibabaTask& task) {
  const bool is_unfinished = task.duration() < 0 || task.instances == 0;
  if (is_unfinished && rules().alibaba.unfinished == Unfinished::drop) {
    leave_out("alibaba.unfinished");
    return false;
  }
  if (task.duration() == 0 && rules().alibaba.zero_run_time == ZeroRunTime::drop) {
    leave_out("alibaba.zero_run_time");
    return false;
  }
  if (task.cpu >= 0 && task.memory >= 0) return true;
  if (rules().alibaba.no_demand == NoDemand::standard) return true;
  leave_out("alibaba.no_demand");
  return false;
}

void AlibabaReader::fill_stage(const AlibabaTask& task, Stage& stage) const {
  stage.demand = default_demand(rules().task);
  if (task.cpu >= 0) {
    stage.demand[Resources::vcores_dimension] = std::max<std::int64_t>(task.cpu * 10, 1);
  }
  if (task.memory >= 0) {
    stage.demand[Resources::memory_dimension] =
        scaled(task.memory, rules().alibaba.machine_memory_mib, columns_.memory_per_machine);
  }
  const auto count = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(task.instances, 1, rules().alibaba.instances_max));
  stage.runs.push_back({count, work_of_run(seconds(std::max<std::int64_t>(task.duration(), 1)),
                                           stage.demand, rules().task)});
}

void AlibabaReader::fill_stages(const std::vector<std::uint32_t>& order, Job& job) {
  kept_.assign(rows_.size(), true);
  bool is_whole = true;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (is_replayed(rows_[i].task)) continue;
    kept_[i] = false;
    is_whole = false;
  }
  if (!is_whole) contract_stages(needs_, kept_, order);
  stage_of_.assign(rows_.size(), 0);
  for (const std::uint32_t position : order) {
    if (!kept_[position]) continue;
    stage_of_[position] = static_cast<std::uint16_t>(stages_begun());
    Stage& stage = begin_stage(job);
    fill_stage(rows_[position].task, stage);
    for (const std::uint32_t needed : needs_[position]) stage.needs.push_back(stage_of_[needed]);
    std::sort(stage.needs.begin(), stage.needs.end());
  }
}

}  // namespace tracebed
