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
    } else if (replica.state == ReplicaState::being_written || !datanode->is_alive) {
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

// ---- what happened ----

void BlockManager::expect(BlockIndex block, std::uint32_t replicas, TraceTime now) {
  if (block.index() >= expected_.size()) expected_.resize(block.index() + 1);
  expected_[block.index()] = replicas;
  review(block, now);
}

void BlockManager::replica_stored(BlockIndex block, NodeId node, TraceTime now) {
  if (!blocks_.block(block).file.is_valid()) return queue_deletion(block, node);
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
  if (const auto pending = pending_.find(block); pending != pending_.end()) {
    --streams_[pending->second.source];
    pending_.erase(pending);
  }
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
  if (wanted == 0) return;
  const ReplicaCounts now_there = counts(block);
  const std::uint32_t pending = pending_of(block);
  const bool is_enough =
      now_there.live + pending >= wanted && (pending > 0 || is_on_enough_racks(block));
  if (is_enough) {
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

// ---- transfers ----

void BlockManager::end_transfer(BlockIndex block, NodeId target) {
  const auto pending = pending_.find(block);
  if (pending == pending_.end()) return;
  std::erase(pending->second.targets, target);
  if (!pending->second.targets.empty()) return;
  --streams_[pending->second.source];
  pending_.erase(pending);
}

void BlockManager::retry_late_transfers(TraceTime now) {
  std::vector<BlockIndex> late;
  for (const auto& [block, pending] : pending_) {
    if (now - pending.since > options_.transfer_timeout) late.push_back(block);
  }
  for (const BlockIndex block : late) {
    --streams_[pending_.at(block).source];
    pending_.erase(block);
    review(block, now);
  }
}

NodeId BlockManager::source_of(BlockIndex block, RedundancyPriority priority) {
  NodeId source;
  for (const StoredReplica& replica : blocks_.block(block).replicas) {
    const Datanode& datanode = *datanodes_.find(replica.node);
    const bool is_usable = replica.state == ReplicaState::finalized && datanode.is_alive &&
                           !is_excess(block, replica.node) &&
                           datanode.admin_state != AdminState::decommissioned;
    if (!is_usable) continue;
    const auto busy = streams_.find(replica.node);
    const std::uint32_t streams = busy == streams_.end() ? 0 : busy->second;
    // One that leaves service does nothing else.
    const bool is_urgent = priority == RedundancyPriority::highest ||
                           datanode.admin_state == AdminState::decommission_in_progress;
    if (streams >= (is_urgent ? options_.streams_hard_max : options_.streams_max)) continue;
    if (!source.is_valid() || random_.chance(0.5)) source = replica.node;
  }
  return source;
}

std::optional<TransferReplica> BlockManager::plan(BlockIndex block, TraceTime now) {
  const auto priority = queues_.priority_of(block);
  if (!priority || pending_.contains(block)) return std::nullopt;
  const NodeId source = source_of(block, *priority);
  if (!source.is_valid()) return std::nullopt;
  const std::uint32_t live = counts(block).live;
  const std::uint32_t wanted = expected(block);
  ReplicaRequest request{.writer = source, .existing = live_nodes(block)};
  request.count = live < wanted ? wanted - live : 1;  // enough, but on one rack
  request.bytes = blocks_.block(block).length;
  for (const StoredReplica& replica : blocks_.block(block).replicas) {
    request.excluded.push_back(replica.node);
  }
  const std::vector<NodeId> targets =
      placement_.choose({topology_, datanodes_, placement_options_, now}, request, random_);
  if (targets.empty()) return std::nullopt;
  const bool brings_a_rack = std::any_of(targets.begin(), targets.end(), [&](NodeId target) {
    return topology_.rack_of(target) != topology_.rack_of(source);
  });
  if (live >= wanted && !brings_a_rack) return std::nullopt;
  ++streams_[source];
  pending_[block] = {source, targets, now};
  review(block, now);
  return TransferReplica{source, block, targets};
}

std::vector<TransferReplica> BlockManager::plan_transfers(TraceTime now) {
  retry_late_transfers(now);
  std::vector<TransferReplica> transfers;
  for (const BlockIndex block : queues_.choose(options_.work_multiplier * datanodes_.live())) {
    if (auto transfer = plan(block, now)) transfers.push_back(std::move(*transfer));
  }
  return transfers;
}

}  // namespace tracebed
