// Numbers of plots.
#pragma once

#include <fmt/format.h>
#include <string>

namespace tracebed {

// With as many digits as a plot shows, a third of a double's.
inline double rounded(double value) {
  return std::stod(fmt::format("{:.5g}", value));
}

}  // namespace tracebed
