#include "coordinator/storage/datanode_service.h"

#include <algorithm>

#include "coordinator/storage/block_lifecycle.h"
#include "coordinator/storage/block_reports.h"
#include "coordinator/storage/file_lookup.h"

namespace tracebed {
namespace {

// Stale ones are left out if more than one other is there
// (DatanodeManager.getLeaseRecoveryCommand).
RecoveryOrder recovery_order(const NamenodeState& state, BlockIndex block, TraceTime now) {
  const BlockConstruction& construction = *state.constructions.find(block);
  std::vector<NodeId> live;
  std::vector<NodeId> all;
  for (const auto& replica : construction.replicas) {
    const Datanode& datanode = *state.datanodes.find(replica.node);
    const Liveness liveness = state.datanodes.liveness(datanode, now);
    if (liveness != Liveness::dead) all.push_back(replica.node);
    if (liveness == Liveness::live) live.push_back(replica.node);
  }
  return {name_of(state, block), construction.recovery_stamp, live.size() > 1 ? live : all,
          construction.truncated_length};
}

std::vector<RecoveryOrder> take_recoveries(NamenodeState& state, NodeId node, TraceTime now) {
  std::vector<RecoveryOrder> orders;
  const auto found = state.recoveries.find(node);
  if (found == state.recoveries.end()) return orders;
  for (const BlockIndex block : found->second) {
    const bool is_wanted = state.blocks.block(block).file.is_valid() &&
                           state.blocks.block(block).state == BlockState::under_recovery;
    if (is_wanted) orders.push_back(recovery_order(state, block, now));
  }
  state.recoveries.erase(found);
  return orders;
}

std::vector<TransferOrder> take_transfers(NamenodeState& state, NodeId node) {
  std::vector<TransferOrder> orders;
  const auto found = state.transfers.find(node);
  if (found == state.transfers.end()) return orders;
  for (const TransferReplica& transfer : found->second) {
    const Block& block = state.blocks.block(transfer.block);
    // Its file may be gone, or be appended to, since the pass.
    if (block.file.is_valid() && block.is_complete()) {
      orders.push_back({name_of(state, transfer.block), transfer.targets});
    }
  }
  state.transfers.erase(found);
  return orders;
}

// DatanodeAdminDefaultMonitor.isSufficient.
bool has_enough_elsewhere(const NamenodeState& state, BlockIndex block) {
  const std::uint32_t live = state.manager.counts(block).live;
  const std::uint32_t expected = state.manager.expected(block);
  if (live >= expected) return true;
  const std::uint32_t usual = state.options.default_replication;
  return expected > usual && live >= usual;
}

}  // namespace

void register_datanode(NamenodeState& state, NodeId node, RackId rack, TraceTime now) {
  state.datanodes.register_datanode(node, rack, now);
  state.topology.add(node, rack);
}

HeartbeatReply heartbeat(NamenodeState& state, NodeId node, const DatanodeUsage& usage,
                         TraceTime now) {
  HeartbeatReply reply;
  if (!state.datanodes.heartbeat(node, usage, now)) {
    reply.must_register = true;
    return reply;
  }
  if (state.safe_mode.is_on()) return reply;
  reply.recoveries = take_recoveries(state, node, now);
  reply.transfers = take_transfers(state, node);
  for (const BlockIndex block : state.manager.take_deletions(node)) {
    reply.deletions.push_back({id_of(block), state.blocks.block(block).generation_stamp});
  }
  return reply;
}

std::vector<NodeId> datanodes_with_orders(const NamenodeState& state) {
  if (state.safe_mode.is_on()) return {};
  std::vector<NodeId> nodes = state.manager.nodes_with_deletions();
  for (const auto& [node, transfers] : state.transfers) nodes.push_back(node);
  for (const auto& [node, recoveries] : state.recoveries) nodes.push_back(node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

void lose_datanode(NamenodeState& state, NodeId node, TraceTime now) {
  const Datanode* datanode = state.datanodes.find(node);
  if (datanode == nullptr) return;
  state.datanodes.declare_dead(node);
  state.topology.remove(node);
  state.transfers.erase(node);
  state.recoveries.erase(node);
  state.manager.datanode_died(node, now);
  if (state.safe_mode.is_at_startup()) recount_safe_blocks(state);
}

void lose_silent_datanodes(NamenodeState& state, TraceTime now) {
  for (const NodeId node : state.datanodes.scan(now)) lose_datanode(state, node, now);
}

void plan_redundancy(NamenodeState& state, TraceTime now) {
  for (TransferReplica& transfer : state.manager.plan_transfers(now)) {
    state.transfers[transfer.source].push_back(std::move(transfer));
  }
}

StorageReply decommission(NamenodeState& state, NodeId node, TraceTime now) {
  const Datanode* datanode = state.datanodes.find(node);
  if (datanode == nullptr) {
    return storage_failure(StorageFailureKind::illegal_argument, "there is no such datanode");
  }
  if (datanode->admin_state != AdminState::normal) return Done{};
  const bool is_empty = !datanode->is_alive;
  state.datanodes.set_admin_state(
      node, is_empty ? AdminState::decommissioned : AdminState::decommission_in_progress);
  if (!is_empty) state.decommissioning.insert(node);
  state.manager.datanode_changed(node, now);
  return Done{};
}

StorageReply recommission(NamenodeState& state, NodeId node, TraceTime now) {
  if (state.datanodes.find(node) == nullptr) {
    return storage_failure(StorageFailureKind::illegal_argument, "there is no such datanode");
  }
  state.datanodes.set_admin_state(node, AdminState::normal);
  state.decommissioning.erase(node);
  state.manager.datanode_changed(node, now);
  return Done{};
}

void check_decommissions(NamenodeState& state) {
  std::erase_if(state.decommissioning, [&](NodeId node) {
    const auto blocks = state.blocks.blocks_on(node);
    const bool is_free = std::all_of(blocks.begin(), blocks.end(), [&](BlockIndex block) {
      return has_enough_elsewhere(state, block);
    });
    const auto& constructions = state.constructions.all();
    const bool is_written_to =
        std::any_of(constructions.begin(), constructions.end(), [&](const auto& entry) {
          const std::vector<NodeId> nodes = entry.second.nodes();
          return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
        });
    if (!is_free || is_written_to) return false;
    state.datanodes.set_admin_state(node, AdminState::decommissioned);
    return true;
  });
}

}  // namespace tracebed
