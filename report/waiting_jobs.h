// Jobs that waited long for their first container, and why: kept with a run in a bounded number.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

struct WaitingJob {
  JobId job;
  std::string user;
  std::string queue;
  TraceTime since{};  // when it was submitted
  TraceTime until{};  // when it was last seen waiting
  // The chain at that time: name of the reason (core/scheduler_view.h), sentence.
  std::vector<std::pair<std::string, std::string>> reasons;
};

// The results of sampling.
struct WaitingJobs {
  // First reason → how often a sampled job had it.
  std::vector<std::pair<std::string, std::uint64_t>> by_reason;
  std::vector<WaitingJob> longest;  // those that waited longest, longest first
};

}  // namespace tracebed
