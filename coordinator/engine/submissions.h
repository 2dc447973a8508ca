// When jobs are submitted in a replay, and which.
#pragma once

#include "core/time.h"
#include "core/workload.h"

namespace tracebed {

class Submissions {
 public:
  virtual ~Submissions() = default;
  // When the next job is due: `never` if there is none left, or none before an open job ends.
  // Called after every round, so it must be cheap.
  virtual TraceTime next_due() = 0;
  // Swaps the job that is due into `job`, whose memory may be reused. Only while one is due.
  virtual void take(Job& job) = 0;
};

// Every job at its own submit time (open loop). One job is read ahead.
class TimedSubmissions final : public Submissions {
 public:
  // `source` outlives this.
  explicit TimedSubmissions(WorkloadSource& source);

  TraceTime next_due() override { return has_next_ ? next_.submit : never; }
  void take(Job& job) override;

 private:
  WorkloadSource& source_;
  Job next_;
  bool has_next_;
};

}  // namespace tracebed
