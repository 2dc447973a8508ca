// Transfers of BlockManager: which replica is copied from where to where.
#include <algorithm>
#include <utility>

#include "coordinator/storage/block_manager.h"

namespace tracebed {

void BlockManager::end_transfer(BlockIndex block, NodeId target) {
  const auto pending = pending_.find(block);
  if (pending == pending_.end()) return;
  std::erase(pending->second.targets, target);
  if (pending->second.targets.empty()) forget_transfer(pending);
}

void BlockManager::forget_transfer(BlockIndex block) {
  const auto pending = pending_.find(block);
  if (pending != pending_.end()) forget_transfer(pending);
}

void BlockManager::forget_transfer(std::map<BlockIndex, Pending>::iterator pending) {
  if (pending->second.source.is_valid()) --streams_[pending->second.source];
  pending_.erase(pending);
}

void BlockManager::retry_late_transfers(TraceTime now) {
  std::vector<BlockIndex> late;
  for (const auto& [block, pending] : pending_) {
    if (now - pending.since > options_.transfer_timeout) late.push_back(block);
  }
  for (const BlockIndex block : late) {
    forget_transfer(block);
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
