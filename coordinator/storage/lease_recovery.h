// What becomes of a file whose writer has gone (FSNamesystem.recoverLeaseInternal,
// internalReleaseLease, commitBlockSynchronization; LeaseManager.checkLeases).
#pragma once

#include <string>
#include <string_view>

#include "coordinator/storage/namenode_state.h"
#include "core/storage_reply.h"

namespace tracebed {

// Holds the leases of files whose writers passed the hard limit.
inline constexpr std::string_view namenode_lease_holder = "HDFS_NameNode";

struct LeaseRequest {
  InodeId file;
  std::string path;
  std::string_view operation;  // as messages name it: "CREATE_FILE", …
  bool is_forced = false;      // by recoverLease: whether or not the writer is silent
};
// True if the file is closed now. It fails as long as another client writes it or its last block is
// recovered; without `is_forced` it never returns false.
StorageResult<bool> take_lease_over(NamenodeState& state, const StorageCaller& caller,
                                    const LeaseRequest& request, TraceTime now);

StorageReply recover_lease(NamenodeState& state, const StorageCaller& caller,
                           const RecoverLease& call, TraceTime now);
StorageReply commit_block_synchronization(NamenodeState& state,
                                          const CommitBlockSynchronization& call, TraceTime now);
// Those that have passed the hard limit.
void recover_expired_leases(NamenodeState& state, TraceTime now);

// A primary is chosen for the last block of the file; it gets the order with its heartbeat.
void begin_block_recovery(NamenodeState& state, BlockIndex block, TraceTime now);
// All its blocks are complete.
void close_file(NamenodeState& state, InodeId file, TraceTime now);

}  // namespace tracebed
