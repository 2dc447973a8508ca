// The datanodes of modelled machines. Each has replicas without bytes, and does what the namenode
// orders: a transfer takes the seek and its bytes at the rate that the disks and links on its way
// leave it (coordinator/virtual/machine_links.h), beside what tasks read and write; a deletion and
// a block recovery take no time. What receives a replica, or loses one,
// reports it at once. Reads and writes are no part of the load that heartbeats state.
//
// Heartbeats come at HDFS' interval, at a phase of each machine's own. Those of datanodes that
// would state what they stated last, and have no orders waiting, only show that they are alive.
// These are left out; instead all such datanodes beat together, as often as is necessary for the
// namenode not to tell the difference (VirtualDatanodeOptions::silence_max). For the same reason
// the last heartbeat of a machine that fails is that of the moment in which it does. Full reports
// come when a datanode registers; later ones would state what the namenode knows.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "coordinator/virtual/heartbeat_wheel.h"
#include "coordinator/virtual/machine_links.h"
#include "coordinator/virtual/modelled_reads.h"
#include "coordinator/virtual/modelled_replicas.h"
#include "coordinator/virtual/modelled_writes.h"
#include "core/datanode_options.h"
#include "core/event_heap.h"
#include "core/fleet.h"
#include "core/storage_inputs.h"

namespace tracebed {

struct VirtualDatanodeOptions {
  DatanodeOptions datanodes;
  // The longest silence that makes no difference to the namenode, at least two heartbeats.
  Duration silence_max = 4 * seconds(3);
  std::int64_t block_size = std::int64_t{128} << 20;  // of files that tasks write
  bool deliver_every_heartbeat = false;  // for tests: the namenode's decisions are the same
  std::uint64_t seed = 1;
};

// What the datanodes did in a run, all together.
struct VirtualDatanodeCounters {
  std::uint64_t heartbeats = 0;      // that were delivered
  std::uint64_t transfers = 0;       // replicas that arrived
  std::uint64_t transfers_lost = 0;  // with a machine at either end
  std::uint64_t deletions = 0;
  std::int64_t bytes_transferred = 0;
};

class VirtualDatanodes final : public ModelledReads::Datanodes, public ModelledWrites::Datanodes {
 public:
  // Nodes are positions in `machines`.
  VirtualDatanodes(const VirtualDatanodeOptions& options, const std::vector<Machine>& machines);

  // ---- machines ----
  // It registers and reports what it has, which is what it had when it left.
  void join(NodeId node, Round& round);
  // Transfers from it and to it end. Its last heartbeat.
  void leave(NodeId node, TraceTime now, Round& round);

  // ---- commands ----
  void execute(const AnswerDatanode& answer, TraceTime now);
  void execute(const StoreReplicas& stored);
  // Those that have orders waiting; all others have none.
  void expect_orders(const std::vector<NodeId>& nodes);

  // ---- time ----
  TraceTime next_time(TraceTime now);
  // What is due at `now`, which is at most next_time(). Heartbeats come first, and only with the
  // first call at this time: nothing that happens now gives a datanode orders for a heartbeat that
  // it would have sent anyway.
  void advance(TraceTime now, Round& round);

  // ---- tasks that read and write ----
  bool is_up(NodeId node) const override { return nodes_[node.index()].is_up; }
  std::uint64_t begin_read(NodeId server, NodeId reader, const FlowDemand& demand,
                           TraceTime now) override;
  std::uint64_t begin_memory_read(NodeId server, NodeId reader, const FlowDemand& demand,
                                  TraceTime now) override {
    return begin_flow(links_.memory_path(server, reader), demand, now);
  }
  std::int64_t cancel_read(std::uint64_t transfer, TraceTime now) override;
  std::int64_t sent_so_far(std::uint64_t transfer, TraceTime now) const override;
  // What a datanode of a pipeline receives, without a seek.
  std::uint64_t begin_write(NodeId writer, NodeId target, const FlowDemand& demand,
                            TraceTime now) override;
  std::int64_t cancel_write(std::uint64_t transfer, TraceTime now) override {
    return cancel_read(transfer, now);
  }
  void pace(std::uint64_t transfer, TraceTime due, TraceTime now) override;
  void store(NodeId target, const BlockName& block) override;
  // Of block recoveries, since the last call.
  std::vector<StorageCall> take_calls() { return std::exchange(calls_, {}); }
  // Appends the reads and writes that have come to their end since the last call.
  void take_ended(std::vector<std::uint64_t>& ended);

  const ModelledReplicas& replicas(NodeId node) const { return nodes_[node.index()].replicas; }
  const VirtualDatanodeCounters& counters() const { return counters_; }
  // As NodeHeartbeat::io_pressure.
  std::int32_t io_pressure(NodeId node, TraceTime now) { return links_.io_pressure(node, now); }

 private:
  struct Transfer {
    NodeId source;
    BlockName block;
    std::vector<NodeId> targets;
    std::vector<FlowId> hops;  // once it has begun: to each target, from the one before it
  };
  struct TaskRead {
    NodeId server;
    NodeId reader;
    FlowDemand demand;
  };
  struct Node {
    bool is_up = false;
    bool has_orders = false;
    bool must_register = false;
    ModelledReplicas replicas;
    std::uint32_t transfers = 0;  // that it is the source or a target of
    DatanodeUsage stated;         // with its last heartbeat
    std::vector<ReplicaChange> unreported;
  };
  DatanodeUsage usage_of(const Node& node) const;
  bool has_room(const Node& node, const BlockName& block) const;
  void register_datanode(NodeId node, Round& round);
  void beat(NodeId node, Round& round);
  void report(NodeId node, Round& round);
  // It is to be reported with what else changes now.
  void note(NodeId node, const ReportedReplica& replica, bool is_deleted);
  void order_transfer(NodeId source, const TransferOrder& order, TraceTime now);
  void remove_replica(NodeId node, const DeletionOrder& order);
  void recover(const RecoveryOrder& order);
  // Of a task, without a seek.
  std::uint64_t begin_flow(const MachineLinks::Path& path, FlowDemand demand, TraceTime now);
  void begin_transfer(std::uint64_t id, TraceTime now);
  void end_transfer(std::uint64_t id);
  // None of its targets from position `from` on gets it.
  void cut_transfer(std::uint64_t id, std::size_t from, TraceTime now);
  void end_flows(TraceTime now);
  // After anything that may change whether the next heartbeat matters.
  void update_mark(NodeId node);
  void show_life(TraceTime now, Round& round);

  VirtualDatanodeOptions options_;
  std::vector<Node> nodes_;
  MachineLinks links_;
  HeartbeatWheel wheel_;
  EventHeap<std::uint64_t> seeks_;  // their ends, at which these transfers begin
  std::map<std::uint64_t, Transfer> transfers_;
  std::map<std::uint64_t, TaskRead> seeking_;  // by transfer
  std::map<std::uint64_t, FlowId> of_tasks_;   // likewise, those that have begun
  std::vector<std::uint64_t> ended_;           // of those, not taken yet
  std::vector<std::uint64_t> flows_ended_;     // of end_flows(): kept for its memory
  std::vector<StorageCall> calls_;
  std::uint64_t next_transfer_ = 0;
  TraceTime next_sign_of_life_ = never;
  TraceTime beaten_until_ = TraceTime() - microseconds(1);  // no heartbeat up to then is to come
  std::vector<NodeId> with_orders_;
  std::vector<NodeId> changed_;  // have something to report, or register, now
  VirtualDatanodeCounters counters_;
};

}  // namespace tracebed
