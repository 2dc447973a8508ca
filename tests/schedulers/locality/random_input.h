// Files whose blocks are on nodes at random, each replica on a node of its own.
#pragma once

#include <vector>

#include "core/input_blocks.h"
#include "core/random.h"

namespace tracebed {

inline InputBlocks random_input(Random& random, std::size_t nodes, std::uint32_t blocks,
                                std::size_t replicas) {
  InputBlocks input;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    std::vector<NodeId> left;
    for (std::size_t node = 0; node < nodes; ++node) left.emplace_back(node);
    std::vector<NodeId> chosen;
    while (chosen.size() < replicas && !left.empty()) {
      const auto place = left.begin() + static_cast<std::ptrdiff_t>(random.below(left.size()));
      chosen.push_back(*place);
      left.erase(place);
    }
    input.add_block(chosen);
  }
  return input;
}

}  // namespace tracebed
