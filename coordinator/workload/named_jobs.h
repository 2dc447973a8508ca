// Which jobs of the workload wait for which: the trace names them by numbers of its own (SWF's
// preceding jobs), the workload has ids.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "coordinator/resolving/resolved_experiment.h"
#include "coordinator/workload/preceded_submissions.h"
#include "core/workload.h"
#include "traces/parts/trace_reader.h"

namespace tracebed {

class NamedJobs {
 public:
  // `think_factor` is what times of the replay are multiplied by.
  explicit NamedJobs(double think_factor) : think_factor_(think_factor) {}

  // The job that `reader` made last; what it waits for goes into `preceding`.
  void add(const Job& job, const TraceReader& reader, PrecedingOfJobs& preceding);

  // What is otherwise than the trace says, or than its submit times.
  void warn(const PrecedingOfJobs& preceding, ReplayChoice::Mode mode,
            std::vector<std::string>& warnings) const;

 private:
  double think_factor_;
  std::unordered_map<std::int64_t, JobId> by_number_;  // the last of each; looked up alone
  std::uint64_t unknown_ = 0;
  std::string first_unknown_;
};

}  // namespace tracebed
