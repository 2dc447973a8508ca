// The blocks of the files that an application reads, and the nodes that held them when it was
// submitted: the relation of formula (5) of Du et al., "Data Block Density Scheduling Strategy
// Based on HDFS in Shared Cluster". A block of which no replica was good has no node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.h"

namespace tracebed {

class InputBlocks {
 public:
  // The next block. `nodes` has each node once, in any order.
  void add_block(std::span<const NodeId> nodes) {
    nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
    ends_.push_back(static_cast<std::uint32_t>(nodes_.size()));
  }

  std::uint32_t blocks() const { return static_cast<std::uint32_t>(ends_.size()); }
  std::span<const NodeId> nodes_of(std::uint32_t block) const {
    const std::uint32_t begin = block == 0 ? 0 : ends_[block - 1];
    return std::span(nodes_).subspan(begin, ends_[block] - begin);
  }
  // Of all blocks.
  std::size_t replicas() const { return nodes_.size(); }

  bool operator==(const InputBlocks&) const = default;

 private:
  std::vector<std::uint32_t> ends_;  // by block: one above its last node
  std::vector<NodeId> nodes_;        // block after block
};

}  // namespace tracebed
