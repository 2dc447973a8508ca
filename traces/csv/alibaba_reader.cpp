#include "traces/csv/alibaba_reader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <tuple>

#include "traces/parts/text_numbers.h"
#include "traces/parts/trace_rows.h"

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

}  // namespace

struct AlibabaReader::Columns {
  std::size_t job, task, instances, status, start, end, cpu, memory;
  std::int64_t memory_per_machine;
};

namespace {

constexpr std::int64_t time_max = trace_microseconds_max / 1'000'000;

}  // namespace

const AlibabaReader::Columns& AlibabaReader::columns_of(AlibabaYear year) {
  static constexpr Columns of_2017{2, 3, 4, 5, 0, 1, 6, 7, 1};
  static constexpr Columns of_2018{2, 0, 1, 4, 5, 6, 7, 8, 100};
  return year == AlibabaYear::y2017 ? of_2017 : of_2018;
}

AlibabaReader::AlibabaReader(AlibabaYear year, LineReader tasks,
                             std::optional<LineReader> instances, const TraceOptions& options,
                             Names& names)
    : TableReader(year == AlibabaYear::y2017 ? "alibaba2017" : "alibaba2018", std::move(tasks),
                  options, names,
                  year == AlibabaYear::y2017 ? std::span<const std::string_view>(columns_2017)
                                             : std::span<const std::string_view>(columns_2018)),
      year_(year),
      columns_(columns_of(year)),
      tasks_name_(table_name()),
      work_(options.rules, columns_.memory_per_machine),
      jobs_seen_(sort_bytes_max() / 16) {
  if (instances) instances_.emplace(year, std::move(*instances), bad());
}

std::uint64_t AlibabaReader::text_bytes() const {
  return TableReader::text_bytes() + (instances_ ? instances_->source().text_bytes() : 0);
}

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
  const std::int64_t time_min = year_ == AlibabaYear::y2017 ? -time_max : 0;
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
  note_header();
  note_blank_lines();
  if (instances_ || are_all_apart_ || !apart_.empty()) join_rows();
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
    if (instances_ || are_all_apart_ || apart_.contains(hash)) {
      by_job.add(static_cast<std::int64_t>(hash), record);
    } else {
      keep(submit, record);
    }
  }
  if (instances_) add_instances(by_job);
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

void AlibabaReader::add_instances(RecordSorter& by_job) {
  constexpr std::size_t record_bytes_max = 1 << 20;
  bad().set_trace(instances_->source().name());
  AlibabaInstance instance;
  std::string_view job;
  std::string of_job;
  std::string record;
  std::uint64_t hash = 0;
  const auto add = [&] {
    if (!record.empty()) by_job.add(static_cast<std::int64_t>(hash), record);
    record.clear();
  };
  while (instances_->next(instance, job)) {
    if (tally() != nullptr) instances_->count_ignored(ignored_fields());
    if (job != of_job || record.size() > record_bytes_max) {
      add();
      of_job.assign(job);
      hash = hash_of(job);
    }
    if (!jobs_seen_.contains(hash)) continue;
    if (record.empty()) begin_rows(line_of_instances, job, record);
    append_row(instance, record);
  }
  add();
  note("rows of batch_instance that did not end as Terminated, which are left out",
       instances_->others());
  note(header_note, instances_->header_rows());
  note("blank lines", instances_->blank_lines());
  bad().set_trace(tasks_name_);
}

void AlibabaReader::keep_joined(std::vector<std::string>& parts) {
  std::vector<AlibabaRows> sorted;
  for (const std::string& part : parts) sorted.push_back(read_rows(part));
  std::sort(sorted.begin(), sorted.end(), [](const AlibabaRows& a, const AlibabaRows& b) {
    return a.job != b.job ? a.job < b.job : a.line < b.line;
  });
  for (std::size_t begin = 0; begin < sorted.size();) {
    const bool has_tasks = sorted[begin].line != line_of_instances;
    begin_rows(sorted[begin].line, sorted[begin].job, record_);
    rows_.clear();
    std::size_t end = begin;
    for (; end < sorted.size() && sorted[end].job == sorted[begin].job; ++end) {
      append_rows(sorted[end], rows_, of_instances_);
      record_.append(sorted[end].rows);
    }
    // Of instances alone: a job that batch_task does not have, or that the filter took for one.
    if (has_tasks) keep(first_start(rows_) * 1'000'000, record_);
    begin = end;
  }
  of_instances_.clear();
  parts.clear();
}

