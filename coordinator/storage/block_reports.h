// What datanodes report of their replicas (BlockManager.processReport,
// processIncrementalBlockReport, findAndMarkBlockAsCorrupt).
#pragma once

#include <vector>

#include "coordinator/storage/namenode_state.h"
#include "core/datanode_messages.h"
#include "core/storage_reply.h"

namespace tracebed {

// All replicas that the datanode has, in any order.
ReportReply full_report(NamenodeState& state, NodeId node, std::vector<ReportedReplica> replicas,
                        TraceTime now);
ReportReply incremental_report(NamenodeState& state, NodeId node,
                               const std::vector<ReplicaChange>& changes, TraceTime now);
StorageReply report_bad_blocks(NamenodeState& state, const ReportBadBlocks& call, TraceTime now);

// In safe mode at startup: recounts the blocks that have enough replicas, and advances if they
// suffice.
void recount_safe_blocks(NamenodeState& state);
void update_safe_mode(NamenodeState& state, TraceTime now);

}  // namespace tracebed
