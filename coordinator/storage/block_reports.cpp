#include "coordinator/storage/block_reports.h"

#include <algorithm>

#include "coordinator/storage/block_lifecycle.h"
#include "coordinator/storage/file_lookup.h"

namespace tracebed {
namespace {

std::size_t finalized_replicas(const Block& block) {
  return static_cast<std::size_t>(
      std::count_if(block.replicas.begin(), block.replicas.end(),
                    [](const auto& replica) { return replica.state == ReplicaState::finalized; }));
}

void store_replica(NamenodeState& state, BlockIndex block, NodeId node, TraceTime now) {
  const bool counts_safe = state.safe_mode.is_at_startup();
  const std::size_t before = counts_safe ? finalized_replicas(state.blocks.block(block)) : 0;
  state.manager.replica_stored(block, node, now);
  const Block& stored = state.blocks.block(block);
  if (counts_safe && stored.file.is_valid() && before + 1 == state.options.replication_min &&
      finalized_replicas(stored) == state.options.replication_min) {
    ++state.safe_blocks;
  }
  if (stored.state == BlockState::committed) complete_if_replicated(state, block, now);
}

bool is_alive(const NamenodeState& state, NodeId node) {
  const Datanode* datanode = state.datanodes.find(node);
  return datanode != nullptr && datanode->is_alive;
}

void mark_corrupt(NamenodeState& state, BlockIndex block, NodeId node, TraceTime now) {
  state.manager.replica_corrupt(block, node, now);
  if (state.safe_mode.is_at_startup()) recount_safe_blocks(state);
}

// Ascending by id, each once: of several the last.
void put_in_order(std::vector<ReportedReplica>& replicas) {
  const auto is_before = [](const ReportedReplica& a, const ReportedReplica& b) {
    return a.block_id < b.block_id;
  };
  const bool is_in_order =
      std::adjacent_find(replicas.begin(), replicas.end(), [&](const auto& a, const auto& b) {
        return !is_before(a, b);
      }) == replicas.end();
  if (is_in_order) return;
  std::stable_sort(replicas.begin(), replicas.end(), is_before);
  const auto kept =
      std::unique(replicas.rbegin(), replicas.rend(), [](const auto& a, const auto& b) {
        return a.block_id == b.block_id;
      }).base();
  replicas.erase(replicas.begin(), kept);
}

}  // namespace

void recount_safe_blocks(NamenodeState& state) {
  state.safe_blocks = 0;
  for (std::size_t i = 0; i < state.blocks.size(); ++i) {
    const Block& block = state.blocks.block(BlockIndex(i));
    const bool is_safe = block.file.is_valid() && block.has_final_length() &&
                         finalized_replicas(block) >= state.options.replication_min;
    state.safe_blocks += is_safe ? 1 : 0;
  }
}

void update_safe_mode(NamenodeState& state, TraceTime now) {
  if (state.safe_mode.update(state.safe_progress(), now)) state.manager.set_reviewing(true, now);
}

ReportReply full_report(NamenodeState& state, NodeId node, std::vector<ReportedReplica> replicas,
                        TraceTime now) {
  if (!is_alive(state, node)) return {.must_register = true, .unknown = {}};
  put_in_order(replicas);
  const ReportDifference difference = state.blocks.compare(node, replicas);
  ReportReply reply;
  for (const ReportedReplica& replica : difference.under_construction) {
    state.constructions.put_replica(*state.blocks.find(replica.block_id), node, replica);
  }
  for (const BlockIndex block : difference.added) store_replica(state, block, node, now);
  for (const BlockIndex block : difference.removed) state.manager.replica_missing(block, node, now);
  for (const BlockIndex block : difference.corrupt) state.manager.replica_corrupt(block, node, now);
  for (const std::uint64_t id : difference.deleted) {
    if (const auto block = state.blocks.find(id)) {
      state.manager.queue_deletion(*block, node);
    } else {
      reply.unknown.push_back(id);
    }
  }
  const bool has_fewer = !difference.removed.empty() || !difference.corrupt.empty();
  if (state.safe_mode.is_at_startup() && has_fewer) recount_safe_blocks(state);
  return reply;
}

ReportReply incremental_report(NamenodeState& state, NodeId node,
                               const std::vector<ReplicaChange>& changes, TraceTime now) {
  if (!is_alive(state, node)) return {.must_register = true, .unknown = {}};
  ReportReply reply;
  for (const auto& [replica, is_deleted] : changes) {
    const auto block = state.blocks.find(replica.block_id);
    if (is_deleted) {
      if (block) state.manager.replica_missing(*block, node, now);
      continue;
    }
    switch (state.blocks.judge(replica)) {
      case ReplicaVerdict::unknown:
        reply.unknown.push_back(replica.block_id);
        break;
      case ReplicaVerdict::freed:
        state.manager.queue_deletion(*block, node);
        break;
      case ReplicaVerdict::corrupt:
        mark_corrupt(state, *block, node, now);
        break;
      case ReplicaVerdict::under_construction:
        state.constructions.put_replica(*block, node, replica);
        break;
      case ReplicaVerdict::good:
        store_replica(state, *block, node, now);
        break;
      case ReplicaVerdict::late:
        break;
    }
  }
  return reply;
}

StorageReply report_bad_blocks(NamenodeState& state, const ReportBadBlocks& call, TraceTime now) {
  std::size_t items = call.blocks.size();
  for (const auto& replicas : call.blocks) items += replicas.nodes.size();
  if (auto status = check_list(state, items); !status) return status.error();
  for (const auto& [name, nodes] : call.blocks) {
    const auto index = state.blocks.find(name.id);
    // Of a block that is written, the pipeline takes care; of another stamp, it was replaced since.
    const bool is_of_stored = index && state.blocks.block(*index).has_final_length() &&
                              state.blocks.block(*index).generation_stamp == name.generation_stamp;
    if (!is_of_stored) continue;
    for (const NodeId node : nodes) {
      const auto& replicas = state.blocks.block(*index).replicas;
      const bool has_it = std::any_of(replicas.begin(), replicas.end(),
                                      [&](const auto& replica) { return replica.node == node; });
      if (has_it) mark_corrupt(state, *index, node, now);
    }
  }
  return Done{};
}

}  // namespace tracebed
