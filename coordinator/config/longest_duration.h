// Three years: the maximum of any time in an experiment's file.
#pragma once

#include "core/time.h"

namespace tracebed {

inline constexpr Duration longest_duration = seconds(100'000'000);

}  // namespace tracebed
