#include "coordinator/storage/block_map.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace tracebed {
namespace {

auto replica_on(auto& replicas, NodeId node) {
  return std::find_if(replicas.begin(), replicas.end(),
                      [&](const StoredReplica& replica) { return replica.node == node; });
}

}  // namespace

BlockIndex BlockMap::allocate(InodeId file, std::uint32_t generation_stamp) {
  const BlockIndex index(blocks_.size());
  Block& block = blocks_.emplace_back();
  block.file = file;
  block.generation_stamp = generation_stamp;
  return index;
}

std::optional<BlockIndex> BlockMap::find(std::uint64_t block_id) const {
  if (block_id < first_block_id || block_id - first_block_id >= blocks_.size()) {
    return std::nullopt;
  }
  return BlockIndex(static_cast<std::size_t>(block_id - first_block_id));
}

const Block& BlockMap::block(BlockIndex block) const {
  TRACEBED_CHECK(block.index() < blocks_.size(), "a block is looked up by an index of this map");
  return blocks_[block.index()];
}

Block& BlockMap::change(BlockIndex block) {
  return const_cast<Block&>(std::as_const(*this).block(block));
}

void BlockMap::set_length(BlockIndex block, std::int64_t length, std::uint32_t generation_stamp) {
  Block& changed = change(block);
  TRACEBED_CHECK(!changed.has_final_length() || generation_stamp > changed.generation_stamp,
                 "a finished block changes only with a later generation stamp");
  TRACEBED_CHECK(generation_stamp >= changed.generation_stamp, "generation stamps ascend");
  changed.length = length;
  changed.generation_stamp = generation_stamp;
}

void BlockMap::set_state(BlockIndex block, BlockState state) {
  change(block).state = state;
}

void BlockMap::set_file(BlockIndex block, InodeId file) {
  change(block).file = file;
}

void BlockMap::free(BlockIndex block) {
  change(block).file = {};
}

void BlockMap::put_replica(BlockIndex block, NodeId node, ReplicaState state) {
  std::vector<StoredReplica>& replicas = change(block).replicas;
  if (const auto known = replica_on(replicas, node); known != replicas.end()) {
    known->state = state;
    return;
  }
  replicas.push_back({node, state});
  if (node.index() >= on_nodes_.size()) on_nodes_.resize(node.index() + 1);
  std::vector<BlockIndex>& blocks = on_nodes_[node.index()];
  // Mostly the newest block, so that this appends.
  blocks.insert(std::upper_bound(blocks.begin(), blocks.end(), block), block);
}

bool BlockMap::remove_replica(BlockIndex block, NodeId node) {
  std::vector<StoredReplica>& replicas = change(block).replicas;
  const auto known = replica_on(replicas, node);
  if (known == replicas.end()) return false;
  replicas.erase(known);
  std::vector<BlockIndex>& blocks = on_nodes_[node.index()];
  blocks.erase(std::lower_bound(blocks.begin(), blocks.end(), block));
  return true;
}

std::span<const BlockIndex> BlockMap::blocks_on(NodeId node) const {
  if (node.index() >= on_nodes_.size()) return {};
  return on_nodes_[node.index()];
}

ReplicaVerdict BlockMap::judge(const ReportedReplica& reported) const {
  const std::optional<BlockIndex> index = find(reported.block_id);
  if (!index) return ReplicaVerdict::unknown;
  const Block& stored = block(*index);
  if (!stored.file.is_valid()) return ReplicaVerdict::freed;
  const bool is_of_this_stamp = reported.generation_stamp == stored.generation_stamp;
  if (reported.state != ReportedState::finalized) {
    if (!stored.is_complete()) return ReplicaVerdict::under_construction;
    const bool is_late = is_of_this_stamp && reported.state == ReportedState::being_written;
    return is_late ? ReplicaVerdict::late : ReplicaVerdict::corrupt;
  }
  if (stored.has_final_length()) {
    return is_of_this_stamp && reported.length == stored.length ? ReplicaVerdict::good
                                                                : ReplicaVerdict::corrupt;
  }
  const bool is_old = stored.state == BlockState::under_construction &&
                      reported.generation_stamp < stored.generation_stamp;
  return is_old ? ReplicaVerdict::corrupt : ReplicaVerdict::under_construction;
}

ReportDifference BlockMap::compare(NodeId node, std::span<const ReportedReplica> reported) const {
  ReportDifference difference;
  const std::span<const BlockIndex> known = blocks_on(node);
  auto next = known.begin();
  const auto skip_to = [&](BlockIndex end) {
    while (next != known.end() && *next < end) difference.removed.push_back(*next++);
  };
  for (const ReportedReplica& replica : reported) {
    const std::optional<BlockIndex> index = find(replica.block_id);
    if (index) skip_to(*index);
    const bool is_known = index && next != known.end() && *next == *index;
    switch (judge(replica)) {
      case ReplicaVerdict::unknown:
      case ReplicaVerdict::freed:
        difference.deleted.push_back(replica.block_id);
        break;
      case ReplicaVerdict::corrupt:
        difference.corrupt.push_back(*index);
        break;
      case ReplicaVerdict::under_construction:
        difference.under_construction.push_back(replica);
        break;
      case ReplicaVerdict::good:
        // One that a reader found corrupt does not become good by its length.
        if (!is_known) difference.added.push_back(*index);
        break;
      case ReplicaVerdict::late:
        break;
    }
    if (is_known) ++next;
  }
  skip_to(BlockIndex());
  return difference;
}

}  // namespace tracebed
