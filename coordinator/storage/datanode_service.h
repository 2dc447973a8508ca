// Datanodes that come, beat and go, and what they are ordered to do
// (DatanodeManager.registerDatanode, handleHeartbeat; HeartbeatManager.heartbeatCheck;
// DatanodeAdminManager).
#pragma once

#include <vector>

#include "coordinator/storage/namenode_state.h"
#include "core/datanode_messages.h"
#include "core/storage_reply.h"

namespace tracebed {

void register_datanode(NamenodeState& state, NodeId node, RackId rack, TraceTime now);
HeartbeatReply heartbeat(NamenodeState& state, NodeId node, const DatanodeUsage& usage,
                         TraceTime now);
// Those to which the reply to the next heartbeat is more than an acknowledgement, ascending; in
// safe mode none.
std::vector<NodeId> datanodes_with_orders(const NamenodeState& state);
// Its replicas no longer count. Nothing for one that is dead.
void lose_datanode(NamenodeState& state, NodeId node, TraceTime now);
// Those whose heartbeats are missing too long.
void lose_silent_datanodes(NamenodeState& state, TraceTime now);
// Transfers of one pass, for the next heartbeats of their sources.
void plan_redundancy(NamenodeState& state, TraceTime now);

StorageReply decommission(NamenodeState& state, NodeId node, TraceTime now);
StorageReply recommission(NamenodeState& state, NodeId node, TraceTime now);
// Datanodes whose blocks all have enough replicas elsewhere are decommissioned.
void check_decommissions(NamenodeState& state);

}  // namespace tracebed
