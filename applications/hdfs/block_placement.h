// Where the replicas of an input file's blocks are in a run without storage of its own: HDFS'
// default placement (BlockPlacementPolicyDefault) for a writer that is not itself a datanode. A
// pure function of the seed, the file and the block's index, so nothing has to be stored and every
// job that reads a file finds it in the same places. (A namenode's placement,
// coordinator/storage/replica_placement.h, looks at its datanodes, draws again for each that is not
// good, and orders a pipeline.)
//
// The first replica is on a random node; the second on a node of another rack; the third on
// another node of the second's rack; further ones anywhere. No node has two replicas, and no rack
// more than (r − 1) / racks + 2 of r, or one less where that would be all of them and there are
// several racks. Where a rule leaves no node, the next wider one holds: another rack → any node; a
// given rack → any node.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "applications/hdfs/rack_topology.h"
#include "core/random.h"

namespace tracebed {

struct Replica {
  NodeId node;
  RackId rack;
  bool operator==(const Replica&) const = default;
};

class BlockPlacement {
 public:
  // `topology` outlives the placement. `file` names the file: same name, same places. The number of
  // replicas is `replication`, or the number of nodes if that is less.
  BlockPlacement(const RackTopology& topology, std::uint64_t seed, std::string_view file,
                 std::uint32_t replication);

  std::uint32_t replication() const { return replication_; }
  // Appends the block's replicas to `replicas`, in the order they were chosen.
  void append_replicas(std::uint64_t block, std::vector<Replica>& replicas);

 private:
  enum class Rack : std::uint8_t { any, only, other_than };
  // One more replica, on a rack as stated, or anywhere if there is none.
  void choose(Random& random, Rack which, RackId rack);
  bool try_choose(Random& random, Rack which, RackId rack);
  std::uint32_t chosen_in(RackId rack) const;

  const RackTopology& topology_;
  std::uint64_t base_;
  std::uint32_t replication_;
  std::uint32_t per_rack_max_;
  std::vector<Replica> chosen_;  // of the block at hand
  // Positions that may not be chosen: [first, second), ascending, apart.
  std::vector<std::pair<std::size_t, std::size_t>> barred_;
};

}  // namespace tracebed
