// Digests of virtual runs of the experiments in tests/determinism/fixtures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracebed::test {

struct RunDigest {
  std::string name;  // experiment, scheduler and repetition
  std::string digest;
  bool is_complete = false;  // every job ended by itself

  bool operator==(const RunDigest&) const = default;
};

// One for each replay of each experiment. `seed` replaces those of the experiments.
std::vector<RunDigest> run_digests(std::optional<std::uint64_t> seed = std::nullopt);

}  // namespace tracebed::test
