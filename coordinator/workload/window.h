// Part of a workload: the jobs submitted in a window, or its first jobs up to a maximum.
#pragma once

#include <cstdint>

#include "coordinator/config/experiment.h"
#include "core/workload.h"

namespace tracebed {

// Jobs are renumbered from 0, and the beginning of the window becomes time 0.
class WindowedWorkload final : public WorkloadSource {
 public:
  // Both outlive this.
  WindowedWorkload(WorkloadSource& source, const TraceChoice& window)
      : source_(source), window_(window) {}

  bool next(Job& job) override;

 private:
  WorkloadSource& source_;
  const TraceChoice& window_;
  std::uint32_t taken_ = 0;
};

}  // namespace tracebed
