#include "report/refusals.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace tracebed {

std::string refusal_text(const std::vector<NamedCount>& counters) {
  constexpr std::uint64_t refusals_min = 100;
  std::uint64_t decisions = 0;
  std::uint64_t refusals = 0;
  NamedCount most;
  for (const auto& [counter, count] : counters) {
    if (counter == decisions_counter) decisions = count;
    if (counter == refusals_counter) refusals = count;
    if (counter.starts_with(refusals_for_counter) && count > most.second) most = {counter, count};
  }
  const std::uint64_t committed = decisions - std::min(decisions, refusals);
  if (refusals < refusals_min || refusals < committed) return {};
  std::string text = fmt::format(
      "{} of the scheduler's {} decisions were refused: it proposes far more than is "
      "committed",
      refusals, decisions);
  if (most.second > 0) {
    text +=
        fmt::format("; most often for {} ({})",
                    most.first.substr(std::string_view(refusals_for_counter).size()), most.second);
  }
  return text;
}

}  // namespace tracebed
