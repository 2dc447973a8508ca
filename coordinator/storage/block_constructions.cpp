#include "coordinator/storage/block_constructions.h"

#include <algorithm>

#include "core/check.h"

namespace tracebed {
namespace {

auto construction_replica_on(auto& replicas, NodeId node) {
  return std::find_if(replicas.begin(), replicas.end(),
                      [&](const auto& replica) { return replica.node == node; });
}

}  // namespace

std::vector<NodeId> BlockConstruction::nodes() const {
  std::vector<NodeId> nodes;
  for (const Replica& replica : replicas) nodes.push_back(replica.node);
  return nodes;
}

void BlockConstructions::unschedule(BlockConstruction& construction) {
  for (const NodeId node : construction.scheduled) {
    datanodes_.schedule(node, -construction.scheduled_bytes);
  }
  construction.scheduled.clear();
}

void BlockConstructions::set_nodes(BlockIndex block, const std::vector<NodeId>& nodes,
                                   std::uint32_t generation_stamp, std::int64_t bytes) {
  BlockConstruction& construction = constructions_[block];
  unschedule(construction);
  construction.replicas.clear();
  construction.scheduled_bytes = bytes;
  for (const NodeId node : nodes) {
    const auto& replicas = construction.replicas;
    if (datanodes_.find(node) == nullptr) continue;
    if (construction_replica_on(replicas, node) != replicas.end()) continue;
    construction.replicas.push_back({.node = node, .generation_stamp = generation_stamp});
    datanodes_.schedule(node, bytes);
    construction.scheduled.push_back(node);
  }
}

void BlockConstructions::put_replica(BlockIndex block, NodeId node,
                                     const ReportedReplica& reported) {
  auto& replicas = change(block).replicas;
  auto known = construction_replica_on(replicas, node);
  if (known == replicas.end()) {
    replicas.push_back({.node = node});
    known = replicas.end() - 1;
  }
  known->generation_stamp = reported.generation_stamp;
  known->length = reported.length;
  known->state = reported.state;
}

void BlockConstructions::remove_replica(BlockIndex block, NodeId node) {
  std::erase_if(change(block).replicas, [&](const auto& replica) { return replica.node == node; });
}

void BlockConstructions::end(BlockIndex block) {
  const auto found = constructions_.find(block);
  if (found == constructions_.end()) return;
  unschedule(found->second);
  constructions_.erase(found);
}

const BlockConstruction* BlockConstructions::find(BlockIndex block) const {
  const auto found = constructions_.find(block);
  return found == constructions_.end() ? nullptr : &found->second;
}

BlockConstruction& BlockConstructions::change(BlockIndex block) {
  const auto found = constructions_.find(block);
  TRACEBED_CHECK(found != constructions_.end(),
                 "a block that is not complete is under construction");
  return found->second;
}

NodeId BlockConstructions::begin_recovery(BlockIndex block, std::uint32_t recovery_stamp,
                                          TraceTime now) {
  BlockConstruction& construction = change(block);
  construction.recovery_stamp = recovery_stamp;
  construction.recovery_since = now;
  auto& replicas = construction.replicas;
  const auto is_alive = [&](const auto& replica) {
    return datanodes_.find(replica.node)->is_alive;
  };
  const bool were_all_primary =
      std::all_of(replicas.begin(), replicas.end(),
                  [&](const auto& each) { return !is_alive(each) || each.was_primary; });
  if (were_all_primary) {
    for (auto& replica : replicas) replica.was_primary = false;
  }
  auto primary = replicas.end();
  for (auto each = replicas.begin(); each != replicas.end(); ++each) {
    if (!is_alive(*each) || each->was_primary) continue;
    const bool is_later =
        primary == replicas.end() || datanodes_.find(each->node)->last_heartbeat >
                                         datanodes_.find(primary->node)->last_heartbeat;
    if (is_later) primary = each;
  }
  if (primary == replicas.end()) return {};
  primary->was_primary = true;
  return primary->node;
}

}  // namespace tracebed
