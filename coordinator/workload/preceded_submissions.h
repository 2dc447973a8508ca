// Replay of a trace whose jobs name the jobs that precede them (SWF, columns 17 and 18): such a job
// is submitted when those have ended, however they ended, and its think time has passed; every
// other one at the trace's time. Jobs keep their ids and names, and `submit` becomes the time at
// which they were due.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "coordinator/engine/submissions.h"
#include "coordinator/workload/due_jobs.h"
#include "core/records.h"

namespace tracebed {

// What a job waits for before it is submitted: jobs of the workload that come before it, and how
// long after the last of them has ended.
struct PrecedingJobs {
  std::vector<JobId> jobs;  // each once, at least one
  Duration think{};
};
using PrecedingOfJobs = std::map<JobId, PrecedingJobs>;

// Notified of ended jobs as a sink of records. Memory grows with the jobs that name others, and
// with those that were read before they are due: up to the next one whose predecessors have ended.
class PrecededSubmissions final : public Submissions, public RecordSink {
 public:
  // Both outlive this.
  PrecededSubmissions(WorkloadSource& jobs, const PrecedingOfJobs& preceding);

  TraceTime next_due() override;
  void take(Job& job) override;
  RecordSink* records() override { return this; }

  void attempt_ended(const AttemptRecord&) override {}
  void job_ended(const JobRecord& record) override;
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}

 private:
  // A job that names others, until it is due.
  struct Waiting {
    std::size_t open = 0;    // of those it names, that have not ended
    TraceTime last_end{};    // of those that have
    std::optional<Job> job;  // once it was read
  };

  void begin();
  void read_ahead();
  void advance() { has_head_ = source_.next(head_); }
  void read_one();

  WorkloadSource& source_;
  const PrecedingOfJobs& preceding_;
  std::map<JobId, std::vector<JobId>> successors_;  // by the job that they name
  std::map<JobId, Waiting> waiting_;
  std::size_t unread_due_ = 0;  // jobs whose predecessors have ended, and which were not read yet
  Job head_;
  bool has_begun_ = false;
  bool has_head_ = false;
  DueJobs due_;
};

}  // namespace tracebed
