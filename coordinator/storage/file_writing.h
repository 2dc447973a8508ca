// Opening a file for writing and closing it (FSDirWriteFileOp.startFile, completeFile;
// FSDirAppendOp; FSNamesystem.fsync).
#pragma once

#include "coordinator/storage/namenode_state.h"
#include "core/storage_reply.h"

namespace tracebed {

StorageReply create_file(NamenodeState& state, const StorageCaller& caller, const CreateFile& call,
                         TraceTime now);
StorageReply append_file(NamenodeState& state, const StorageCaller& caller, const AppendFile& call,
                         TraceTime now);
// False until the last two blocks have enough replicas: the client asks again.
StorageReply complete_file(NamenodeState& state, const StorageCaller& caller,
                           const CompleteFile& call, TraceTime now);
StorageReply sync_file(NamenodeState& state, const StorageCaller& caller, const SyncFile& call);

// Makes a closed file the caller's, who has checked that.
StorageStatus open_for_writing(NamenodeState& state, const StorageCaller& caller, InodeId file,
                               TraceTime now);
// One more may be opened by the caller.
StorageStatus check_open_files(const NamenodeState& state, const StorageCaller& caller);

}  // namespace tracebed
