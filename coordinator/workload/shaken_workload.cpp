#include "coordinator/workload/shaken_workload.h"

#include <cmath>

#include "core/random.h"
#include "traces/weighted_choice.h"

namespace tracebed {
namespace {

double factor(double part, std::uint64_t seed, JobId job) {
  return 1 + part * (2 * unit_draw(seed, job.value()) - 1);
}

Duration times(Duration duration, double by) {
  return Duration(std::llround(static_cast<double>(duration.count()) * by));
}

}  // namespace

ShakenWorkload::ShakenWorkload(WorkloadSource& source, const VariationChoice& vary,
                               std::uint64_t seed)
    : source_(source),
      submit_part_(vary.submit_times),
      run_part_(vary.run_times),
      submit_seed_(Random::stream(seed, "vary.submit_times").next()),
      run_seed_(Random::stream(seed, "vary.run_times").next()) {}

bool ShakenWorkload::next(Job& job) {
  if (!source_.next(job)) return false;
  if (submit_part_ > 0) shake_submit_time(job);
  if (run_part_ > 0) shake_run_times(job);
  return true;
}

void ShakenWorkload::shake_submit_time(Job& job) {
  const TraceTime in_trace = job.submit;
  if (has_last_) {
    const auto gap = static_cast<double>((in_trace - last_in_trace_).count());
    last_shaken_ += gap * factor(submit_part_, submit_seed_, job.id);
  } else {
    last_shaken_ = static_cast<double>(to_microseconds(in_trace));
  }
  has_last_ = true;
  last_in_trace_ = in_trace;
  job.submit = trace_time(std::llround(last_shaken_));
}

void ShakenWorkload::shake_run_times(Job& job) const {
  const double by = factor(run_part_, run_seed_, job.id);
  for (Stage& stage : job.stages) {
    for (TaskRun& run : stage.runs) {
      run.work.duration = times(run.work.duration, by);
      run.work.cpu_time = times(run.work.cpu_time, by);
    }
  }
}

}  // namespace tracebed
