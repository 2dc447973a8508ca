// Numbers of plots.
#pragma once

#include <fmt/format.h>
#include <string>

namespace tracebed {

// With as many digits as a plot shows, which is a third of those that it has.
inline double rounded(double value) {
  return std::stod(fmt::format("{:.5g}", value));
}

}  // namespace tracebed
