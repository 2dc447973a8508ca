// The partitions of the cluster: the nodes of one label, or of none (YARN's node labels). A node is
// in the partition of its first label. Partitions are numbered in the order of their first
// appearance; number 0 is the default partition, of nodes without a label.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cluster_model.h"

namespace tracebed {

using PartitionIndex = std::uint32_t;
inline constexpr PartitionIndex default_partition = 0;

class Partitions {
 public:
  Partitions() { index_of(""); }

  // Adds the partition if there is none of that label.
  PartitionIndex index_of(const std::string& label);
  const std::string& label(PartitionIndex partition) const { return parts_[partition].label; }
  std::size_t size() const { return parts_.size(); }

  // The node is alive; one that is counted already is counted again.
  void add(const Node& node);
  void remove(NodeId node);
  // Of a node that was added; one that was removed keeps it.
  PartitionIndex of(NodeId node) const { return places_[node.index()].partition; }

  // Sum over its nodes.
  const Resources& resources(PartitionIndex partition) const { return parts_[partition].resources; }
  std::uint32_t nodes(PartitionIndex partition) const { return parts_[partition].nodes; }
  std::uint32_t all_nodes() const { return all_nodes_; }
  const Resources& all_resources() const { return all_resources_; }

 private:
  struct Part {
    std::string label;
    Resources resources;
    std::uint32_t nodes = 0;
  };
  struct Place {
    PartitionIndex partition = default_partition;
    bool is_counted = false;
    Resources capacity;
  };

  std::vector<Part> parts_;
  std::vector<Place> places_;  // by node
  std::uint32_t all_nodes_ = 0;
  Resources all_resources_;
};

}  // namespace tracebed
