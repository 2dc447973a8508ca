// A workload that stands in memory.
#pragma once

#include <vector>

#include "core/workload.h"

namespace tracebed {

// `jobs` outlives the source.
class ListSource final : public WorkloadSource {
 public:
  explicit ListSource(const std::vector<Job>& jobs) : jobs_(jobs) {}
  bool next(Job& job) override {
    if (next_ == jobs_.size()) return false;
    job = jobs_[next_++];
    return true;
  }

 private:
  const std::vector<Job>& jobs_;
  std::size_t next_ = 0;
};

}  // namespace tracebed
