// Placements of a run whose scheduler compares nodes, sampled, with what it made of the nodes.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

struct RankedNode {
  std::string node;
  std::vector<std::pair<std::string, double>> scores;  // in the scheduler's order
};

struct SampledChoice {
  TraceTime at{};
  JobId job;           // of which a unit was placed
  std::string chosen;  // the node; empty: there was no candidate
  std::uint64_t candidates = 0;
  // Rule → how many nodes it excluded.
  std::vector<std::pair<std::string, std::uint64_t>> excluded;
  // The chosen node, then other candidates from the largest first score down, a few in all.
  std::vector<RankedNode> best;
};

// {"seconds", "job", "node", "candidates", "excluded": {rule: nodes}, "best": [{"node", "scores"}]}
nlohmann::ordered_json choice_json(const SampledChoice& choice);

}  // namespace tracebed
