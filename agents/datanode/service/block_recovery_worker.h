// Recovers blocks whose writers died, as the primary datanode
// (org.apache.hadoop.hdfs.server.datanode.BlockRecoveryWorker): asks all datanodes of the block for
// their replicas, which end their writers thereby, chooses the best of them, brings these to one
// length and the new generation stamp, and tells the namenode.
//
// A replica counts if it has the block's generation stamp or a later one, and bytes. If some were
// finalized, the length is theirs, and of those being written only ones of that length take part;
// else it is the least of those being written, or of those that wait to be recovered if there are
// no others. If no replica counts, the block is deleted.
#pragma once

#include <span>
#include <vector>

#include "agents/datanode/service/inter_datanode_client.h"
#include "core/datanode_messages.h"

namespace tracebed {

class BlockRecoveryWorker {
 public:
  // `link` and the environment outlive it.
  BlockRecoveryWorker(const TransferEnvironment& environment, NamenodeLink& link)
      : environment_(environment), link_(link) {}

  // Waits for the other datanodes. On a failure nothing is reported, and the namenode orders
  // another recovery later. `own` is this datanode's node; `peers` are those of the order, in its
  // order.
  Status recover(const RecoveryOrder& order, NodeId own, std::span<const DatanodePeer> peers);

 private:
  const TransferEnvironment& environment_;
  NamenodeLink& link_;
};

// A replica that counts, and whose.
struct RecoverableReplica {
  std::size_t peer = 0;  // its index
  ReplicaInfo info;
};
struct RecoveryChoice {
  std::vector<std::size_t> peers;  // that take part
  std::uint64_t length = 0;
};
// Fails if finalized replicas differ in length.
Result<RecoveryChoice> choose_replicas(std::span<const RecoverableReplica> replicas);

}  // namespace tracebed
