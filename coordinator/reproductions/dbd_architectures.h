// Forty TeraSorts at once, whose executors are placed by data block density: one scheduler that
// needs time to decide, frameworks that are offered nodes, and schedulers that share the state of
// the cluster (schedulers/concurrent).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "coordinator/reproductions/reproduction.h"
#include "coordinator/reproductions/table_cells.h"

namespace tracebed::dbd {

struct Architecture {
  std::string_view label;
  std::string_view title;
  std::string_view scheduler;  // by name
  int schedulers = 1;
  std::string_view rescheduling = {};  // of shared state
};
std::span<const Architecture> architectures();

// How long decisions take, as multiples of Omega's 100 ms for a job and 5 ms for a unit.
inline constexpr int decision_factors[] = {1, 10};
std::string architecture_experiment(int factor);

void add_architectures(const ReproductionRequest& request, ReproductionPlan& plan);
ReproductionTable architecture_table(const ReproductionResults& results);

}  // namespace tracebed::dbd
