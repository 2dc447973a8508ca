#include "schedulers/yarn/capacity/partitions.h"

namespace tracebed {

PartitionIndex Partitions::index_of(const std::string& label) {
  for (PartitionIndex i = 0; i < parts_.size(); ++i) {
    if (parts_[i].label == label) return i;
  }
  parts_.push_back({label, {}, 0});
  return static_cast<PartitionIndex>(parts_.size() - 1);
}

void Partitions::add(const Node& node) {
  remove(node.id);
  if (node.id.index() >= places_.size()) places_.resize(node.id.index() + 1);
  Place& place = places_[node.id.index()];
  place = {node.labels.empty() ? default_partition : index_of(node.labels.front()), true,
           node.capacity};
  Part& part = parts_[place.partition];
  part.resources += node.capacity;
  ++part.nodes;
  all_resources_ += node.capacity;
  ++all_nodes_;
}

void Partitions::remove(NodeId node) {
  if (node.index() >= places_.size() || !places_[node.index()].is_counted) return;
  Place& place = places_[node.index()];
  place.is_counted = false;
  Part& part = parts_[place.partition];
  part.resources -= place.capacity;
  --part.nodes;
  all_resources_ -= place.capacity;
  --all_nodes_;
}

}  // namespace tracebed
