// Calls that change directories and files without writing (FSDirMkdirOp, FSDirRenameOp,
// FSDirDeleteOp, FSDirConcatOp, FSDirAttrOp). As with dfs.permissions.enabled = false: permissions
// and owners are kept and shown, and forbid nothing.
#pragma once

#include "coordinator/storage/namenode_state.h"
#include "core/storage_reply.h"

namespace tracebed {

StorageReply make_directories(NamenodeState& state, const StorageCaller& caller,
                              const MakeDirectories& call, TraceTime now);
StorageReply rename_into(NamenodeState& state, const RenameInto& call, TraceTime now);
StorageReply rename_to(NamenodeState& state, const RenameTo& call, TraceTime now);
StorageReply delete_path(NamenodeState& state, const DeletePath& call, TraceTime now);
// The sources' blocks follow the target's own; the sources are gone.
StorageReply concat_files(NamenodeState& state, const ConcatFiles& call, TraceTime now);

StorageReply set_replication(NamenodeState& state, const SetReplication& call, TraceTime now);
StorageReply set_permission(NamenodeState& state, const SetPermission& call);
StorageReply set_owner(NamenodeState& state, const SetOwner& call);
StorageReply set_times(NamenodeState& state, const SetTimes& call);

}  // namespace tracebed
