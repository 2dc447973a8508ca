// The datanodes that have registered, what they report, and which of them are alive (org.apache.
// hadoop.hdfs.server.blockmanagement.DatanodeManager, HeartbeatManager, DatanodeAdminManager).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "coordinator/storage/datanode_intervals.h"
#include "core/datanode_messages.h"
#include "core/ids.h"
#include "core/time.h"

namespace tracebed {

// DatanodeInfo.AdminStates, as far as there are commands for them.
enum class AdminState : std::uint8_t { normal, decommission_in_progress, decommissioned };
enum class Liveness : std::uint8_t { live, stale, dead };

struct Datanode {
  NodeId node;  // invalid: none has registered with this number
  RackId rack;
  DatanodeUsage usage;
  AdminState admin_state = AdminState::normal;
  bool is_alive = false;  // until a scan finds its last heartbeat too old
  TraceTime last_heartbeat{};

  std::int64_t scheduled_bytes = 0;  // of replicas on their way to it

  // For a further replica.
  std::int64_t room() const { return usage.remaining - scheduled_bytes; }
  bool is_in_service() const { return is_alive && admin_state == AdminState::normal; }
};

class Datanodes {
 public:
  explicit Datanodes(const DatanodeIntervals& intervals, TraceTime now)
      : intervals_(intervals), last_scan_(now) {}

  // A new one, or one that is back. It keeps its administrative state.
  void register_datanode(NodeId node, RackId rack, TraceTime now);
  // False for one that is not registered or was found dead: it has to register again
  // (DatanodeProtocol.DNA_REGISTER).
  bool heartbeat(NodeId node, const DatanodeUsage& usage, TraceTime now);
  void set_admin_state(NodeId node, AdminState state);
  // A replica is on its way to it; negative: it has come, or comes no more.
  void schedule(NodeId node, std::int64_t bytes);

  // Null if it never registered.
  const Datanode* find(NodeId node) const;
  Liveness liveness(const Datanode& datanode, TraceTime now) const;
  // All that registered, by node; entries without a valid node are gaps.
  const std::vector<Datanode>& all() const { return datanodes_; }
  std::size_t live() const { return live_; }
  // Those in service, and their transfers on average: 0 if there are none.
  double average_transfers() const;

  const DatanodeIntervals& intervals() const { return intervals_; }
  // When the next look for dead ones is due.
  TraceTime next_scan() const { return last_scan_ + intervals_.scan(); }
  // Those whose last heartbeat is too old by now, ascending; they are dead from here on.
  std::vector<NodeId> scan(TraceTime now);
  // The look is put off by its interval.
  void skip_scan(TraceTime now) { last_scan_ = now; }
  // One that is known to have gone, as when its connection ended with it. False if it is dead.
  bool declare_dead(NodeId node);

 private:
  Datanode* change(NodeId node);

  DatanodeIntervals intervals_;
  std::vector<Datanode> datanodes_;
  std::size_t live_ = 0;
  TraceTime last_scan_{};
};

}  // namespace tracebed
