// How many units of an ask go to each node by data block density (Du, Lei and Chen, "Data Block
// Density Scheduling Strategy Based on HDFS in Shared Cluster", section 3.3): in proportion to the
// blocks of the job's input that the node holds and that no earlier node covers.
//
// Of t units and k blocks, a node that holds n blocks which are not covered yet gets, by formula
// (6), num = min(n / k × t, room), where room is how many units its free CPU and memory hold, each
// counted in whole units. It is given the whole part of num at once; what is left of the t units
// goes to the nodes by descending fraction, one each, round after round.
//
// Deviations, each on purpose:
// - [dbd-cut-off] Nothing exceeds t or a node's room: where the print of algorithm 1 would (it
//   breaks off only after it has counted, and adds the rest without a look at the resources), it is
//   cut off.
// - [dbd-order] The default is `greedy` below, and not what is printed.
// - [dbd-cover] The default is `share` below, and not what is printed.
// - [dbd-fractions] A fraction is kept apart from num, which algorithm 1 rounds down and then sorts
//   by. A node that is limited by its room has none.
//
// Where the paper leaves open what is meant:
// - order. `sorted`, as algorithm 1 is printed: the nodes are sorted once, by the blocks that they
//   hold. `greedy`: the next node is always the one with the most blocks that are not covered.
// - cover, the blocks that count as covered once a node was visited. `always`, as printed (tmp |=
//   nodes[i].vector): all of the node's, even if it gets no unit. `if_one`: all of them if it gets
//   a unit. `share`: as many as its units stand for, k / t each, by number; they add up without a
//   remainder, k × u / t for the first u units. So a node which holds much more than its units can
//   read leaves the rest to others.
// - equal fractions: more uncovered blocks first, then more blocks, then the smaller node id.
//
// An ask whose units do not fit all at once is continued with what is not covered by the units that
// were placed: k is then the number of uncovered blocks, t that of the units left. When all are
// covered, it begins anew.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/decisions.h"
#include "core/input_blocks.h"

namespace tracebed {

struct DensityOptions {
  enum class Order : std::uint8_t { greedy, sorted };
  enum class Cover : std::uint8_t { share, if_one, always };
  Order order = Order::greedy;
  Cover cover = Cover::share;
};

class BlockDensity {
 public:
  BlockDensity(const DensityOptions& options, const InputBlocks& input);

  // A node with room for at least one unit.
  struct Room {
    NodeId node;
    std::uint32_t units = 0;
  };
  // What a node is given, and why.
  struct Visit {
    NodeId node;
    std::uint32_t blocks = 0;     // that it holds, of those that were uncovered at first
    std::uint32_t uncovered = 0;  // of them, when it was visited
    std::uint32_t whole = 0;
    std::uint64_t fraction = 0;  // of a unit, in parts of 1 / k
    std::uint32_t units = 0;     // the whole part, and what it got of the rest
    std::uint32_t room = 0;
  };
  // Distributes `wanted` units, or as many as the nodes of `rooms` have room for that hold a block
  // of the input. `rooms` has each node once; `input` is that of the constructor. Nodes with units
  // come in the order of the visits.
  std::span<const Visit> distribute(const InputBlocks& input, std::span<const Room> rooms,
                                    std::uint32_t wanted);
  // k of the last distribution.
  std::uint64_t blocks_at_first() const { return k_; }
  // What distribute() returned is not placed: no block is covered.
  void forget();

 private:
  // A node that holds a block.
  struct Holder {
    NodeId node;
    std::uint32_t begin = 0;  // of its blocks in blocks_
    std::uint32_t end = 0;
    std::uint32_t uncovered = 0;
    std::uint32_t next = 0;  // no block before it is uncovered
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t holder_of(NodeId node) const {
    return node.index() < holder_of_.size() ? holder_of_[node.index()] : none;
  }
  void begin(std::span<const Room> rooms);
  void visit(const InputBlocks& input, Visit& visit);
  void visit_in_order(const InputBlocks& input);
  void visit_densest_first(const InputBlocks& input);
  void give_rest(const InputBlocks& input);
  // `units` were given to the node in addition to the `before` of all nodes.
  void cover(const InputBlocks& input, NodeId node, std::uint32_t before, std::uint32_t units);
  void cover_blocks(const InputBlocks& input, Holder& holder, std::uint64_t count);

  DensityOptions options_;
  std::vector<Holder> holders_;           // ascending by node
  std::vector<std::uint32_t> holder_of_;  // by node
  std::vector<std::uint32_t> blocks_;     // holder after holder, ascending
  std::vector<std::uint8_t> is_covered_;  // by block
  std::uint32_t held_ = 0;                // blocks that some node holds
  std::uint32_t uncovered_ = 0;           // of them

  // ---- while units are distributed ----
  std::vector<Visit> visits_;
  std::uint64_t k_ = 0;
  std::uint32_t wanted_ = 0;
  std::uint32_t given_ = 0;
};

}  // namespace tracebed
