// The bounds within which a controller keeps a share, and how settings state shares: as decimal
// fractions of up to six digits, which are read exactly.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "core/controller.h"
#include "core/settings.h"

namespace tracebed {

struct ShareBounds {
  std::int64_t low = 0;
  std::int64_t high = whole_share;

  std::int64_t clamp(std::int64_t value) const { return std::clamp(value, low, high); }
};

inline std::int64_t read_share(SettingReader& reader, std::string_view name) {
  return std::llround(reader.fraction(name, 0, 1) * static_cast<double>(whole_share));
}

// part / whole < share, and > share; false if there is no whole. Amounts of MiB, of which 2^40
// times a million are below 2^63.
inline bool is_below(std::int64_t part, std::int64_t whole, std::int64_t share) {
  return whole > 0 && part * whole_share < whole * share;
}
inline bool is_above(std::int64_t part, std::int64_t whole, std::int64_t share) {
  return whole > 0 && part * whole_share > whole * share;
}

// What a file has that sets no limit (Fair's -1) counts as the whole.
inline std::int64_t stated_share(std::int64_t value) {
  return value < 0 ? whole_share : value;
}

}  // namespace tracebed
