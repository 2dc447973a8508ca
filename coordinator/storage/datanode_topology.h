// Datanodes by rack, for choosing among many at random in time that does not grow with their number
// (org.apache.hadoop.net.NetworkTopology).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/ids.h"
#include "core/random.h"

namespace tracebed {

class DatanodeTopology {
 public:
  // Which racks a choice is among.
  struct Scope {
    enum class Kind : std::uint8_t { any, within, outside };
    Kind kind = Kind::any;
    RackId rack;  // of the other two kinds

    static Scope any() { return {}; }
    static Scope within(RackId rack) { return {Kind::within, rack}; }
    static Scope outside(RackId rack) { return {Kind::outside, rack}; }
  };

  // A node that moves to another rack leaves the old one.
  void add(NodeId node, RackId rack);
  // Of one that was not added, nothing.
  void remove(NodeId node);

  std::size_t nodes() const { return members_.size(); }
  std::size_t racks() const { return racks_; }  // that have nodes
  // Invalid for a node that was not added.
  RackId rack_of(NodeId node) const;

  // Each of the nodes in the scope that are not excluded with the same chance; none if there is no
  // such node. `excluded` is ascending.
  std::optional<NodeId> choose(const Scope& scope, const std::vector<NodeId>& excluded,
                               Random& random) const;

 private:
  struct Member {
    RackId rack;
    NodeId node;
    auto operator<=>(const Member&) const = default;
  };
  std::pair<std::size_t, std::size_t> positions_of(RackId rack) const;
  std::size_t position_of(NodeId node) const;

  std::vector<Member> members_;  // ascending, so that a rack's are adjacent
  std::vector<RackId> rack_of_;  // by node
  std::size_t racks_ = 0;
};

}  // namespace tracebed
