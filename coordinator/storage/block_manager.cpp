#include "coordinator/storage/block_manager.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/check.h"

namespace tracebed {

BlockManager::BlockManager(BlockMap& blocks, const Datanodes& datanodes,
                           const DatanodeTopology& topology, const ReplicaPlacement& placement,
                           const PlacementOptions& placement_options,
                           const RedundancyOptions& options, std::uint64_t seed)
    : blocks_(blocks),
      datanodes_(datanodes),
      topology_(topology),
      placement_(placement),
      placement_options_(placement_options),
      options_(options),
      random_(Random::stream(seed, "re-replication")) {}

// ---- looking ----

std::uint32_t BlockManager::expected(BlockIndex block) const {
  return block.index() < expected_.size() ? expected_[block.index()] : 0;
}

bool BlockManager::is_excess(BlockIndex block, NodeId node) const {
  return excess_.contains({block, node});
}

ReplicaCounts BlockManager::counts(BlockIndex block) const {
  ReplicaCounts counts;
  for (const StoredReplica& replica : blocks_.block(block).replicas) {
    const Datanode* datanode = datanodes_.find(replica.node);
    if (replica.state == ReplicaState::corrupt) {
      ++counts.corrupt;
    } else if (!datanode->is_alive) {
      continue;
    } else if (is_excess(block, replica.node)) {
      ++counts.excess;
    } else if (datanode->is_in_service()) {
      ++counts.live;
    } else {
      ++counts.decommissioning;
    }
  }
  return counts;
}

bool BlockManager::counts_as_live(const StoredReplica& replica, BlockIndex block) const {
  return replica.state == ReplicaState::finalized && !is_excess(block, replica.node) &&
         datanodes_.find(replica.node)->is_in_service();
}

std::vector<NodeId> BlockManager::live_nodes(BlockIndex block) const {
  std::vector<NodeId> nodes;
  for (const StoredReplica& replica : blocks_.block(block).replicas) {
    if (counts_as_live(replica, block)) nodes.push_back(replica.node);
  }
  return nodes;
}

// Two, if there are two and the block is to have as many replicas (verifyBlockPlacement).
bool BlockManager::is_on_enough_racks(BlockIndex block) const {
  if (expected(block) < 2 || topology_.racks() < 2) return true;
  const std::vector<NodeId> nodes = live_nodes(block);
  return std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) {
    return topology_.rack_of(node) != topology_.rack_of(nodes.front());
  });
}

std::uint32_t BlockManager::pending_of(BlockIndex block) const {
  const auto found = pending_.find(block);
  return found == pending_.end() ? 0 : static_cast<std::uint32_t>(found->second.targets.size());
}

std::size_t BlockManager::deletions() const {
  std::size_t all = 0;
  for (const auto& [node, blocks] : deletions_) all += blocks.size();
  return all;
}

std::vector<NodeId> BlockManager::nodes_with_deletions() const {
  std::vector<NodeId> nodes;
  for (const auto& [node, blocks] : deletions_) {
    if (!blocks.empty()) nodes.push_back(node);
  }
  return nodes;
}

// ---- what happened ----

void BlockManager::expect(BlockIndex block, std::uint32_t replicas, TraceTime now,
                          const std::vector<NodeId>& coming) {
  if (block.index() >= expected_.size()) expected_.resize(block.index() + 1);
  expected_[block.index()] = static_cast<std::uint16_t>(replicas);
  if (!coming.empty()) {
    forget_transfer(block);
    pending_[block] = {NodeId(), coming, now};
  }
  review(block, now);
}

std::vector<NodeId> BlockManager::withdraw(BlockIndex block) {
  if (block.index() < expected_.size()) expected_[block.index()] = 0;
  queues_.remove(block);
  forget_transfer(block);
  std::vector<NodeId> nodes;
  const std::vector<StoredReplica> replicas = blocks_.block(block).replicas;
  for (const StoredReplica& replica : replicas) {
    if (replica.state == ReplicaState::corrupt) continue;
    excess_.erase({block, replica.node});
    cancel_deletion(block, replica.node);
    blocks_.remove_replica(block, replica.node);
    nodes.push_back(replica.node);
  }
  return nodes;
}

void BlockManager::set_reviewing(bool is_reviewing, TraceTime now) {
  is_reviewing_ = is_reviewing;
  if (!is_reviewing) return;
  for (std::size_t i = 0; i < expected_.size(); ++i) review(BlockIndex(i), now);
}

void BlockManager::replica_stored(BlockIndex block, NodeId node, TraceTime now) {
  if (!blocks_.block(block).file.is_valid()) return queue_deletion(block, node);
  // It replaces one that was to be deleted.
  if (!is_excess(block, node)) cancel_deletion(block, node);
  blocks_.put_replica(block, node, ReplicaState::finalized);
  end_transfer(block, node);
  review(block, now);
}

void BlockManager::replica_missing(BlockIndex block, NodeId node, TraceTime now) {
  excess_.erase({block, node});
  end_transfer(block, node);
  if (blocks_.remove_replica(block, node)) review(block, now);
}

void BlockManager::replica_corrupt(BlockIndex block, NodeId node, TraceTime now) {
  if (!blocks_.block(block).file.is_valid()) return;
  excess_.erase({block, node});
  blocks_.put_replica(block, node, ReplicaState::corrupt);
  review(block, now);
}

