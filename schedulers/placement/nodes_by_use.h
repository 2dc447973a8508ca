// The alive nodes in the order of how much of them is used with a unit placed there: least first,
// most first, or in that of their ids.
//
// How used a node is: `sum` adds the used shares of all dimensions and the unit's own, which for
// vcores and memory is Swarm's weight (scheduler/strategy/weighted_node.go); `dominant` takes the
// largest used share, before the unit. Then, containers count: the fewest first with the least
// used, the most with the most used. Ties go to the smaller id.
//
// Shares are counted in units of 2^-60, each rounded down: `dominant` is then exact for capacities
// up to 2^30, `sum` right to 2^-56.
//
// Deviations, each on purpose:
// - [spread-percent] Swarm rounds shares to whole percents.
// - [spread-no-demand] Where a unit demands nothing of a dimension
//   Swarm counts no use of that, here what is used of it counts as
//   ever.
//
// A unit's share differs with the size of a node, so nodes of each size have an order of their own,
// which the demand does not change, and a search compares the first of each: its cost grows with
// the number of sizes, not with that of nodes (ranked_nodes.h).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/cluster_model.h"
#include "schedulers/parts/free_table.h"
#include "schedulers/parts/ranked_nodes.h"
#include "schedulers/placement/used_share.h"

namespace tracebed {

enum class UsedShare : std::uint8_t { sum, dominant };
enum class NodeOrder : std::uint8_t { least_used, most_used, by_id };

class NodesByUse {
 public:
  NodesByUse(NodeOrder order, UsedShare share) : order_(order), share_(share) {}

  // The node's use changed, or it became alive.
  void update(const Node& node, const Resources& free, std::uint32_t containers);
  void remove(NodeId node);
  bool contains(NodeId node) const;
  // The smaller comes first. The node is contained, and has room for the demand.
  NodeRank rank(NodeId node, const Resources& demand) const;

  // The first node with room for the demand that `will_do`; none if there is none.
  template <class Predicate>
  NodeId first(const Resources& demand, Predicate&& will_do) {
    restart();
    return next(demand, will_do);
  }
  // Calls visit(node) for all nodes with room until it returns true, in order within each size of
  // node. `visit` must not change any node.
  template <class Visitor>
  NodeId find(const Resources& demand, Visitor&& visit) {
    for (SizedNodes& sized : sizes_) {
      const NodeId found = sized.nodes.find(demand, NodeRank(), visit);
      if (found.is_valid()) return found;
    }
    return NodeId();
  }

  // Stops the run unless every node is at its place, with what is free on it.
  void verify(const FreeTable& free) const;

  // Searches for many units of one ask: each begins where the last one found nothing before. That
  // holds as long as room shrinks only, and as what is placed moves a node towards the end or
  // leaves it without room; otherwise restart().
  void restart() {
    for (SizedNodes& sized : sizes_) sized.from = NodeRank();
  }
  template <class Predicate>
  NodeId next(const Resources& demand, Predicate&& will_do) {
    NodeId best;
    NodeRank best_rank;
    for (SizedNodes& sized : sizes_) {
      const NodeId found = sized.nodes.find(demand, sized.from, will_do);
      if (!found.is_valid()) continue;
      sized.from = places_[found.index()].rank;
      const NodeRank rank = with_unit(sized.from, demand, sized.capacity);
      if (best.is_valid() && best_rank < rank) continue;
      best = found;
      best_rank = rank;
    }
    return best;
  }

 private:
  struct SizedNodes {
    Resources capacity;
    RankedNodes nodes;
    NodeRank from;  // of the searches for one ask
  };
  struct ComesBefore {
    bool operator()(const Resources& a, const Resources& b) const;
  };

  struct Place {
    static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
    std::uint32_t size = nowhere;  // an index in sizes_
    NodeRank rank;                 // without a unit
  };

  std::uint32_t size_of(const Resources& capacity);
  NodeRank rank_without_unit(const Node& node, const Resources& free,
                             std::uint32_t containers) const;
  NodeRank with_unit(NodeRank rank, const Resources& demand, const Resources& capacity) const;

  NodeOrder order_;
  UsedShare share_;
  std::vector<SizedNodes> sizes_;
  std::map<Resources, std::uint32_t, ComesBefore> size_by_capacity_;
  std::vector<Place> places_;  // by node
};

// Of what is used of a node, by the kind of share.
std::uint64_t used_share_of(UsedShare share, const Resources& used, const Resources& capacity);

}  // namespace tracebed
