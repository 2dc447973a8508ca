// How a write begins in its stage (BlockConstructionStage; the constructor of HDFS'
// BlockReceiver).
#pragma once

#include <optional>

#include "agents/datanode/replica_writer.h"
#include "agents/datanode/transfer/block_op_reply.h"

namespace tracebed {

// Whether it is sent by a datanode for a client that replaces one of its pipeline.
bool is_client_transfer(const pb::OpWriteBlock& write);
// Whether there is nothing more to write: only to close the replica.
bool is_close_recovery(const pb::OpWriteBlock& write);

// The replica that is to be written. Of its writer until now the connection is shut down.
StoreResult<ReplicaWriter> open_replica(const TransferEnvironment& environment,
                                        const pb::OpWriteBlock& write);
// The stage that only closes the replica.
StoreStatus close_replica(const TransferEnvironment& environment, const pb::OpWriteBlock& write);

}  // namespace tracebed
