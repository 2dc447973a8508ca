// The blocks of an open file and their pipelines (FSDirWriteFileOp.analyzeFileState,
// storeAllocatedBlock, abandonBlock; FSNamesystem.bumpBlockGenerationStamp, updatePipeline).
#pragma once

#include "coordinator/storage/namenode_state.h"
#include "core/storage_reply.h"

namespace tracebed {

// The block before is committed. A call that is repeated with the same previous block gets the
// block that it got the first time.
StorageReply add_block(NamenodeState& state, const StorageCaller& caller, const AddBlock& call,
                       TraceTime now);
StorageReply abandon_block(NamenodeState& state, const StorageCaller& caller,
                           const AbandonBlock& call);
StorageReply update_block_for_pipeline(NamenodeState& state, const StorageCaller& caller,
                                       const UpdateBlockForPipeline& call);
StorageReply update_pipeline(NamenodeState& state, const StorageCaller& caller,
                             const UpdatePipeline& call);

// The block, if it is the last one of a file that the caller writes (checkUCBlock).
StorageResult<BlockIndex> written_block(const NamenodeState& state, const StorageCaller& caller,
                                        const BlockName& name);

}  // namespace tracebed
