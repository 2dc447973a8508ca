// What datanodes send to the namenode and get from it, as plain values (DatanodeProtocol: register-
// Datanode, sendHeartbeat, blockReport, blockReceivedAndDeleted).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/storage_call.h"

namespace tracebed {

// What a heartbeat states. Bytes.
struct DatanodeUsage {
  std::int64_t capacity = 0;
  std::int64_t used = 0;
  std::int64_t remaining = 0;
  std::uint32_t transfers = 0;  // at this moment: HDFS calls them xceivers

  bool operator==(const DatanodeUsage&) const = default;
};

// HdfsServerConstants.ReplicaState, without those that are not reported: FINALIZED, RBW, RWR.
enum class ReportedState : std::uint8_t { finalized, being_written, waiting_to_be_recovered };

// A replica that a datanode reports.
struct ReportedReplica {
  std::uint64_t block_id = 0;
  std::uint32_t generation_stamp = 0;
  std::int64_t length = 0;
  ReportedState state = ReportedState::finalized;

  bool operator==(const ReportedReplica&) const = default;
};

// DNA_TRANSFER: the replica is sent to the first target, which passes it on.
struct TransferOrder {
  BlockName block;
  std::vector<NodeId> targets;
  bool operator==(const TransferOrder&) const = default;
};

// DNA_INVALIDATE: a replica of a later generation stamp than the order's stays.
struct DeletionOrder {
  std::uint64_t block_id = 0;
  std::uint32_t generation_stamp = 0;
  bool operator==(const DeletionOrder&) const = default;
};

// DNA_RECOVERBLOCK: the datanode is the primary. It brings the replicas of `nodes` to one length
// and the new stamp, and reports that by CommitBlockSynchronization. Of replicas that were
// finalized the length is theirs; else it is the least of those that are being written, or of those
// that wait to be recovered if there are none (BlockRecoveryWorker).
struct RecoveryOrder {
  BlockName block;
  std::uint32_t new_generation_stamp = 0;
  std::vector<NodeId> nodes;
  std::optional<std::int64_t> truncated_length;
  bool operator==(const RecoveryOrder&) const = default;
};

struct HeartbeatReply {
  // It was found dead, or never registered: it is to register, and to report all its blocks
  // (DNA_REGISTER).
  bool must_register = false;
  std::vector<TransferOrder> transfers;
  std::vector<DeletionOrder> deletions;
  std::vector<RecoveryOrder> recoveries;
  bool operator==(const HeartbeatReply&) const = default;
};

// One entry of an incremental report (ReceivedDeletedBlockInfo).
struct ReplicaChange {
  ReportedReplica replica;
  bool is_deleted = false;
  bool operator==(const ReplicaChange&) const = default;
};

struct ReportReply {
  bool must_register = false;
  // Of blocks that never were, as of another run. Those of files that are gone come with
  // heartbeats.
  std::vector<std::uint64_t> unknown;
  bool operator==(const ReportReply&) const = default;
};

}  // namespace tracebed
