// What arrives at the namenode of a run in its rounds, and what the run's fleet is to send of its
// answers. Plain values: inputs are in the log of rounds, and decide everything that the namenode
// does.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/datanode_messages.h"
#include "core/ids.h"
#include "core/kernel_work.h"
#include "core/storage_call.h"
#include "core/storage_reply.h"

namespace tracebed {

// ---- inputs ----

// The datanode of a node that has joined: a new one, or one that is back without what it was sent.
// It reports all its replicas next.
struct DatanodeRegistered {
  NodeId node;
  bool operator==(const DatanodeRegistered&) const = default;
};
struct DatanodeHeartbeat {
  NodeId node;
  DatanodeUsage usage;
  bool operator==(const DatanodeHeartbeat&) const = default;
};
struct FullBlockReport {
  NodeId node;
  std::vector<ReportedReplica> replicas;
  bool operator==(const FullBlockReport&) const = default;
};
struct IncrementalBlockReport {
  NodeId node;
  std::vector<ReplicaChange> changes;
  bool operator==(const IncrementalBlockReport&) const = default;
};
// It is known to have ended, as when its process was seen to.
struct DatanodeGone {
  NodeId node;
  bool operator==(const DatanodeGone&) const = default;
};
// Of a client, an administrator or a datanode. The fleet chooses the ticket, and never the same
// twice in a run; AnswerStorageCall has it.
struct StorageCalled {
  std::uint64_t ticket = 0;
  StorageCall call;
  bool operator==(const StorageCalled&) const = default;
};

// A file that is there before jobs read it: whole, with its blocks placed as if one writer had
// written them, or as a trace states.
struct PreloadedFile {
  std::string path;
  std::int64_t size = 0;
  std::uint32_t replication = 3;
  std::int64_t block_size = 0;
  std::uint16_t permission = 0644;
  std::string user;
  NodeId writer;  // invalid: none of the datanodes
  // Of each block, from the first, in the order in which they are listed; those without an entry,
  // or with an empty one, are placed by the policy.
  std::vector<std::vector<NodeId>> nodes;
  // The datanodes have the replicas already. Otherwise they are to be given them, and the replicas
  // count once they are reported.
  bool is_stored = true;

  bool operator==(const PreloadedFile&) const = default;
};

using StorageInput =
    std::variant<DatanodeRegistered, DatanodeHeartbeat, FullBlockReport, IncrementalBlockReport,
                 DatanodeGone, StorageCalled, PreloadedFile>;

// ---- what is to be sent ----

// To the datanode whose heartbeat or report it answers.
struct AnswerDatanode {
  NodeId node;
  std::variant<HeartbeatReply, ReportReply> reply;
  bool operator==(const AnswerDatanode&) const = default;
};
// The datanode is to have these replicas, whole: of preloaded files, which count as stored already.
struct StoreReplicas {
  NodeId node;
  std::vector<BlockName> blocks;
  // Of each of them; empty if none is of a kernel's input.
  std::vector<BlockDataset> datasets = {};
  bool operator==(const StoreReplicas&) const = default;
};
struct AnswerStorageCall {
  std::uint64_t ticket = 0;
  StorageReply reply;
  bool operator==(const AnswerStorageCall&) const = default;
};

}  // namespace tracebed
