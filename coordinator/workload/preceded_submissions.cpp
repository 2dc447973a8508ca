#include "coordinator/workload/preceded_submissions.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace tracebed {

PrecededSubmissions::PrecededSubmissions(WorkloadSource& jobs, const PrecedingOfJobs& preceding)
    : source_(jobs), preceding_(preceding) {
  for (const auto& [job, named] : preceding_) {
    TRACEBED_CHECK(!named.jobs.empty(), "a job that waits names what for");
    waiting_[job].open = named.jobs.size();
    for (const JobId each : named.jobs) {
      TRACEBED_CHECK(each < job, "a job waits for jobs before it, so that none waits forever");
      successors_[each].push_back(job);
    }
  }
}

void PrecededSubmissions::begin() {
  has_begun_ = true;
  advance();
  read_ahead();
}

TraceTime PrecededSubmissions::next_due() {
  if (!has_begun_) begin();
  return due_.next_due();
}

void PrecededSubmissions::take(Job& job) {
  due_.take(job);
  read_ahead();
}

void PrecededSubmissions::job_ended(const JobRecord& record) {
  const auto named_by = successors_.find(record.job);
  if (named_by == successors_.end()) return;
  for (const JobId id : named_by->second) {
    Waiting& waiting = waiting_.at(id);
    waiting.last_end = std::max(waiting.last_end, record.finished);
    if (--waiting.open > 0) continue;
    if (!waiting.job) {
      ++unread_due_;
      continue;
    }
    Job job = std::move(*waiting.job);
    const TraceTime due = waiting.last_end + preceding_.at(id).think;
    waiting_.erase(id);
    due_.add(std::move(job), due);
  }
  successors_.erase(named_by);
  read_ahead();
}

// Until every job was read that may be due before those that were.
void PrecededSubmissions::read_ahead() {
  while (has_head_ && (unread_due_ > 0 || head_.submit <= next_due())) read_one();
}

void PrecededSubmissions::read_one() {
  const auto waiting = waiting_.find(head_.id);
  if (waiting == waiting_.end()) {
    const TraceTime submit = head_.submit;
    due_.add(std::move(head_), submit);
  } else if (waiting->second.open > 0) {
    waiting->second.job = std::move(head_);
  } else {
    --unread_due_;
    const TraceTime due = waiting->second.last_end + preceding_.at(head_.id).think;
    waiting_.erase(waiting);
    due_.add(std::move(head_), due);
  }
  head_ = Job();
  advance();
}

}  // namespace tracebed
