// A sweep's plan and results as people and programs read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/sweeps/best_setting.h"
#include "coordinator/sweeps/sweep_folder.h"
#include "coordinator/sweeps/sweep_plan.h"
#include "coordinator/sweeps/sweep_results.h"

namespace tracebed {

// What the points that have not finished will take, judged by those that have.
struct SweepEstimate {
  std::size_t finished = 0;  // of these points
  std::size_t left = 0;
  double seconds_of_finished = 0;  // of wall time, of their processes together
  std::uint64_t bytes_of_finished = 0;
};
SweepEstimate estimate(const SweepPlan& plan, const SweepFolder& folder);

std::string plan_text(const SweepPlan& plan, const std::optional<SweepEstimate>& estimate,
                      std::uint32_t parallel);
std::string plan_json(const SweepPlan& plan, const std::optional<SweepEstimate>& estimate);

// Settings with their means; the response to each key; the best with its neighbours.
std::string results_text(const SweepResults& results);
std::string results_json(const SweepResults& results);
// A row for each run: RFC 4180.
std::string results_csv(const SweepResults& results);

}  // namespace tracebed
