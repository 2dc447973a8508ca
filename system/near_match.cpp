#include "system/near_match.h"

#include <algorithm>
#include <vector>

namespace tracebed {
namespace {

// Optimal string alignment distance, three rows at a time.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before_last(to.size() + 1);
  std::vector<std::size_t> last(to.size() + 1);
  std::vector<std::size_t> current(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t change = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, change});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[to.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates) {
  std::string_view nearest;
  std::size_t least = std::string_view::npos;
  for (const std::string_view candidate : candidates) {
    const std::size_t allowed = std::max<std::size_t>(1, candidate.size() / 3);
    // Each character more is a change: a name of any length costs no more than one of this.
    if (name.size() > candidate.size() + allowed) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance > allowed || distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string name_hint(std::string_view name, std::span<const std::string_view> candidates) {
  if (const std::string_view nearest = nearest_name(name, candidates); !nearest.empty()) {
    return "; did you mean " + std::string(nearest) + "?";
  }
  std::string hint = "; known are ";
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i > 0) hint += ", ";
    hint += candidates[i];
  }
  return hint;
}

}  // namespace tracebed
