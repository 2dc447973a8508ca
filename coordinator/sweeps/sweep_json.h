// A sweep's results as one object, for programs and for the page of the report.
#pragma once

#include "coordinator/sweeps/sweep_plan.h"
#include "coordinator/sweeps/sweep_results.h"
#include "report/json_fields.h"

namespace tracebed {

// By key of the plan; a value as TOML has it where JSON writes it alike, else as a text.
Json values_json(const std::vector<SweptKey>& keys,
                 const std::vector<std::optional<std::size_t>>& values);

Json results_object(const SweepResults& results);

}  // namespace tracebed
