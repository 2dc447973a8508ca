// How large the jobs of a workload are, and what their tasks ask for, in the model's own terms
// whatever format they came from: percentiles in bounded memory.
#pragma once

#include <string>
#include <vector>

#include "core/resources.h"
#include "core/workload.h"
#include "traces/parts/quantiles.h"

namespace tracebed {

class WorkloadSizes {
 public:
  struct Sizes {
    std::string name;
    std::string unit;           // "s", "B", …; empty of a count
    std::int64_t per_unit = 1;  // values are in 1/per_unit of the unit
    Quantiles values;
  };

  // `exact_max` is that of every Quantiles. Demands are reported in all of `dimensions`.
  WorkloadSizes(const ResourceDimensions& dimensions, std::size_t exact_max);

  void add(const Job& job);

  // One value for every job. Bytes are included if some job has any.
  std::vector<Sizes*> of_jobs();
  // One for every task.
  std::vector<Sizes*> of_tasks();

 private:
  std::vector<Sizes> jobs_;
  std::vector<Sizes> tasks_;
};

}  // namespace tracebed
