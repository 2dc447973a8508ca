#include "traces/csv/google_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "traces/parts/text_numbers.h"
#include "traces/parts/trace_rows.h"
#include "traces/parts/usage.h"

namespace tracebed {
namespace {

enum JobColumn : std::size_t { job_time, job_missing, job_id, job_event };
enum Column : std::size_t {
  time_column,
  missing,
  job_column,
  task_index,
  machine,
  event_column,
  user,
  scheduling_class,
  priority,
  cpu_request,
  memory_request,
  disk_request,
  different_machines,
};

constexpr std::int64_t priorities = 12;
constexpr std::int64_t classes = 4;

enum Tally : TraceTally::Handle { cpu = 1, memory, disk, attempt_time };
constexpr TraceTally::Handle first_event = 0;
constexpr TraceTally::Handle before_trace = google_events;
constexpr TraceTally::Handle not_seen = before_trace + 1;
constexpr TraceTally::Handle no_machine = before_trace + 2;
constexpr TraceTally::Handle apart = before_trace + 3;
constexpr TraceTally::Handle zero_cpu = before_trace + 4;
constexpr TraceTally::Handle zero_memory = before_trace + 5;
constexpr TraceTally::Handle first_priority = before_trace + 6;
constexpr TraceTally::Handle first_evicted = first_priority + priorities;
constexpr TraceTally::Handle first_class = first_evicted + priorities;
enum Distinct : TraceTally::Handle { jobs_seen, tasks_seen, users_seen, machines_seen };

}  // namespace

GoogleReader::GoogleReader(const std::filesystem::path& folder, const TraceOptions& options,
                           Names& names)
    : CollectedReader("google2011", folder.string(), options, names) {
  GoogleFiles files = find_google_files(folder);
  tasks_ =
      std::make_unique<GoogleTable>(std::move(files.tasks), google_task_columns, options, bad());
  if (files.jobs.empty()) return;
  jobs_ = std::make_unique<GoogleTable>(std::move(files.jobs), google_job_columns, options, bad());
}

GoogleReader::GoogleReader(LineReader lines, const TraceOptions& options, Names& names)
    : CollectedReader("google2011", lines.name(), options, names),
      tasks_(std::make_unique<GoogleTable>(std::move(lines), google_task_columns, options, bad())) {
}

void GoogleReader::name_tallies(TraceTally& tally) {
  tally.distribution("CPU requests after the start", "", millionths_per_one);
  tally.distribution("memory requests after it", "", millionths_per_one);
  tally.distribution("disk requests after it", "", millionths_per_one);
  tally.distribution("attempts", "s", 1'000'000);
  for (std::size_t i = 0; i < google_events; ++i) {
    tally.count("event " + std::string(name(static_cast<GoogleEvent>(i))));
  }
  for (const char* const what :
       {"time 0, before the trace", "missing info", "no machine", "different machines wanted",
        "a CPU request of 0", "a memory request of 0"}) {
    tally.count(what);
  }
  for (std::int64_t i = 0; i < priorities; ++i) tally.count(fmt::format("priority {}", i));
  for (std::int64_t i = 0; i < priorities; ++i) {
    tally.count(fmt::format("event EVICT at priority {}", i));
  }
  for (std::int64_t i = 0; i < classes; ++i) tally.count(fmt::format("scheduling class {}", i));
  for (const char* const what : {"jobs", "tasks", "users", "machines"}) tally.distinct(what);
}

bool GoogleReader::scan_requests(GoogleTaskEvent& event) {
  CsvRow& row = tasks_->row();
  const auto read = [&](std::size_t column, std::int64_t& value) {
    value = -1;
    return !row.has(column) || row.decimal(column, 0, 1000 * millionths_per_one, value);
  };
  return read(cpu_request, event.cpu) && read(memory_request, event.memory) &&
         read(disk_request, event.disk);
}

bool GoogleReader::scan(GoogleTaskEvent& event) {
  CsvRow& row = tasks_->row();
  std::int64_t kind = 0;
  event.time = tasks_->time();
  if (event.time > trace_microseconds_max && event.time != google_after_trace) {
    return row.bad(BadRow::out_of_range, time_column, "a time within 10^12 s");
  }
  if (!row.whole(job_column, 0, INT64_MAX, event.job) ||
      !row.whole(task_index, 0, INT32_MAX, event.index) ||
      !row.whole(event_column, 0, google_events - 1, kind) ||
      !row.whole(scheduling_class, 0, classes - 1, event.scheduling_class) ||
      !row.whole(priority, 0, priorities - 1, event.priority) || !row.text(user, event.user)) {
    return false;
  }
  event.event = static_cast<GoogleEvent>(kind);
  return scan_requests(event);
}

void GoogleReader::tally_row(const GoogleTaskEvent& event) {
  TraceTally& to = *tally();
  const CsvRow& row = tasks_->row();
  ignored_of_tasks_.count(row, ignored_fields());
  to.increment(first_event + static_cast<std::size_t>(event.event));
  to.increment(first_priority + static_cast<std::size_t>(event.priority));
  to.increment(first_class + static_cast<std::size_t>(event.scheduling_class));
  if (event.event == GoogleEvent::evict) {
    to.increment(first_evicted + static_cast<std::size_t>(event.priority));
  }
  if (event.time == google_before_trace) to.increment(before_trace);
  if (row.has(missing)) to.increment(not_seen);
  if (!row.has(machine)) to.increment(no_machine);
  if (row.at(different_machines) == "1") to.increment(apart);
  if (event.cpu == 0) to.increment(zero_cpu);
  if (event.memory == 0) to.increment(zero_memory);
  if (event.event == GoogleEvent::submit && event.time != google_before_trace) {
    if (event.cpu >= 0) to.add(cpu, event.cpu);
    if (event.memory >= 0) to.add(memory, event.memory);
    if (event.disk >= 0) to.add(disk, event.disk);
  }
  const auto job = static_cast<std::uint64_t>(event.job);
  to.see(jobs_seen, job);
  to.see(tasks_seen, job * 0x9E3779B97F4A7C15ULL + static_cast<std::uint64_t>(event.index));
  to.see(users_seen, hash_of(event.user));
  if (row.has(machine)) to.see(machines_seen, hash_of(row.at(machine)));
}

void GoogleReader::read_job_events(GoogleJobs& jobs) {
  while (jobs_->next()) {
    CsvRow& row = jobs_->row();
    std::int64_t id = 0;
    std::int64_t kind = 0;
    if (!row.whole(job_id, 0, INT64_MAX, id) || !row.whole(job_event, 0, google_events - 1, kind)) {
      continue;
    }
    note("rows of job_events");
    if (tally() != nullptr) ignored_of_jobs_.count(row, ignored_fields());
    const bool has_ended =
        is_end(static_cast<GoogleEvent>(kind)) && jobs_->time() != google_after_trace;
    jobs.take_job_event(id, jobs_->time(), has_ended);
  }
}

void GoogleReader::read_task_events(const std::function<void(const GoogleTaskEvent&)>& take) {
  GoogleTaskEvent event;
  while (tasks_->next()) {
    if (!scan(event)) continue;
    if (event.time == google_before_trace || event.time == google_after_trace) {
      see_row();
    } else {
      see_row(event.time);
    }
    if (tally() != nullptr) tally_row(event);
    if (event.time == google_after_trace) continue;
    last_time_ = std::max(last_time_, event.time);
    take(event);
  }
}

void GoogleReader::read_sorted_task_events(GoogleJobs& jobs) {
  RecordSorter by_time(sort_bytes_max());
  read_task_events([&](const GoogleTaskEvent& event) {
    record_.assign(reinterpret_cast<const char*>(&event), sizeof(event));
    record_.append(event.user);
    by_time.add(event.time, record_);
  });
  GoogleTaskEvent event;
  std::string_view record;
  for (std::int64_t time = 0; by_time.next(time, record);) {
    std::memcpy(&event, record.data(), sizeof(event));
    event.user = record.substr(sizeof(event));
    jobs.take(event);
  }
}

void GoogleReader::collect() {
  GoogleJobs::AttemptTally tally_attempt;
  if (tally() != nullptr) {
    tally_attempt = [this](std::int64_t run_time) { tally()->add(attempt_time, run_time); };
  }
  GoogleJobs jobs(sort_bytes_max(), names().users, std::move(tally_attempt));
  if (jobs_) read_job_events(jobs);
  if (rules().common.order == RowOrder::any) {
    read_sorted_task_events(jobs);
  } else {
    read_task_events([&](const GoogleTaskEvent& event) { jobs.take(event); });
  }
  for (GoogleJob job; jobs.next(job);) keep_job(job);
  note(header_note, tasks_->header_rows() + (jobs_ ? jobs_->header_rows() : 0));
  note("blank lines", tasks_->blank_lines() + (jobs_ ? jobs_->blank_lines() : 0));
  note("submissions of the task that came most often", most_submits_);
}

std::int64_t GoogleReader::end_of_running(const GoogleTask& task, const GoogleJob& job) const {
  return job.end ? std::max(*job.end, task.scheduled) : last_time_;
}

std::optional<std::int64_t> GoogleReader::duration_of(const GoogleTask& task,
                                                      const GoogleJob& job) {
  const bool is_running = task.scheduled >= 0;
  if (is_running && rules().google.running == StillRunning::drop) {
    leave_out("google.running");
    return std::nullopt;
  }
  if (!is_running && task.last < 0) {
    note("tasks never scheduled, which are left out");
    return std::nullopt;
  }
  if (task.cpu < 0 || task.memory < 0) {
    note("tasks whose request is not known, which are left out");
    return std::nullopt;
  }
  const bool sums_up = rules().google.attempts == AttemptTime::sum;
  if (!is_running) return std::max<std::int64_t>(sums_up ? task.sum : task.last, 1);
  const std::int64_t running =
      end_of_running(task, job) - std::max(task.scheduled, google_trace_begins);
  return std::max<std::int64_t>(running + (sums_up ? task.sum : 0), 1);
}

void GoogleReader::keep_job(const GoogleJob& job) {
  for (const GoogleTask& task : job.tasks) most_submits_ = std::max(most_submits_, task.submits);
  if (job.was_there_before && rules().google.initial == InitialTasks::drop) {
    return leave_out("google.initial");
  }
  record_.resize(sizeof(JobRecord));
  JobRecord head{job.id, job.priority, job.user.value(), 0, std::nullopt};
  RecordedTimes times;
  for (const GoogleTask& task : job.tasks) {
    const auto duration = duration_of(task, job);
    if (!duration) continue;
    const TaskRecord kept{*duration, task.cpu, task.memory};
    record_.append(reinterpret_cast<const char*>(&kept), sizeof(kept));
    ++head.tasks;
    const bool is_running = task.scheduled >= 0;
    const std::int64_t end = is_running ? end_of_running(task, job) : task.last_end;
    times.add(task.first_begin, std::max(task.first_begin, end));
  }
  if (head.tasks == 0) return note("jobs of which no task is left");
  head.recorded = times.span();
  std::memcpy(record_.data(), &head, sizeof(head));
  keep(job.submit, record_);
}

Resources GoogleReader::demand_of(const TaskRecord& task) const {
  const auto share_of = [](std::int64_t share, std::int64_t whole) {
    const double amount = static_cast<double>(share) / 1e6 * static_cast<double>(whole);
    return std::max<std::int64_t>(1, std::llround(amount));
  };
  return Resources(share_of(task.cpu, rules().google.machine_millicores),
                   share_of(task.memory, rules().google.machine_memory_mib));
}

QueueId GoogleReader::queue_of(std::int64_t of_priority) {
  const auto band = [&]() -> std::string_view {
    if (rules().google.queue == GoogleQueue::one) return "default";
    if (of_priority <= 1) return "free";
    if (of_priority <= 8) return "normal";
    return of_priority == 10 ? "monitoring" : "production";
  };
  return names().queues.intern(band());
}

bool GoogleReader::make(std::string_view record, Job& job) {
  JobRecord head;
  std::memcpy(&head, record.data(), sizeof(head));
  set_recorded(head.recorded);
  job.name = std::to_string(head.job);
  job.kind = head.priority >= rules().google.service_priority ? JobKind::service : JobKind::dag;
  job.user = UserId(head.user);
  job.queue = queue_of(head.priority);
  job.priority = static_cast<std::int32_t>(head.priority);
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> stage_of;  // by request
  for (std::uint32_t i = 0; i < head.tasks; ++i) {
    TaskRecord task;
    std::memcpy(&task, record.data() + sizeof(head) + i * sizeof(task), sizeof(task));
    const auto [place, is_new] = stage_of.try_emplace({task.cpu, task.memory}, stages_begun());
    if (is_new && stages_begun() == stages_max) {
      note("jobs with too many different requests, which are left out");
      return false;
    }
    if (is_new) begin_stage(job).demand = demand_of(task);
    Stage& stage = job.stages[place->second];
    add_tasks(stage, 1, work_of_run(microseconds(task.duration), stage.demand, rules().task));
  }
  return true;
}

}  // namespace tracebed