void BlockManager::datanode_died(NodeId node, TraceTime now) {
  const auto span = blocks_.blocks_on(node);
  const std::vector<BlockIndex> blocks(span.begin(), span.end());
  deletions_.erase(node);
  std::vector<BlockIndex> expecting;
  for (const auto& [block, pending] : pending_) {
    const auto& targets = pending.targets;
    if (std::find(targets.begin(), targets.end(), node) != targets.end()) {
      expecting.push_back(block);
    }
  }
  for (const BlockIndex block : blocks) {
    excess_.erase({block, node});
    blocks_.remove_replica(block, node);
  }
  for (const BlockIndex block : expecting) end_transfer(block, node);
  for (const BlockIndex block : blocks) review(block, now);
  for (const BlockIndex block : expecting) review(block, now);
}

void BlockManager::datanode_changed(NodeId node, TraceTime now) {
  const auto span = blocks_.blocks_on(node);
  const std::vector<BlockIndex> blocks(span.begin(), span.end());
  for (const BlockIndex block : blocks) review(block, now);
}

void BlockManager::release(BlockIndex block) {
  if (block.index() < expected_.size()) expected_[block.index()] = 0;
  blocks_.free(block);
  queues_.remove(block);
  forget_transfer(block);
  const std::vector<StoredReplica> replicas = blocks_.block(block).replicas;
  for (const StoredReplica& replica : replicas) {
    excess_.erase({block, replica.node});
    blocks_.remove_replica(block, replica.node);
    queue_deletion(block, replica.node);
  }
}

// ---- too few and too many ----

void BlockManager::review(BlockIndex block, TraceTime now) {
  const std::uint32_t wanted = expected(block);
  if (wanted == 0 || !is_reviewing_) return;
  const ReplicaCounts now_there = counts(block);
  // What is on its way may be on another rack. It is looked up only where it matters: there may be
  // a million.
  const auto is_enough_with_pending = [&] {
    const std::uint32_t pending = pending_of(block);
    return pending > 0 && now_there.live + pending >= wanted;
  };
  const bool is_complete = now_there.live >= wanted && is_on_enough_racks(block);
  if (is_complete || is_enough_with_pending()) {
    queues_.remove(block);
  } else {
    queues_.put(block, redundancy_priority(now_there, wanted));
  }
  if (now_there.live > wanted) mark_excess(block, now_there.live - wanted, now);
  const bool has_more_than_it_needs =
      now_there.live >= 1 && now_there.live + now_there.corrupt > wanted;
  if (now_there.corrupt > 0 && (now_there.live >= wanted || has_more_than_it_needs)) {
    delete_corrupt(block);
  }
}

NodeId BlockManager::excess_candidate(const std::vector<NodeId>& nodes, TraceTime now) const {
  // dfs.namenode.tolerate.heartbeat.multiplier
  constexpr int tolerated_heartbeats = 4;
  TraceTime oldest = now - tolerated_heartbeats * datanodes_.intervals().heartbeat;
  NodeId silent;
  NodeId fullest;
  for (const NodeId node : nodes) {
    const Datanode& datanode = *datanodes_.find(node);
    if (datanode.last_heartbeat < oldest) {
      oldest = datanode.last_heartbeat;
      silent = node;
    }
    const bool is_fuller =
        !fullest.is_valid() || datanode.usage.remaining < datanodes_.find(fullest)->usage.remaining;
    if (is_fuller) fullest = node;
  }
  return silent.is_valid() ? silent : fullest;
}

void BlockManager::mark_excess(BlockIndex block, std::uint32_t too_many, TraceTime now) {
  for (std::uint32_t i = 0; i < too_many; ++i) {
    std::vector<NodeId> nodes = live_nodes(block);
    const auto on_rack_of = [&](NodeId node) {
      return std::count_if(nodes.begin(), nodes.end(), [&](NodeId other) {
        return topology_.rack_of(other) == topology_.rack_of(node);
      });
    };
    std::vector<NodeId> shared;  // on a rack that keeps another replica
    std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(shared),
                 [&](NodeId node) { return on_rack_of(node) > 1; });
    std::set<RackId> racks;
    for (const NodeId node : nodes) racks.insert(topology_.rack_of(node));
    // Of two racks none is to be left without one (pickupReplicaSet).
    const bool keeps_racks = racks.size() == 2 && !shared.empty();
    const NodeId chosen = excess_candidate(keeps_racks ? shared : nodes, now);
    excess_.emplace(block, chosen);
    queue_deletion(block, chosen);
  }
}

void BlockManager::delete_corrupt(BlockIndex block) {
  const std::vector<StoredReplica> replicas = blocks_.block(block).replicas;
  for (const StoredReplica& replica : replicas) {
    if (replica.state != ReplicaState::corrupt) continue;
    blocks_.remove_replica(block, replica.node);
    queue_deletion(block, replica.node);
  }
}

void BlockManager::queue_deletion(BlockIndex block, NodeId node) {
  const Datanode* datanode = datanodes_.find(node);
  if (datanode != nullptr && datanode->is_alive) deletions_[node].insert(block);
}

void BlockManager::cancel_deletion(BlockIndex block, NodeId node) {
  const auto found = deletions_.find(node);
  if (found != deletions_.end()) found->second.erase(block);
}

std::vector<BlockIndex> BlockManager::take_deletions(NodeId node) {
  std::vector<BlockIndex> taken;
  const auto found = deletions_.find(node);
  if (found == deletions_.end()) return taken;
  std::set<BlockIndex>& blocks = found->second;
  while (!blocks.empty() && taken.size() < options_.deletions_max) {
    taken.push_back(*blocks.begin());
    blocks.erase(blocks.begin());
  }
  if (blocks.empty()) deletions_.erase(found);
  return taken;
}

}  // namespace tracebed
