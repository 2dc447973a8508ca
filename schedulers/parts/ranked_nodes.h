// The alive nodes in an order that a policy gives them, and the first of them that has room for a
// demand. Nodes move in the order as their use changes.
//
// The order is cut into blocks, and runs of blocks into groups. Each keeps a bound of what is free
// on any one of its nodes, dimension by dimension. A search leaves out every group and block whose
// bound has no room. Bounds are raised at once when a node frees something, and lowered only by the
// search that found them too high, which has looked at all the nodes below anyway. So a search
// costs what the answer is away from the front, not the number of full nodes before it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "schedulers/parts/free_table.h"

namespace tracebed {

// Smaller comes first; `minor` ends on the node's id, so no two nodes rank the same.
struct NodeRank {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;  // the low 32 bits are the node's id

  NodeId node() const { return NodeId(static_cast<std::uint32_t>(minor)); }
  auto operator<=>(const NodeRank&) const = default;
};

class RankedNodes {
 public:
  // The node's rank or what is free on it changed, or it became alive.
  void update(const NodeRank& rank, const Resources& free);
  void remove(NodeId node);
  bool contains(NodeId node) const {
    return node.index() < is_in_.size() && is_in_[node.index()] != 0;
  }
  const NodeRank& rank(NodeId node) const { return ranks_[node.index()]; }

  // Calls visit(node) for nodes with room for `demand`, in order, until it returns true. Returns
  // that node, or none. `visit` must not change the order.
  template <class Visitor>
  NodeId find(const Resources& demand, Visitor&& visit) {
    for (Group& group : groups_) {
      if (!demand.fits_in(group.bound)) continue;
      Resources group_bound;
      for (Block& block : group.blocks) {
        if (demand.fits_in(block.bound)) {
          const NodeId found = find_in(block, demand, visit);
          if (found.is_valid()) return found;
        }
        group_bound = component_maximum(group_bound, block.bound);
      }
      group.bound = group_bound;
    }
    return NodeId();
  }
  // The first node with room for `demand`, or none.
  NodeId first(const Resources& demand) {
    return find(demand, [](NodeId) { return true; });
  }

  // Stops the run unless every node stands where its rank says, with what is free on it, under
  // bounds that hold.
  void verify(const FreeTable& free) const;

 private:
  static constexpr std::size_t block_size_max = 32;
  static constexpr std::size_t group_size_max = 64;

  // What is free stands beside the rank, so that a search runs along memory.
  struct Entry {
    NodeRank rank;
    Resources free;
  };
  struct Block {
    NodeRank last;  // of its entries
    Resources bound;
    std::vector<Entry> entries;  // ascending, never empty
  };
  struct Group {
    NodeRank last;
    Resources bound;
    std::vector<Block> blocks;  // ascending, never empty
  };
  struct Position {
    std::size_t group = 0;
    std::size_t block = 0;
  };

  static Resources component_maximum(Resources a, const Resources& b) {
    for (std::size_t d = 0; d < Resources::dimensions_max; ++d) a[d] = std::max(a[d], b[d]);
    return a;
  }
  static bool stands_before(const Entry& entry, const NodeRank& rank) { return entry.rank < rank; }

  template <class Visitor>
  static NodeId find_in(Block& block, const Resources& demand, Visitor&& visit) {
    Resources bound;
    for (const Entry& entry : block.entries) {
      if (demand.fits_in(entry.free) && visit(entry.rank.node())) return entry.rank.node();
      bound = component_maximum(bound, entry.free);
    }
    block.bound = bound;
    return NodeId();
  }

  // Where `rank` stands or belongs.
  Position locate(const NodeRank& rank) const;
  void insert(const NodeRank& rank, const Resources& free);
  void erase(const NodeRank& rank);
  void raise(const Position& position, const Resources& free);
  void split_block(const Position& position);
  void split_group(std::size_t group);
  void merge_after(const Position& position);

  std::vector<Group> groups_;
  std::vector<NodeRank> ranks_;      // by node
  std::vector<std::uint8_t> is_in_;  // by node
};

}  // namespace tracebed
