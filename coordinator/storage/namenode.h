// The namenode of the mock HDFS: a deterministic state machine. What arrives (datanodes' messages,
// calls that change something, the time) goes in, answers come out; the same inputs in the same
// order give the same state and the same answers, on every build. Queries read `state()`.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "coordinator/storage/namenode_state.h"
#include "coordinator/storage/preloading.h"
#include "core/datanode_messages.h"
#include "core/digest.h"
#include "core/storage_reply.h"

namespace tracebed {

class Namenode {
 public:
  // The placement policy of the options exists (make_replica_placement).
  Namenode(const NamenodeOptions& options, TraceTime now) : state_(options, now) {}

  // ---- inputs; their times ascend ----
  // A new datanode, or one that is back. It reports all its replicas next.
  void register_datanode(NodeId node, RackId rack, TraceTime now);
  // The answer has its orders: transfers and block recoveries once, deletions until they are
  // reported to be done or the replica is reported again.
  HeartbeatReply heartbeat(NodeId node, const DatanodeUsage& usage, TraceTime now);
  ReportReply full_report(NodeId node, std::vector<ReportedReplica> replicas, TraceTime now);
  ReportReply incremental_report(NodeId node, const std::vector<ReplicaChange>& changes,
                                 TraceTime now);
  // It is known to have gone, as when its connection ended with its process.
  void datanode_gone(NodeId node, TraceTime now);
  StorageReply call(const StorageCall& call, TraceTime now);
  // Before the first advance(), if safe mode is to await its replicas.
  StorageResult<std::vector<LocatedBlock>> preload(const PreloadedFile& file, TraceTime now);

  // All that is due by now: the look for dead datanodes, leases past their hard limit, the end of
  // safe mode, re-replication, decommissions.
  void advance(TraceTime now);
  // When advance() has something to do next.
  TraceTime next_due() const;

  // ---- looking ----
  const NamenodeState& state() const { return state_; }
  // Counts inputs that may have changed something: equal versions are equal states.
  std::uint64_t version() const { return version_; }
  // Over all that later answers depend on, as far as it can be seen.
  Digest digest() const;
  // Recomputes what the parts keep about each other (TRACEBED_CHECK).
  void check_invariants() const;

 private:
  StorageReply execute(const StorageCall& call, TraceTime now);

  NamenodeState state_;
  std::uint64_t version_ = 0;
};

// As SafeModeException and logs name it: "create", …
std::string_view operation_name(const StorageOperation& operation);

}  // namespace tracebed
