#include "applications/hdfs/rack_topology.h"

#include <algorithm>

namespace tracebed {

RackTopology::RackTopology(std::span<const Node> nodes) {
  std::size_t rack_ids = 0;
  for (const Node& node : nodes) rack_ids = std::max(rack_ids, node.rack.index() + 1);
  rack_begin_.assign(rack_ids + 1, 0);
  for (const Node& node : nodes) ++rack_begin_[node.rack.index() + 1];
  for (std::size_t rack = 0; rack < rack_ids; ++rack) {
    if (rack_begin_[rack + 1] > 0) ++racks_;
    rack_begin_[rack + 1] += rack_begin_[rack];
  }
  by_rack_.resize(nodes.size());
  rack_of_.resize(nodes.size());
  position_of_.resize(nodes.size());
  std::vector<std::uint32_t> next(rack_begin_.begin(), rack_begin_.end());
  for (const Node& node : nodes) {
    const std::uint32_t position = next[node.rack.index()]++;
    by_rack_[position] = node.id;
    rack_of_[node.id.index()] = node.rack;
    position_of_[node.id.index()] = position;
  }
}

}  // namespace tracebed
