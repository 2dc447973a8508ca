// The maps of a job that wait for a container, and which of them suits a container on a given node
// best: one whose input is on the node, then in its rack, then any; among equals the first.
//
// Kept small, since jobs have up to millions of maps: one bit per map, and per replica of its input
// four bytes each for the node's and the rack's list.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "applications/hdfs/block_placement.h"
#include "applications/parts/place_lists.h"
#include "core/application_master.h"
#include "core/cluster_model.h"
#include "core/outcomes.h"

namespace tracebed {

// The racks among `replicas`, each once, in the order of their first replica.
void append_racks(std::span<const Replica> replicas, std::vector<RackId>& racks);

class PendingMaps {
 public:
  struct Choice {
    std::uint32_t map = 0;
    Locality locality = Locality::none_asked;
  };

  // All `maps` are pending. `replicas` holds `replication` entries per map, in order of the maps;
  // replication 0: no map has a place. A map with fewer places has entries without a node after
  // those with one.
  PendingMaps(std::uint32_t maps, std::vector<Replica> replicas, std::uint32_t replication);

  std::uint32_t size() const { return pending_count_; }
  bool names_places() const { return replication_ > 0; }
  // The best map for a container on the node; a map must be pending.
  Choice best(NodeId node, RackId rack);
  // Takes it.
  Choice take(NodeId node, RackId rack);
  // Takes that map, which is pending.
  void take(std::uint32_t map);
  bool is_pending(std::uint32_t map) const { return ((bits_[map / 64] >> (map % 64)) & 1) != 0; }
  // The map waits again.
  void reopen(std::uint32_t map);

  // Whether holds(place) for a node, or a rack, that has input of some map, pending or not.
  template <class Holds>
  bool has_input_on(Holds&& holds) const {
    return by_node_.any(holds);
  }
  template <class Holds>
  bool has_input_in(Holds&& holds) const {
    return by_rack_.any(holds);
  }

  // Where the input of `map` is; empty if it has no places.
  std::span<const Replica> replicas(std::uint32_t map) const;
  // How near its input `map` would run.
  Locality locality(std::uint32_t map, NodeId node, RackId rack) const;

  // Adds the places of one map's input to an ask for it alone.
  void name_places(std::uint32_t map, SetAsk& ask) const;

  // What an ask for all pending maps states.
  std::vector<PlaceCount<NodeId>> node_counts() const;
  std::vector<PlaceCount<RackId>> rack_counts() const;

 private:
  std::vector<std::uint64_t> bits_;  // by map: waits
  std::uint32_t pending_count_ = 0;
  std::uint32_t first_word_ = 0;  // no word before it has a bit
  std::vector<Replica> replicas_;
  std::uint32_t replication_;
  PlaceLists<NodeId> by_node_;
  PlaceLists<RackId> by_rack_;
};

}  // namespace tracebed
