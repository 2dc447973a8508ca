#include "report/run_pairs.h"

namespace tracebed {

RunPairs pair_by_seed(std::span<const std::uint64_t> baseline,
                      std::span<const std::uint64_t> candidate) {
  RunPairs result{baseline.size(), candidate.size(), {}};
  std::vector<bool> is_taken(candidate.size());
  for (std::size_t b = 0; b < baseline.size(); ++b) {
    for (std::size_t c = 0; c < candidate.size(); ++c) {
      if (is_taken[c] || candidate[c] != baseline[b]) continue;
      is_taken[c] = true;
      result.pairs.emplace_back(b, c);
      break;
    }
  }
  return result;
}

}  // namespace tracebed
