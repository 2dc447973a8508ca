#include "coordinator/workload/named_jobs.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace tracebed {

void NamedJobs::add(const Job& job, const TraceReader& reader, PrecedingOfJobs& preceding) {
  const std::optional<std::int64_t> number = reader.job_number();
  if (!number) return;
  const NamedPredecessors& named = *reader.predecessors();
  PrecedingJobs known;
  for (const std::int64_t each : named.jobs) {
    const auto found = by_number_.find(each);
    if (found == by_number_.end()) {
      if (unknown_++ == 0) first_unknown_ = fmt::format("{} names {}", *number, each);
    } else if (std::find(known.jobs.begin(), known.jobs.end(), found->second) == known.jobs.end()) {
      known.jobs.push_back(found->second);
    }
  }
  if (!known.jobs.empty()) {
    known.think = Duration(std::llround(static_cast<double>(named.think.count()) * think_factor_));
    preceding.emplace(job.id, std::move(known));
  }
  by_number_[*number] = job.id;
}

void NamedJobs::warn(const PrecedingOfJobs& preceding, ReplayChoice::Mode mode,
                     std::vector<std::string>& warnings) const {
  if (unknown_ > 0) {
    warnings.push_back(fmt::format(
        "{} times a job names a preceding job that is not before it in the workload, and is not "
        "waited for (rule swf.preceding); the first: job {}",
        unknown_, first_unknown_));
  }
  if (preceding.empty()) return;
  switch (mode) {
    case ReplayChoice::Mode::trace:
      warnings.push_back(fmt::format(
          "{} jobs are submitted when the jobs that the trace names for them have ended, and not "
          "at their submit times (rule swf.preceding)",
          preceding.size()));
      return;
    case ReplayChoice::Mode::at_once:
      warnings.push_back(fmt::format(
          "{} jobs do not wait for the jobs that the trace names for them: all are submitted at "
          "once",
          preceding.size()));
      return;
    case ReplayChoice::Mode::think_time:
      warnings.push_back(fmt::format(
          "{} jobs wait for their user's last job, and not for the jobs that the trace names for "
          "them; their think times are those of the trace unless replay.think_time is set",
          preceding.size()));
      return;
  }
}

}  // namespace tracebed
