// From the allocation of a block until its file is gone (BlockManager.commitOrCompleteLastBlock,
// convertLastBlockToUnderConstruction, removeBlocksAndUpdateSafemodeTotal).
#pragma once

#include <vector>

#include "coordinator/storage/namenode_state.h"
#include "core/storage_call.h"

namespace tracebed {

BlockName name_of(const NamenodeState& state, BlockIndex block);

// A new last block of the file, to be written to these datanodes.
BlockIndex allocate_block(NamenodeState& state, InodeId file, const std::vector<NodeId>& nodes);
// A complete block is written again, by the datanodes that have it.
void reopen_block(NamenodeState& state, BlockIndex block);

// Its length is final: replicas of another stamp or length are wrong. It is complete if enough
// datanodes have reported theirs. Succeeds for a block that is committed already.
StorageStatus commit_block(NamenodeState& state, BlockIndex block, const BlockName& reported,
                           TraceTime now);
// A committed block that has enough replicas is complete. False if it is not.
bool complete_if_replicated(NamenodeState& state, BlockIndex block, TraceTime now);

// The file is without its last block, which was not complete.
void remove_last_block(NamenodeState& state, InodeId file);
void release_block(NamenodeState& state, BlockIndex block);
// Of files that were removed: their blocks and leases.
void release_contents(NamenodeState& state, const FreedContents& freed);

}  // namespace tracebed
