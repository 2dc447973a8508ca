// When jobs are submitted in a replay, and which.
#pragma once

#include <utility>

#include "core/records.h"
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
  // Where jobs that end are reported; null if no submission depends on them.
  virtual RecordSink* records() = 0;
};

// Every job at its own submit time (open loop). One job is read ahead, the first when it is asked
// for.
class TimedSubmissions final : public Submissions {
 public:
  // `source` outlives this.
  explicit TimedSubmissions(WorkloadSource& source) : source_(source) {}

  TraceTime next_due() override {
    if (!has_begun_) read_ahead();
    return has_next_ ? next_.submit : never;
  }
  void take(Job& job) override {
    std::swap(job, next_);
    read_ahead();
  }
  RecordSink* records() override { return nullptr; }

 private:
  void read_ahead() {
    has_begun_ = true;
    has_next_ = source_.next(next_);
  }

  WorkloadSource& source_;
  Job next_;
  bool has_begun_ = false;
  bool has_next_ = false;
};

}  // namespace tracebed
