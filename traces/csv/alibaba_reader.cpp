#include "traces/csv/alibaba_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <map>

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
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(amount)));
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
      }()) {}

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

bool AlibabaReader::scan_times(NamedTask& named) {
  Task& task = named.task;
  // The trace of 2017 begins in the middle of what ran; 0 as the end means none.
  const std::int64_t time_min = year_ == Year::y2017 ? -time_max : 0;
  return row().whole(columns_.start, time_min, time_max, task.start) &&
         row().whole(columns_.end, time_min, time_max, task.end);
}

bool AlibabaReader::scan(NamedTask& named) {
  Task& task = named.task;
  task = Task();
  task.line = static_cast<std::int64_t>(row().line_number());
  if (!row().text(columns_.task, named.name) || !row().text(columns_.job, named.job) ||
      !scan_times(named)) {
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
  task.status = static_cast<Status>(found - statuses.begin());
  task.task_bytes = static_cast<std::uint32_t>(named.name.size());
  task.job_bytes = static_cast<std::uint32_t>(named.job.size());
  return true;
}

void AlibabaReader::tally_row(const Task& task) {
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
  RecordSorter by_job(sort_bytes_max());
  NamedTask named;
  // Rows of a job mostly stand together: these are one record.
  std::string rows;
  std::string job;
  std::int64_t hash = 0;
  constexpr std::size_t rows_bytes_max = 1 << 20;
  while (next_row()) {
    if (!scan(named)) continue;
    see_row(named.task.start * 1'000'000);
    if (tally() != nullptr) tally_row(named.task);
    if (named.job != job || rows.size() > rows_bytes_max) {
      if (!rows.empty()) by_job.add(hash, rows);
      rows.clear();
      job.assign(named.job);
      hash = static_cast<std::int64_t>(hash_of(job));
      if (tally() != nullptr) tally()->see(0, static_cast<std::uint64_t>(hash));
    }
    rows.append(reinterpret_cast<const char*>(&named.task), sizeof(Task));
    rows.append(named.name).append(named.job);
  }
  if (!rows.empty()) by_job.add(hash, rows);
  note_blank_lines();
  std::int64_t last_hash = 0;
  std::string_view record;
  rows.clear();
  while (by_job.next(hash, record)) {
    if (hash != last_hash && !rows.empty()) {
      keep_jobs_of(rows);
      rows.clear();
    }
    last_hash = hash;
    rows.append(record);
  }
  if (!rows.empty()) keep_jobs_of(rows);
}

void AlibabaReader::append_tasks(std::string_view rows) {
  tasks_.clear();
  while (!rows.empty()) {
    NamedTask& named = tasks_.emplace_back();
    std::memcpy(&named.task, rows.data(), sizeof(Task));
    named.name = rows.substr(sizeof(Task), named.task.task_bytes);
    named.job = rows.substr(sizeof(Task) + named.task.task_bytes, named.task.job_bytes);
    rows.remove_prefix(sizeof(Task) + named.task.task_bytes + named.task.job_bytes);
  }
}

void AlibabaReader::keep_jobs_of(std::string_view rows) {
  append_tasks(rows);
  const std::string_view first = tasks_.front().job;
  if (std::all_of(tasks_.begin(), tasks_.end(),
                  [&](const NamedTask& named) { return named.job == first; })) {
    return keep_job();
  }
  std::map<std::string_view, std::vector<NamedTask>> jobs;
  for (const NamedTask& named : tasks_) jobs[named.job].push_back(named);
  for (auto& [name, tasks_of_job] : jobs) {
    tasks_ = std::move(tasks_of_job);
    keep_job();
  }
}

void AlibabaReader::keep_job() {
  const auto refuse = [this](BadRow reason, const std::string& expected, const std::string& got) {
    const NamedTask& first = tasks_.front();
    bad().add(reason, static_cast<std::uint64_t>(first.task.line), "job " + std::string(first.job),
              expected, got);
  };
  if (tasks_.size() > stages_max) {
    return refuse(BadRow::too_many_tasks,
                  fmt::format("at most {} tasks of many instances", stages_max),
                  std::to_string(tasks_.size()));
  }
  note("needs of tasks that the trace does not have", find_needs());
  const auto order = order_of_stages(needs_);
  if (!order) {
    return refuse(BadRow::cycle, "tasks that can run in some order", "tasks that need each other");
  }
  if (tally() != nullptr) tally_job(*order);
  const std::int64_t submit = start_of_job() * 1'000'000;
  Job& job = begin_draft();
  job.name.assign(tasks_.front().job);
  job.kind = JobKind::dag;
  job.user = draft_names().users.intern("user0");
  job.queue = draft_names().queues.intern("default");
  fill_stages(*order);
  if (stages_begun() > 0) return keep_draft(submit);
  note("jobs of which no task is left");
  keep_none(submit);
}

void AlibabaReader::tally_job(const std::vector<std::uint32_t>& order) {
  std::uint64_t edges = 0;
  for (const auto& of_task : needs_) edges += of_task.size();
  tally()->increment(needs_all, edges);
  tally()->add(tasks, static_cast<std::int64_t>(tasks_.size()));
  tally()->add(depths, depth_of_stages(needs_, order));
}

std::int64_t AlibabaReader::start_of_job() const {
  bool has_start = false;
  std::int64_t start = 0;
  for (const NamedTask& named : tasks_) {
    // A task that has not begun says 0.
    if (named.task.start == 0 && named.task.end == 0) continue;
    start = has_start ? std::min(start, named.task.start) : named.task.start;
    has_start = true;
  }
  return start;
}

std::uint64_t AlibabaReader::find_needs() {
  needs_.resize(tasks_.size());
  for (auto& of_task : needs_) of_task.clear();
  if (year_ == Year::y2017) return 0;
  numbers_.clear();
  std::int64_t own = 0;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (read_task_name(tasks_[i].name, own, wanted_)) numbers_.emplace_back(own, i);
  }
  std::sort(numbers_.begin(), numbers_.end());
  std::uint64_t unknown = 0;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (!read_task_name(tasks_[i].name, own, wanted_)) continue;
    for (const std::int64_t number : wanted_) {
      // Of several tasks of a number, the first.
      const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), std::pair(number, 0U));
      if (found != numbers_.end() && found->first == number) {
        needs_[i].push_back(found->second);
      } else {
        ++unknown;
      }
    }
  }
  return unknown;
}

bool AlibabaReader::is_replayed(const Task& task) {
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

void AlibabaReader::fill_stage(const Task& task, Stage& stage) const {
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

void AlibabaReader::fill_stages(const std::vector<std::uint32_t>& order) {
  std::vector<bool> kept(tasks_.size());
  bool is_whole = true;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    kept[i] = is_replayed(tasks_[i].task);
    is_whole &= kept[i];
  }
  if (!is_whole) contract_stages(needs_, kept, order);
  std::vector<std::uint16_t> stage_of(tasks_.size());
  for (const std::uint32_t position : order) {
    if (!kept[position]) continue;
    stage_of[position] = static_cast<std::uint16_t>(stages_begun());
    Stage& stage = begin_stage(draft());
    fill_stage(tasks_[position].task, stage);
    for (const std::uint32_t needed : needs_[position]) stage.needs.push_back(stage_of[needed]);
    std::sort(stage.needs.begin(), stage.needs.end());
  }
}

}  // namespace tracebed
