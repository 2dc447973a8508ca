// Input shaking (Tsafrir, Ouaknine and Feitelson, "Reducing performance evaluation sensitivity and
// variability by input shaking", MASCOTS 2007): each repetition replays a trace that differs a
// little at random, so that results do not depend on the exact times of a few jobs.
//
// - Submit times: each gap between two submissions is multiplied by a factor of its own, drawn
//   uniformly from [1 − part, 1 + part]. So jobs stay in their order and keep their ids, no gap
//   changes by more than that part, simultaneous jobs stay simultaneous, and the span of the whole
//   is kept on average. The first job's time is unchanged.
// - Run times: all durations and CPU times of a job are multiplied by one factor, drawn likewise,
//   so that parts of a job keep their proportions and its tasks their share of CPU; the work of
//   all jobs is kept on average. Users' stated limits are unchanged, so that shaking makes their
//   estimates worse than in the trace by at most that part.
//
// A job's draws are a hash of the seed and its id: they depend on no other job.
#pragma once

#include <cstdint>

#include "coordinator/config/experiment.h"
#include "core/workload.h"

namespace tracebed {

class ShakenWorkload final : public WorkloadSource {
 public:
  // `source` has its jobs in order of their ids, and outlives this.
  ShakenWorkload(WorkloadSource& source, const VariationChoice& vary, std::uint64_t seed);

  bool next(Job& job) override;

 private:
  void shake_submit_time(Job& job);
  void shake_run_times(Job& job) const;

  WorkloadSource& source_;
  double submit_part_;
  double run_part_;
  std::uint64_t submit_seed_;
  std::uint64_t run_seed_;
  bool has_last_ = false;
  TraceTime last_in_trace_{};
  double last_shaken_ = 0;  // in microseconds, not rounded: else many small gaps would drift
};

}  // namespace tracebed
