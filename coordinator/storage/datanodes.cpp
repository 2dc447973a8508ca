#include "coordinator/storage/datanodes.h"

#include <utility>

#include "core/check.h"

namespace tracebed {

const Datanode* Datanodes::find(NodeId node) const {
  if (node.index() >= datanodes_.size()) return nullptr;
  const Datanode& datanode = datanodes_[node.index()];
  return datanode.node.is_valid() ? &datanode : nullptr;
}

Datanode* Datanodes::change(NodeId node) {
  return const_cast<Datanode*>(std::as_const(*this).find(node));
}

void Datanodes::register_datanode(NodeId node, RackId rack, TraceTime now) {
  if (node.index() >= datanodes_.size()) datanodes_.resize(node.index() + 1);
  Datanode& datanode = datanodes_[node.index()];
  if (!datanode.is_alive) ++live_;
  datanode.node = node;
  datanode.rack = rack;
  datanode.is_alive = true;
  datanode.last_heartbeat = now;
}

bool Datanodes::heartbeat(NodeId node, const DatanodeUsage& usage, TraceTime now) {
  Datanode* datanode = change(node);
  if (datanode == nullptr || !datanode->is_alive) return false;
  datanode->usage = usage;
  datanode->last_heartbeat = now;
  return true;
}

void Datanodes::set_admin_state(NodeId node, AdminState state) {
  Datanode* datanode = change(node);
  TRACEBED_CHECK(datanode != nullptr, "only a registered datanode is taken out of service");
  datanode->admin_state = state;
}

void Datanodes::schedule(NodeId node, std::int64_t bytes) {
  Datanode* datanode = change(node);
  TRACEBED_CHECK(datanode != nullptr, "replicas are sent to registered datanodes alone");
  datanode->scheduled_bytes += bytes;
  TRACEBED_CHECK(datanode->scheduled_bytes >= 0, "what has come was on its way");
}

Liveness Datanodes::liveness(const Datanode& datanode, TraceTime now) const {
  if (!datanode.is_alive) return Liveness::dead;
  const Duration silence = now - datanode.last_heartbeat;
  return silence >= intervals_.until_stale() ? Liveness::stale : Liveness::live;
}

double Datanodes::average_transfers() const {
  std::uint64_t transfers = 0;
  std::uint64_t in_service = 0;
  for (const Datanode& datanode : datanodes_) {
    if (!datanode.is_in_service()) continue;
    transfers += datanode.usage.transfers;
    ++in_service;
  }
  return in_service == 0 ? 0 : static_cast<double>(transfers) / static_cast<double>(in_service);
}

std::vector<NodeId> Datanodes::scan(TraceTime now) {
  last_scan_ = now;
  std::vector<NodeId> dead;
  for (const Datanode& datanode : datanodes_) {
    // HDFS: monotonicNow - expire interval > last update.
    if (datanode.is_alive && now - datanode.last_heartbeat > intervals_.until_dead()) {
      dead.push_back(datanode.node);
    }
  }
  for (const NodeId node : dead) declare_dead(node);
  return dead;
}

bool Datanodes::declare_dead(NodeId node) {
  Datanode* datanode = change(node);
  if (datanode == nullptr || !datanode->is_alive) return false;
  datanode->is_alive = false;
  // What it stated is of no use any more; its replicas are counted no longer.
  datanode->usage = {};
  --live_;
  return true;
}

}  // namespace tracebed
