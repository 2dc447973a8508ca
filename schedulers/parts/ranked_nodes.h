// Nodes in a policy's order, and the first of them that has room for a demand. Nodes move in the
// order as their use changes; their owner knows the rank of each.
//
// The order is cut into blocks, and runs of blocks into groups. Each keeps a bound of what is free
// on any one of its nodes, dimension by dimension. A search leaves out every group and block whose
// bound has no room. Bounds are raised at once when a node frees something, and lowered only by the
// search that found them too high, which has looked at all the nodes below anyway. So a search
// costs the answer's distance from the front, not the number of full nodes before it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "core/resources.h"

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
  // No node of the order has this rank.
  void insert(const NodeRank& rank, const Resources& free);
  // A node has it.
  void erase(const NodeRank& rank);
  // What is free on the node of that rank changed.
  void set_free(const NodeRank& rank, const Resources& free);

  // Calls visit(node) for nodes with room for `demand` that rank at least `from`, in order, until
  // it returns true. Returns that node, or none. `visit` must not change the order.
  template <class Visitor>
  NodeId find(const Resources& demand, const NodeRank& from, Visitor&& visit) {
    if (groups_.empty() || groups_.back().last < from) return NodeId();
    Position position = from == NodeRank() ? Position{} : locate(from);
    for (; position.group < groups_.size(); ++position.group, position.block = 0) {
      Group& group = groups_[position.group];
      if (!demand.fits_in(group.bound)) continue;
      const bool is_whole = position.block == 0;
      Resources group_bound;
      for (; position.block < group.blocks.size(); ++position.block) {
        Block& block = group.blocks[position.block];
        if (demand.fits_in(block.bound)) {
          const NodeId found = find_in(block, demand, from, visit);
          if (found.is_valid()) return found;
        }
        raise(group_bound, block.bound);
      }
      if (is_whole) group.bound = group_bound;
    }
    return NodeId();
  }
  // The first node with room for `demand` that ranks at least `from`, or none.
  NodeId first(const Resources& demand, const NodeRank& from = NodeRank()) {
    return find(demand, from, [](NodeId) { return true; });
  }

  // Stops the run unless ranks ascend, under valid bounds. Calls visit(rank, free) for each node.
  template <class Visitor>
  void verify(Visitor&& visit) const {
    const NodeRank* previous = nullptr;
    for (const Group& group : groups_) {
      verify_ends(group);
      for (const Block& block : group.blocks) {
        for (const Entry& entry : block.entries) {
          verify_place(previous, entry, block.bound);
          visit(entry.rank, entry.free);
          previous = &entry.rank;
        }
      }
    }
  }

 private:
  static constexpr std::size_t block_size_max = 32;
  static constexpr std::size_t group_size_max = 32;

  // What is free is stored with the rank, so that a search reads memory sequentially.
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

  // Raises each amount of `bound` to that of `other`, in the dimensions that are in use.
  void raise(Resources& bound, const Resources& other) const {
    for (std::size_t d = 0; d < dimensions_; ++d) bound[d] = std::max(bound[d], other[d]);
  }
  static bool stands_before(const Entry& entry, const NodeRank& rank) { return entry.rank < rank; }

  template <class Visitor>
  NodeId find_in(Block& block, const Resources& demand, const NodeRank& from, Visitor&& visit) {
    Resources bound;
    for (const Entry& entry : block.entries) {
      raise(bound, entry.free);
      if (entry.rank < from || !demand.fits_in(entry.free)) continue;
      if (visit(entry.rank.node())) return entry.rank.node();
    }
    block.bound = bound;
    return NodeId();
  }

  void count_dimensions(const Resources& free) {
    for (std::size_t d = dimensions_; d < Resources::dimensions_max; ++d) {
      if (free[d] > 0) dimensions_ = d + 1;
    }
  }
  // Where `rank` is or belongs.
  Position locate(const NodeRank& rank) const;
  void raise_at(const Position& position, const Resources& free);
  void split_block(const Position& position);
  void split_group(std::size_t group);
  void merge_after(const Position& position);
  static void verify_ends(const Group& group);
  static void verify_place(const NodeRank* previous, const Entry& entry, const Resources& bound);

  std::size_t dimensions_ = 0;  // one above the last of which any node had something free
  std::vector<Group> groups_;
};

}  // namespace tracebed
