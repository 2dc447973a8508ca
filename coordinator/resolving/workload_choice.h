// How an experiment's trace is read and scaled, checked without reading it.
#pragma once

#include <cstdint>
#include <vector>

#include "coordinator/config/experiment.h"
#include "traces/open_trace.h"
#include "traces/scale_model.h"

namespace tracebed {

// Throws InputError, which begins with the place of the wrong rule or format.
TraceOptions trace_options(const TraceChoice& choice, const std::vector<Setting>& rules,
                           const ResourceDimensions& dimensions);

// `seed` is that of the experiment, for the thinning. Throws InputError, which begins with the
// place of the table.
ScaleFactors scale_factors(const ScaleChoice& choice, std::uint64_t seed);

}  // namespace tracebed
