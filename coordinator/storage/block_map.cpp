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

bool is_of(const Block& block, const ReportedReplica& reported) {
  return reported.generation_stamp == block.generation_stamp &&
         (!block.is_complete || reported.length == block.length);
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
  TRACEBED_CHECK(!changed.is_complete || generation_stamp > changed.generation_stamp,
                 "a complete block changes only with a later generation stamp");
  TRACEBED_CHECK(generation_stamp >= changed.generation_stamp, "generation stamps ascend");
  changed.length = length;
  changed.generation_stamp = generation_stamp;
}

void BlockMap::complete(BlockIndex block) {
  change(block).is_complete = true;
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

ReportDifference BlockMap::compare(NodeId node, std::span<const ReportedReplica> reported) const {
  ReportDifference difference;
  const std::span<const BlockIndex> known = blocks_on(node);
  auto next = known.begin();
  const auto skip_to = [&](BlockIndex end) {
    for (; next != known.end() && *next < end; ++next) {
      const Block& missing = block(*next);
      const auto replica = replica_on(missing.replicas, node);
      if (replica->state != ReplicaState::being_written) difference.removed.push_back(*next);
    }
  };
  for (const ReportedReplica& replica : reported) {
    if (!replica.is_finalized) {
      // Neither new nor gone.
      if (const auto index = find(replica.block_id)) {
        skip_to(*index);
        if (next != known.end() && *next == *index) ++next;
      }
      continue;
    }
    const std::optional<BlockIndex> index = find(replica.block_id);
    if (!index) {
      difference.deleted.push_back(replica.block_id);
      continue;
    }
    skip_to(*index);
    const bool is_known = next != known.end() && *next == *index;
    const Block& stored = block(*index);
    const auto on_node = replica_on(stored.replicas, node);
    if (!stored.file.is_valid()) {
      difference.deleted.push_back(replica.block_id);
    } else if (!is_of(stored, replica)) {
      difference.corrupt.push_back(*index);
    } else if (!is_known || on_node->state == ReplicaState::being_written) {
      difference.added.push_back(*index);
    }
    if (is_known) ++next;
  }
  skip_to(BlockIndex());
  return difference;
}

}  // namespace tracebed
