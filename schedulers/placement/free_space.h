// The alive nodes as points of what is free on them, to find the one that scores best for a demand.
// Of the parts of its own capacity that are free on a node (f) and demanded (t), with a weight (w)
// for each dimension:
//   dot_product   the largest Σ w t f
//   l2_norm       the least Σ w (f − t)²
// Ties go to the smaller id. Parts are counted in units of 2^-30, rounded down, and scores exactly.
//
// Nodes on which the same is free are one point. Points are in a k-d tree, whose cells halve one
// dimension after the other, one tree for each size of node. A search leaves out the cells where
// nothing can have room or score better. Its cost grows with the number of sizes and the depth of a
// tree, and with the number of points that nearly score best, not with that of nodes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "core/cluster_model.h"
#include "schedulers/parts/demand_census.h"
#include "schedulers/parts/free_table.h"

namespace tracebed {

enum class PackingScore : std::uint8_t { dot_product, l2_norm };
// By dimension, in thousandths.
using PackingWeights = std::array<std::int64_t, Resources::dimensions_max>;

constexpr PackingWeights equal_packing_weights() {
  PackingWeights weights{};
  weights.fill(1'000);
  return weights;
}

// The smaller is the better.
__extension__ using PackingLoss = __int128;

class FreeSpace {
 public:
  FreeSpace(PackingScore score, const PackingWeights& weights) : score_(score), weights_(weights) {}

  // What is free on the node changed, or it became alive.
  void update(const Node& node, const Resources& free);
  void remove(NodeId node);

  // Of a node that has been updated and not removed.
  PackingLoss loss(NodeId node, const Resources& demand) const;
  // The best node that `will_do`, which says whether it has room for the demand; none if there is
  // none. Nodes that plainly have no room are not asked about.
  template <class Predicate>
  NodeId best(const Resources& demand, Predicate&& will_do) const {
    Best best;
    for (const SizedSpace& sized : sizes_) {
      const Search search = search_for(sized, demand);
      visit(search, sized.root, 0, whole_box(), best, will_do);
    }
    return best.node;
  }

  // Stops the run unless every node is at its point, with what is free on it.
  void verify(const FreeTable& free) const;

 private:
  static constexpr int bits = 31;  // all of a capacity is 2^30
  static constexpr std::size_t points_max = 8;

  using Parts = std::array<std::uint32_t, Resources::dimensions_max>;
  struct Point {
    Resources free;
    Parts parts{};
    std::set<NodeId> nodes;
  };
  struct Cell {
    std::vector<Point> points;  // of a leaf
    std::unique_ptr<Cell> low;  // null in a leaf, as is `high`
    std::unique_ptr<Cell> high;
  };
  struct SizedSpace {
    Resources capacity;
    std::vector<std::size_t> dimensions;  // of which it has something
    Cell root;
  };
  struct Box {
    Parts low{};
    Parts high{};  // inclusive
  };
  struct Search {
    const SizedSpace& sized;
    Parts parts{};  // of the demand
  };
  struct Best {
    NodeId node;
    PackingLoss loss = 0;
    bool is_beaten_by(PackingLoss other, NodeId by) const {
      return !node.is_valid() || other < loss || (other == loss && by < node);
    }
  };
  struct Place {
    static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
    std::uint32_t size = nowhere;  // an index in sizes_
    Resources free;
  };

  static Parts parts_of(const Resources& amount, const SizedSpace& sized);
  static Box whole_box();
  // The dimension that cells of this depth halve, and the bit that tells the halves apart.
  static std::size_t dimension_at(const SizedSpace& sized, std::size_t depth) {
    return sized.dimensions[depth % sized.dimensions.size()];
  }
  static std::uint32_t bit_at(const SizedSpace& sized, std::size_t depth) {
    return std::uint32_t{1} << (bits - 1 - static_cast<int>(depth / sized.dimensions.size()));
  }
  static bool can_be_split(const SizedSpace& sized, std::size_t depth) {
    return depth < sized.dimensions.size() * bits;
  }
  static Box half(const SizedSpace& sized, std::size_t depth, Box box, bool is_high) {
    const std::size_t d = dimension_at(sized, depth);
    if (is_high) {
      box.low[d] |= bit_at(sized, depth);
    } else {
      box.high[d] &= ~bit_at(sized, depth);
    }
    return box;
  }

  static Search search_for(const SizedSpace& sized, const Resources& demand) {
    return {sized, parts_of(demand, sized)};
  }
  PackingLoss loss_at(const Search& search, const Parts& free) const;
  // True if nobody who has so much free, or less, has room.
  static bool is_too_small(const Search& search, const Parts& free);
  // What no point with room in the box is below.
  PackingLoss least_loss(const Search& search, const Box& box) const;

  template <class Predicate>
  void visit(const Search& search, const Cell& cell, std::size_t depth, const Box& box, Best& best,
             Predicate& will_do) const {
    if (is_too_small(search, box.high)) return;
    if (best.node.is_valid() && least_loss(search, box) > best.loss) return;
    if (cell.low == nullptr) {
      for (const Point& point : cell.points) look_at(search, point, best, will_do);
      return;
    }
    // Where the better points are likely to be comes first.
    const bool is_high_first = score_ == PackingScore::dot_product;
    for (const bool is_high : {is_high_first, !is_high_first}) {
      visit(search, is_high ? *cell.high : *cell.low, depth + 1,
            half(search.sized, depth, box, is_high), best, will_do);
    }
  }
  template <class Predicate>
  void look_at(const Search& search, const Point& point, Best& best, Predicate& will_do) const {
    if (is_too_small(search, point.parts)) return;
    const PackingLoss loss = loss_at(search, point.parts);
    for (const NodeId node : point.nodes) {
      if (!best.is_beaten_by(loss, node)) return;
      if (!will_do(node)) continue;
      best = {node, loss};
      return;
    }
  }

  std::uint32_t size_of(const Resources& capacity);
  static void insert(SizedSpace& sized, NodeId node, const Resources& free);
  static void erase(SizedSpace& sized, NodeId node, const Resources& free);
  static void split(const SizedSpace& sized, Cell& cell, std::size_t depth);
  static std::size_t verify_cell(const SizedSpace& sized, const Cell& cell, std::size_t depth,
                                 const Box& box, const FreeTable& free);

  PackingScore score_;
  PackingWeights weights_;
  std::vector<SizedSpace> sizes_;
  std::map<Resources, std::uint32_t, DemandOrder> size_by_capacity_;
  std::vector<Place> places_;  // by node
};

}  // namespace tracebed
