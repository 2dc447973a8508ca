#include "traces/convert/job_writer.h"

namespace tracebed {

std::vector<TraceCount> Losses::counts() const {
  std::vector<TraceCount> counts;
  for (const auto& [field, count] : counts_) counts.push_back({field, count});
  return counts;
}

}  // namespace tracebed
