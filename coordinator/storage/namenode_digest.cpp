// What two namenodes must have in common to answer alike.
#include "coordinator/storage/namenode.h"

namespace tracebed {
namespace {

void add_text(Digest& digest, std::string_view text) {
  digest.add(static_cast<std::uint64_t>(text.size()));
  for (const char byte : text) {
    digest.add(static_cast<std::uint64_t>(static_cast<unsigned char>(byte)));
  }
}

void add_inode(Digest& digest, const NamenodeState& state, InodeId id) {
  const Inode& inode = state.tree.inode(id);
  digest.add(inode.file_id);
  digest.add(inode.parent);
  add_text(digest, inode.name);
  add_text(digest, state.owners.name(inode.owner));
  add_text(digest, state.groups.name(inode.group));
  digest.add(std::uint64_t{inode.permission});
  digest.add(inode.modified);
  digest.add(inode.accessed);
  if (inode.is_directory) return;
  digest.add(std::uint64_t{inode.file.replication});
  digest.add(inode.file.block_size);
  add_text(digest, inode.file.lease_holder);
  for (const BlockIndex block : inode.file.blocks) digest.add(block);
}

void add_block_state(Digest& digest, const NamenodeState& state, BlockIndex index) {
  const Block& block = state.blocks.block(index);
  digest.add(block.file);
  digest.add(std::uint64_t{block.generation_stamp});
  digest.add(static_cast<std::uint64_t>(block.state));
  digest.add(block.length);
  digest.add(std::uint64_t{state.manager.expected(index)});
  for (const StoredReplica& replica : block.replicas) {
    digest.add(replica.node);
    digest.add(static_cast<std::uint64_t>(replica.state));
    digest.add(std::uint64_t{state.manager.is_excess(index, replica.node)});
  }
  const BlockConstruction* construction = state.constructions.find(index);
  if (construction == nullptr) return;
  digest.add(std::uint64_t{construction->recovery_stamp});
  digest.add(construction->recovery_since);
  digest.add(construction->truncated_length.value_or(-1));
  for (const auto& replica : construction->replicas) {
    digest.add(replica.node);
    digest.add(std::uint64_t{replica.generation_stamp});
    digest.add(replica.length);
    digest.add(static_cast<std::uint64_t>(replica.state));
    digest.add(std::uint64_t{replica.was_primary});
  }
}

void add_datanode(Digest& digest, const Datanode& datanode) {
  digest.add(datanode.node);
  digest.add(datanode.rack);
  digest.add(datanode.usage.capacity);
  digest.add(datanode.usage.used);
  digest.add(datanode.usage.remaining);
  digest.add(std::uint64_t{datanode.usage.transfers});
  digest.add(static_cast<std::uint64_t>(datanode.admin_state));
  digest.add(std::uint64_t{datanode.is_alive});
  digest.add(datanode.last_heartbeat);
  digest.add(datanode.scheduled_bytes);
}

}  // namespace

Digest Namenode::digest() const {
  Digest digest;
  for (const InodeId id : state_.tree.all()) add_inode(digest, state_, id);
  for (std::size_t i = 0; i < state_.blocks.size(); ++i) {
    add_block_state(digest, state_, BlockIndex(i));
  }
  for (const Datanode& datanode : state_.datanodes.all()) add_datanode(digest, datanode);
  for (const auto& [holder, lease] : state_.leases.all()) {
    add_text(digest, holder);
    digest.add(lease.renewed);
    for (const InodeId file : lease.files) digest.add(file);
  }
  for (const auto& [node, transfers] : state_.transfers) {
    for (const TransferReplica& transfer : transfers) {
      digest.add(node);
      digest.add(transfer.block);
      for (const NodeId target : transfer.targets) digest.add(target);
    }
  }
  for (const auto& [node, blocks] : state_.recoveries) {
    for (const BlockIndex block : blocks) {
      digest.add(node);
      digest.add(block);
    }
  }
  digest.add(std::uint64_t{state_.last_stamp});
  digest.add(std::uint64_t{state_.safe_mode.is_on()});
  digest.add(static_cast<std::uint64_t>(state_.manager.queues().size()));
  digest.add(static_cast<std::uint64_t>(state_.manager.pending_transfers()));
  digest.add(static_cast<std::uint64_t>(state_.manager.deletions()));
  Random next_placement = state_.placement_random;
  digest.add(next_placement.next());
  return digest;
}

}  // namespace tracebed
