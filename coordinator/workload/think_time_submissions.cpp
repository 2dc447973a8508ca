#include "coordinator/workload/think_time_submissions.h"

#include <algorithm>

#include "core/check.h"

namespace tracebed {

ThinkTimeSubmissions::ThinkTimeSubmissions(WorkloadSource& jobs, const Names& names,
                                           const JobsOfUsers& jobs_of_users,
                                           const PrecedingOfJobs& preceding,
                                           std::optional<Duration> think)
    : source_(jobs),
      names_(names),
      jobs_of_users_(jobs_of_users),
      preceding_(preceding),
      think_(think) {}

void ThinkTimeSubmissions::begin() {
  has_begun_ = true;
  advance();
  read_ahead();
}

TraceTime ThinkTimeSubmissions::next_due() {
  if (!has_begun_) begin();
  return due_.next_due();
}

void ThinkTimeSubmissions::take(Job& job) {
  due_.take(job);
  read_ahead();
}

void ThinkTimeSubmissions::job_ended(const JobRecord& record) {
  User& user = users_.at(record.user);
  TRACEBED_CHECK(user.state == State::busy, "the end of a job is that of a user who has one");
  user.free_at = record.finished;
  if (!user.waiting.empty()) {
    Waiting next = std::move(user.waiting.front());
    user.waiting.pop_front();
    make_due(std::move(next.job), user.free_at + next.think, user);
  } else if (user.unread > 0) {
    user.state = State::waits_for_the_trace;
    ++users_waiting_for_the_trace_;
  } else {
    user.state = State::done;
  }
  read_ahead();
}

// Until everybody who waits has their next job, and nobody who was not seen yet can be due before
// those who were.
void ThinkTimeSubmissions::read_ahead() {
  while (has_head_ && (users_waiting_for_the_trace_ > 0 ||
                       (users_.size() < jobs_of_users_.size() && head_.submit <= next_due()))) {
    read_one();
  }
}

void ThinkTimeSubmissions::read_one() {
  const auto known = users_.find(head_.user);
  User& user = known != users_.end() ? known->second : first_seen(head_.user);
  const auto stated = preceding_.find(head_.id);
  const Duration trace_think = stated != preceding_.end()
                                   ? stated->second.think
                                   : std::max(head_.submit - user.ideal_end, Duration{});
  const Duration think = think_.value_or(trace_think);
  user.ideal_end = head_.submit + ideal_duration(head_);
  TRACEBED_CHECK(user.unread > 0, "a workload is the same at every reading");
  --user.unread;
  if (known == users_.end()) {
    const TraceTime submit = head_.submit;
    make_due(std::move(head_), submit, user);
  } else if (user.state == State::waits_for_the_trace) {
    --users_waiting_for_the_trace_;
    make_due(std::move(head_), user.free_at + think, user);
  } else {
    user.waiting.push_back({std::move(head_), think});
  }
  head_ = Job();
  advance();
}

ThinkTimeSubmissions::User& ThinkTimeSubmissions::first_seen(UserId id) {
  const auto count = jobs_of_users_.find(names_.users.name(id));
  TRACEBED_CHECK(count != jobs_of_users_.end(), "a workload is the same at every reading");
  User& user = users_[id];
  user.unread = count->second;
  return user;
}

void ThinkTimeSubmissions::make_due(Job job, TraceTime due, User& user) {
  user.state = State::busy;
  due_.add(std::move(job), due);
}

}  // namespace tracebed