bool AlibabaReader::make(std::string_view record, Job& job) {
  const AlibabaRows of_job = read_rows(record);
  rows_.clear();
  of_instances_.clear();
  append_rows(of_job, rows_, of_instances_);
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
  std::uint64_t unknown = 0;
  StageNeeds& needs = find_needs(true, unknown);
  auto order = order_of_stages(needs);
  if (tally() != nullptr && order) tally_job(needs, *order);  // as the names say
  if (is_cut()) {
    if (rules().alibaba.cut_names == CutNames::drop) {
      leave_out("alibaba.cut_names");
      return false;
    }
    note("jobs with a task whose last need is not known, since its name is cut");
    order = order_of_stages(find_needs(false, unknown));
  }
  note("needs of tasks that the trace does not have", unknown);
  if (!order) {
    return refuse(BadRow::cycle, "tasks that can run in some order", "tasks that need each other");
  }
  job.name.assign(of_job.job);
  job.kind = JobKind::dag;
  job.user = only_user();
  job.queue = only_queue();
  sort_instances();
  work_.find_starts(rows_, needs, *order);
  fill_stages(needs, *order, job);
  note_work();
  if (stages_begun() > 0) {
    set_recorded(recorded_of_job());
    return true;
  }
  note("jobs of which no task is left");
  return false;
}

void AlibabaReader::tally_job(const StageNeeds& needs, const std::vector<std::uint32_t>& order) {
  std::uint64_t edges = 0;
  for (const auto& of_task : needs) edges += of_task.size();
  tally()->increment(needs_all, edges);
  tally()->add(tasks, static_cast<std::int64_t>(rows_.size()));
  tally()->add(depths, depth_of_stages(needs, order));
}

bool AlibabaReader::is_cut() const {
  return year_ == AlibabaYear::y2018 &&
         std::any_of(rows_.begin(), rows_.end(),
                     [](const AlibabaRow& row) { return may_be_cut(row.name); });
}

StageNeeds& AlibabaReader::find_needs(bool trusts_cut, std::uint64_t& unknown) {
  if (year_ == AlibabaYear::y2017) return needs_.none(rows_);
  return needs_.find(rows_, trusts_cut, unknown);
}

void AlibabaReader::sort_instances() {
  std::stable_sort(of_instances_.begin(), of_instances_.end(),
                   [](const AlibabaInstance& a, const AlibabaInstance& b) {
                     return std::tie(a.task, a.start, a.end) < std::tie(b.task, b.start, b.end);
                   });
}

std::span<const AlibabaInstance> AlibabaReader::instances_of(std::string_view task) const {
  const auto range = std::equal_range(
      of_instances_.begin(), of_instances_.end(), AlibabaInstance{task},
      [](const AlibabaInstance& a, const AlibabaInstance& b) { return a.task < b.task; });
  return {range.first, range.second};
}

bool AlibabaReader::is_replayed(AlibabaTask& task) {
  if (!task.has_ended() || task.instances == 0) {
    if (rules().alibaba.unfinished == Unfinished::drop) {
      leave_out("alibaba.unfinished");
      return false;
    }
    task.end = task.start;
  } else if (task.duration() == 0 && rules().alibaba.zero_run_time == ZeroRunTime::drop) {
    leave_out("alibaba.zero_run_time");
    return false;
  }
  if (task.cpu >= 0 && task.memory >= 0) return true;
  if (rules().alibaba.no_demand == NoDemand::standard) return true;
  leave_out("alibaba.no_demand");
  return false;
}

void AlibabaReader::fill_stages(StageNeeds& needs, const std::vector<std::uint32_t>& order,
                                Job& job) {
  kept_.assign(rows_.size(), true);
  bool is_whole = true;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (is_replayed(rows_[i].task)) continue;
    kept_[i] = false;
    is_whole = false;
  }
  if (!is_whole) contract_stages(needs, kept_, order);
  stage_of_.assign(rows_.size(), 0);
  for (const std::uint32_t position : order) {
    if (!kept_[position]) continue;
    const AlibabaRow& row = rows_[position];
    stage_of_[position] = static_cast<std::uint16_t>(stages_begun());
    Stage& stage = begin_stage(job);
    work_.fill_stage(position, row.task, instances_of(row.name), stage);
    for (const std::uint32_t needed : needs[position]) stage.needs.push_back(stage_of_[needed]);
    std::sort(stage.needs.begin(), stage.needs.end());
  }
}

void AlibabaReader::note_work() {
  const AlibabaWork::Counts counts = work_.take_counts();
  note("tasks that ended no later than one they need, which take a second",
       counts.tasks_without_window);
  if (!instances_) return;
  note("instances that last as batch_instance says", counts.instances_recorded);
  note("instances that batch_instance does not have", counts.instances_by_rule);
}

// From the first start of a task that is replayed to the last end of one; which of them ran in
// waves is known of tasks whose instances are.
std::optional<RecordedSpan> AlibabaReader::recorded_of_job() {
  RecordedTimes times;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const AlibabaTask& task = rows_[i].task;
    if (!kept_[i] || !task.has_ended()) continue;
    times.extend(task.start * 1'000'000, task.end * 1'000'000);
    times.begin_stage();
    for (const AlibabaInstance& instance : instances_of(rows_[i].name)) {
      times.add(instance.start * 1'000'000, instance.end * 1'000'000);
    }
  }
  return times.span();
}

}  // namespace tracebed
