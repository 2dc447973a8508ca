// Closed-loop replay: no user submits a job before their last one has ended. A user's first job is
// submitted at the trace's time; every other one when the one before it has ended (however it
// ended) and a think time has passed. So a slow cluster receives its jobs later, as people wait for
// results, instead of a queue that no user would have filled.
//
// Jobs of one user run one after the other, even if the trace has several at once. Jobs keep their
// ids and names, but are submitted in another order than in the trace, and `submit` becomes the
// time at which they were due.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "coordinator/engine/submissions.h"
#include "coordinator/workload/due_jobs.h"
#include "coordinator/workload/preceded_submissions.h"
#include "core/names.h"
#include "core/records.h"

namespace tracebed {

// Jobs that each user has in a workload, by name.
using JobsOfUsers = std::map<std::string, std::uint64_t, std::less<>>;

// Notified of ended jobs as a sink of records. Memory grows with the jobs that were read before
// they are due: those of users who are still busy, up to the job that the next user waits for.
class ThinkTimeSubmissions final : public Submissions, public RecordSink {
 public:
  // Without a think time it is the trace's: from when the user's last job would have ended on a
  // cluster with room for all (its submission and its ideal duration) to the submission, or none if
  // that is negative; of a job in `preceding` it is the one stated there. All arguments outlive
  // this.
  ThinkTimeSubmissions(WorkloadSource& jobs, const Names& names, const JobsOfUsers& jobs_of_users,
                       const PrecedingOfJobs& preceding, std::optional<Duration> think);

  TraceTime next_due() override;
  void take(Job& job) override;
  RecordSink* records() override { return this; }

  void attempt_ended(const AttemptRecord&) override {}
  void job_ended(const JobRecord& record) override;
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}

 private:
  struct Waiting {
    Job job;
    Duration think{};
  };
  enum class State : std::uint8_t { busy, waits_for_the_trace, done };
  struct User {
    State state = State::busy;
    std::uint64_t unread = 0;  // jobs of theirs that are still in the source
    TraceTime free_at{};       // when their last job ended
    TraceTime ideal_end{};     // of the job that was read last, in the trace
    std::deque<Waiting> waiting;
  };

  void begin();
  void read_ahead();
  void advance() { has_head_ = source_.next(head_); }
  void read_one();
  User& first_seen(UserId id);
  void make_due(Job job, TraceTime due, User& user);

  WorkloadSource& source_;
  const Names& names_;
  const JobsOfUsers& jobs_of_users_;
  const PrecedingOfJobs& preceding_;
  std::optional<Duration> think_;
  Job head_;
  bool has_begun_ = false;
  bool has_head_ = false;
  std::map<UserId, User> users_;
  std::size_t users_waiting_for_the_trace_ = 0;
  DueJobs due_;
};

}  // namespace tracebed
