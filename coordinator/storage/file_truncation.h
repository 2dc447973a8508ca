// Cutting a file off (FSDirTruncateOp): whole blocks are removed at once; a block that is cut is
// recovered to its new length by its datanodes, and the file is open until then.
#pragma once

#include "coordinator/storage/namenode_state.h"
#include "core/storage_reply.h"

namespace tracebed {

// True if the file is closed already.
StorageReply truncate_file(NamenodeState& state, const StorageCaller& caller,
                           const TruncateFile& call, TraceTime now);

}  // namespace tracebed
