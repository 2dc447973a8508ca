// What a datanode does with its own replica in the recovery of a block, whoever is the primary
// (DataNode.initReplicaRecovery, updateReplicaUnderRecovery).
#pragma once

#include "agents/datanode/transfer/transfer_environment.h"

namespace tracebed {

// Ends the writer of the block's replica and gives it to the recovery with the new stamp. Returns
// the replica as it was before; none if there is none, or one that was never whole.
StoreResult<std::optional<ReplicaInfo>> begin_replica_recovery(
    const TransferEnvironment& environment, std::uint64_t block_id, std::uint64_t generation_stamp,
    std::uint64_t recovery_stamp);

// The replica, which the recovery has, becomes finalized with the length and the recovery's stamp;
// this is reported to the namenode.
StoreStatus end_replica_recovery(const TransferEnvironment& environment, std::uint64_t block_id,
                                 std::uint64_t recovery_stamp, std::uint64_t length);

}  // namespace tracebed
