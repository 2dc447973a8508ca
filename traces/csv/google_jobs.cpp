#include "traces/csv/google_jobs.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/check.h"

namespace tracebed {
namespace {

// What a task at hand takes, with its place in the map and its part of the job's.
constexpr std::size_t open_task_bytes = 128;
// Parts of a job are joined when there are so many tasks more than after the last time.
constexpr std::size_t fold_least = 4096;

}  // namespace

bool is_end(GoogleEvent event) {
  return event == GoogleEvent::evict || event == GoogleEvent::fail ||
         event == GoogleEvent::finish || event == GoogleEvent::kill || event == GoogleEvent::lost;
}

GoogleJobs::GoogleJobs(std::size_t memory_max, NameTable<UserId>& users, AttemptTally tally_attempt)
    : users_(users),
      tally_attempt_(std::move(tally_attempt)),
      tasks_open_max_(memory_max / 8 / open_task_bytes),
      parts_(memory_max) {}

void GoogleJobs::take_job_event(std::int64_t job, std::int64_t time, bool has_ended) {
  TRACEBED_CHECK(open_.empty(), "job_events come before the rows of tasks");
  PartHead head;
  head.time = time;
  head.is_job_event = true;
  head.has_ended = has_ended;
  parts_.add(job, {reinterpret_cast<const char*>(&head), sizeof(head)});
}

GoogleJobs::OpenJob& GoogleJobs::open(const GoogleTaskEvent& event) {
  const auto [place, is_new] = open_.try_emplace(event.job);
  PartHead& head = place->second.head;
  if (is_new) {
    head.time = std::max(event.time, google_trace_begins);
    head.was_there_before = event.time == google_before_trace;
    head.user = users_.intern(event.user).value();
  }
  head.priority = std::max(head.priority, event.priority);
  return place->second;
}

void GoogleJobs::end_attempt(GoogleTask& task, std::int64_t time) const {
  if (tally_attempt_) tally_attempt_(time - task.scheduled);
  task.last = time - std::max(task.scheduled, google_trace_begins);
  task.sum += task.last;
  task.last_end = time;
  task.scheduled = -1;
}

void GoogleJobs::take(const GoogleTaskEvent& event) {
  const auto [place, is_new] = open(event).tasks.try_emplace(event.index);
  GoogleTask& task = place->second;
  task.index = static_cast<std::int32_t>(event.index);
  if (event.cpu >= 0) task.cpu = static_cast<std::int32_t>(event.cpu);
  if (event.memory >= 0) task.memory = static_cast<std::int32_t>(event.memory);
  if (event.event == GoogleEvent::submit) ++task.submits;
  if (event.event == GoogleEvent::schedule) {
    task.scheduled = event.time;
    if (!task.has_begun) task.first_begin = std::max(event.time, google_trace_begins);
    task.has_begun = true;
  } else if (is_end(event.event) && task.scheduled >= 0) {
    end_attempt(task, event.time);
  } else if (is_end(event.event) && !task.has_begun && task.first_end < 0) {
    task.first_end = event.time;
  }
  if (!is_new) return;
  if (++tasks_open_ >= tasks_open_max_) park();
}

void GoogleJobs::park() {
  for (const auto& [id, job] : open_) {
    record_.assign(reinterpret_cast<const char*>(&job.head), sizeof(job.head));
    for (const auto& [index, task] : job.tasks) {
      record_.append(reinterpret_cast<const char*>(&task), sizeof(task));
    }
    parts_.add(id, record_);
  }
  open_.clear();
  tasks_open_ = 0;
}

void GoogleJobs::append_part(std::string_view record, GoogleJob& job) {
  PartHead head;
  std::memcpy(&head, record.data(), sizeof(head));
  record.remove_prefix(sizeof(head));
  if (head.is_job_event) {
    if (head.time < last_job_event_) return;
    last_job_event_ = head.time;
    job.end = head.has_ended ? std::optional(head.time) : std::nullopt;
    return;
  }
  const bool is_first = job.tasks.empty();
  if (is_first) {
    job.submit = head.time;
    job.user = UserId(head.user);
    job.was_there_before = head.was_there_before;
  }
  job.priority = std::max(job.priority, head.priority);
  const std::size_t before = job.tasks.size();
  job.tasks.resize(before + record.size() / sizeof(GoogleTask));
  std::memcpy(&job.tasks[before], record.data(), record.size());
  if (is_first) {
    folded_ = job.tasks.size();
  } else if (job.tasks.size() > 2 * folded_ + fold_least) {
    fold(job.tasks);
    folded_ = job.tasks.size();
  }
}

void GoogleJobs::fold(std::vector<GoogleTask>& tasks) const {
  std::stable_sort(tasks.begin(), tasks.end(), [](const GoogleTask& a, const GoogleTask& b) {
    return a.index < b.index;  // and parts of one in the order of time
  });
  std::size_t count = 0;
  for (const GoogleTask& part : tasks) {
    if (count == 0 || tasks[count - 1].index != part.index) {
      tasks[count++] = part;
      continue;
    }
    GoogleTask& task = tasks[count - 1];
    if (part.first_end >= 0 && task.scheduled >= 0) end_attempt(task, part.first_end);
    if (part.last_end >= 0) task.last_end = part.last_end;
    if (part.has_begun) {
      if (!task.has_begun) task.first_begin = part.first_begin;
      task.scheduled = part.scheduled;
      task.has_begun = true;
    }
    if (part.last >= 0) task.last = part.last;
    task.sum += part.sum;
    if (part.cpu >= 0) task.cpu = part.cpu;
    if (part.memory >= 0) task.memory = part.memory;
    task.submits += part.submits;
  }
  tasks.resize(count);
}

bool GoogleJobs::next(GoogleJob& job) {
  if (!is_complete_) {
    park();
    is_complete_ = true;
    has_next_ = parts_.next(next_job_, next_);
  }
  while (has_next_) {
    job.id = next_job_;
    job.end.reset();
    job.priority = 0;
    job.tasks.clear();
    last_job_event_ = 0;
    while (has_next_ && next_job_ == job.id) {
      append_part(next_, job);
      has_next_ = parts_.next(next_job_, next_);
    }
    if (job.tasks.empty()) continue;  // of job_events alone
    if (job.tasks.size() > folded_) fold(job.tasks);
    return true;
  }
  return false;
}

}  // namespace tracebed
