// The jobs of a trace in memory, read once and replayed by any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/names.h"
#include "core/workload.h"

namespace tracebed {

class KeptJobs {
 public:
  // The jobs, by the memory of their lists and texts, take at most `bytes_max`.
  explicit KeptJobs(std::int64_t bytes_max) : bytes_left_(bytes_max) {}

  // The next job of the trace, as it is when its source has just interned its names in `names`.
  // False if it has no room: then nothing is kept any more.
  bool add(const Job& job, const Names& names);
  // After the last job; `names` are those that were interned with them.
  void finish(Names names) { names_ = std::move(names); }

  // The jobs from the first on. The names they use are interned in `names` job by job as when the
  // trace was read, so that the same ids appear at the same time. `names` outlives the source, as
  // does this.
  std::unique_ptr<WorkloadSource> open(Names& names) const;

 private:
  class Source;
  // How many names of each kind there were when the job had been read.
  struct NamesSoFar {
    std::uint32_t users = 0;
    std::uint32_t queues = 0;
    std::uint32_t racks = 0;
    std::uint32_t labels = 0;
  };

  std::int64_t bytes_left_;
  std::vector<Job> jobs_;
  std::vector<NamesSoFar> names_so_far_;  // by job
  Names names_;
};

}  // namespace tracebed
