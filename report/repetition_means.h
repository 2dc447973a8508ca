// Means over the repetitions of a run, and how far they are determined.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "report/confidence_interval.h"

namespace tracebed {

struct MeanOfRuns {
  double mean = 0;
  std::optional<ConfidenceInterval> interval;  // 95 %, by Student's t; none of a single value
};
// None of no values.
std::optional<MeanOfRuns> mean_of(std::span<const double> values);

// A value for each repetition, by its number or its seed.
using ByRepetition = std::map<std::uint64_t, double>;
// The mean over all of them for the repetitions that each has; none of none.
ByRepetition mean_by_repetition(std::span<const ByRepetition> all);

}  // namespace tracebed
