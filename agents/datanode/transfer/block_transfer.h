// Sends a replica to other datanodes
// (org.apache.hadoop.hdfs.server.datanode.DataNode.DataTransfer): by order of the namenode, or for
// a client that replaces a datanode of its pipeline.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "agents/datanode/transfer/block_op_reply.h"

namespace tracebed {

struct ReplicaTransfer {
  std::uint64_t block_id = 0;
  std::uint64_t generation_stamp = 0;
  std::uint64_t length = 0;
  // The first is sent the replica and passes it on to the others.
  std::vector<pb::DatanodeInfo> targets;
  std::string client;  // empty: by order of the namenode
  pb::OpWriteBlock::BlockConstructionStage stage = pb::OpWriteBlock::PIPELINE_SETUP_CREATE;
};

// Returns when all is sent, and with a client when the target has confirmed it. The error is a
// sentence.
Status send_replica(const TransferEnvironment& environment, const ReplicaTransfer& transfer);

// As a client orders it, up to what all of its pipeline acknowledged. Why it failed; none if it did
// not (DataNode.transferReplicaForPipelineRecovery).
std::optional<std::string> transfer_for_recovery(const TransferEnvironment& environment,
                                                 const pb::OpTransferBlock& operation);

}  // namespace tracebed
