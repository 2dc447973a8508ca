// Rates of trace time as rates of the wall clock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "coordinator/real/replay_clock.h"
#include "core/datanode_options.h"

namespace tracebed {

// Bytes a second; none: unlimited. A second of trace time is more of wall time, or less.
inline std::optional<std::uint64_t> wall_rate(std::optional<std::int64_t> bytes,
                                              const ReplayClock& clock) {
  if (!bytes) return std::nullopt;
  const double scaled = static_cast<double>(*bytes) * clock.time_scale();
  constexpr auto most = static_cast<double>(DatanodeOptions::rate_max);
  return static_cast<std::uint64_t>(std::clamp(scaled, 1.0, most));
}

}  // namespace tracebed
