// Which runs of two schedulers belong together: those with the same seed, since what is drawn from
// it (heartbeat phases, launch latencies, a shaken trace) is the same in both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tracebed {

struct RunPairs {
  std::size_t baseline_runs = 0;
  std::size_t candidate_runs = 0;
  // Positions in the baseline's and the candidate's runs; no run is in two of them.
  std::vector<std::pair<std::size_t, std::size_t>> pairs;

  // Every run has a partner.
  bool are_all() const { return pairs.size() == baseline_runs && pairs.size() == candidate_runs; }
  std::size_t repetitions_min() const { return std::min(baseline_runs, candidate_runs); }
};

// The n-th run with a seed is paired with the other side's n-th run with it.
RunPairs pair_by_seed(std::span<const std::uint64_t> baseline,
                      std::span<const std::uint64_t> candidate);

}  // namespace tracebed
