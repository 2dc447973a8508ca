// What must hold between the parts of a namenode after each input.
#include <algorithm>
#include <map>

#include "coordinator/storage/namenode.h"
#include "core/check.h"

namespace tracebed {
namespace {

void check_file(const NamenodeState& state, InodeId id, std::size_t& open_files) {
  const FileContents& file = state.tree.inode(id).file;
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const Block& block = state.blocks.block(file.blocks[i]);
    TRACEBED_CHECK(block.file == id, "a block of a file belongs to that file alone");
    const bool is_complete = block.is_complete();
    TRACEBED_CHECK(is_complete || file.is_under_construction(),
                   "all blocks of a closed file are complete");
    const bool is_last = i + 1 == file.blocks.size();
    const bool is_penultimate = i + 2 == file.blocks.size();
    TRACEBED_CHECK(
        is_complete || is_last || (is_penultimate && block.state == BlockState::committed),
        "only the last block is written, and only the one before may lack replicas");
    TRACEBED_CHECK(block.length >= 0 && block.length <= file.block_size,
                   "a block is not longer than the file's block size");
  }
  if (!file.is_under_construction()) return;
  ++open_files;
  const Leases::Lease* lease = state.leases.find(file.lease_holder);
  TRACEBED_CHECK(lease != nullptr && lease->files.contains(id),
                 "an open file is in the lease of its writer");
}

void check_block(const NamenodeState& state, BlockIndex index,
                 std::map<NodeId, std::int64_t>& scheduled) {
  const Block& block = state.blocks.block(index);
  const BlockConstruction* construction = state.constructions.find(index);
  if (!block.file.is_valid()) {
    TRACEBED_CHECK(construction == nullptr && block.replicas.empty(),
                   "nothing is kept of a block that was released");
    return;
  }
  const auto& blocks = state.tree.inode(block.file).file.blocks;
  TRACEBED_CHECK(std::find(blocks.begin(), blocks.end(), index) != blocks.end(),
                 "the file of a block has it");
  TRACEBED_CHECK((construction == nullptr) == block.is_complete(),
                 "a block is under construction until it is complete");
  TRACEBED_CHECK(block.is_complete() == (state.manager.expected(index) > 0),
                 "replicas of complete blocks are kept at their number, and of no others");
  TRACEBED_CHECK(block.generation_stamp <= state.last_stamp, "stamps were given by this namenode");
  for (const StoredReplica& replica : block.replicas) {
    TRACEBED_CHECK(state.datanodes.find(replica.node)->is_alive,
                   "no replica is on a datanode that is dead");
    const bool is_final = block.has_final_length() || replica.state == ReplicaState::corrupt;
    TRACEBED_CHECK(is_final, "a block that is written has no finalized replica");
    const auto on_node = state.blocks.blocks_on(replica.node);
    TRACEBED_CHECK(std::binary_search(on_node.begin(), on_node.end(), index),
                   "a replica is listed by its block and by its datanode");
  }
  if (construction == nullptr) return;
  for (const NodeId node : construction->scheduled)
    scheduled[node] += construction->scheduled_bytes;
}

}  // namespace

void Namenode::check_invariants() const {
  std::size_t open_files = 0;
  std::size_t blocks_of_files = 0;
  for (const InodeId id : state_.tree.all()) {
    const Inode& inode = state_.tree.inode(id);
    if (inode.is_directory) continue;
    blocks_of_files += inode.file.blocks.size();
    check_file(state_, id, open_files);
  }
  TRACEBED_CHECK(blocks_of_files == state_.live_blocks, "each block belongs to one file");
  std::size_t leased = 0;
  for (const auto& [holder, lease] : state_.leases.all()) leased += lease.files.size();
  TRACEBED_CHECK(leased == open_files, "no lease has a file that is not open");
  std::map<NodeId, std::int64_t> scheduled;
  for (std::size_t i = 0; i < state_.blocks.size(); ++i) {
    check_block(state_, BlockIndex(i), scheduled);
  }
  for (const Datanode& datanode : state_.datanodes.all()) {
    if (!datanode.node.is_valid()) continue;
    TRACEBED_CHECK(datanode.scheduled_bytes == scheduled[datanode.node],
                   "room is reserved for the blocks that are written, and no other");
    TRACEBED_CHECK(datanode.is_alive == state_.topology.rack_of(datanode.node).is_valid(),
                   "the topology has the datanodes that are alive");
  }
  TRACEBED_CHECK(state_.transfers.empty() ||
                     state_.datanodes.find(state_.transfers.rbegin()->first) != nullptr,
                 "transfers are ordered from datanodes that registered");
}

}  // namespace tracebed
