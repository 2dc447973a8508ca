#include "coordinator/namenode_server/storage_conversions.h"

namespace tracebed {
namespace {

storage::AdminState::type admin_state(AdminState state) {
  switch (state) {
    case AdminState::normal:
      return storage::AdminState::NORMAL;
    case AdminState::decommission_in_progress:
      return storage::AdminState::DECOMMISSION_IN_PROGRESS;
    case AdminState::decommissioned:
      return storage::AdminState::DECOMMISSIONED;
  }
  return storage::AdminState::NORMAL;
}

storage::Liveness::type liveness(Liveness of) {
  switch (of) {
    case Liveness::live:
      return storage::Liveness::LIVE;
    case Liveness::stale:
      return storage::Liveness::STALE;
    case Liveness::dead:
      return storage::Liveness::DEAD;
  }
  return storage::Liveness::DEAD;
}

storage::ReplicaState::type replica_state(ReplicaState state) {
  switch (state) {
    case ReplicaState::finalized:
      return storage::ReplicaState::FINALIZED;
    case ReplicaState::corrupt:
      return storage::ReplicaState::CORRUPT;
  }
  return storage::ReplicaState::CORRUPT;
}

storage::ReplicaState::type replica_state(ReportedState state) {
  switch (state) {
    case ReportedState::finalized:
      return storage::ReplicaState::FINALIZED;
    case ReportedState::being_written:
      return storage::ReplicaState::BEING_WRITTEN;
    case ReportedState::waiting_to_be_recovered:
      return storage::ReplicaState::WAITING_TO_BE_RECOVERED;
  }
  return storage::ReplicaState::BEING_WRITTEN;
}

void add_replica(const StorageGate::View& view, NodeId node, storage::ReplicaState::type state,
                 storage::LocatedBlock& block) {
  const DatanodePlace* place = view.datanodes.find(node);
  if (place == nullptr) return;
  storage::Replica replica;
  replica.name = storage_name(*place);
  replica.network_location = place->rack;
  replica.state = state;
  block.replicas.push_back(std::move(replica));
}

}  // namespace

std::string storage_name(const DatanodePlace& place) {
  return place.address + ":" + std::to_string(place.transfer_port);
}

storage::DatanodeInfo to_thrift(const StorageGate::View& view, const DatanodeReport& report,
                                const DatanodePlace& place) {
  storage::DatanodeInfo info;
  info.name = storage_name(place);
  info.host_name = place.name;
  info.info_port = place.http_port;
  info.network_location = place.rack;
  info.admin_state = admin_state(report.admin_state);
  info.liveness = liveness(report.liveness);
  info.capacity = report.usage.capacity;
  info.dfs_used = report.usage.used;
  info.remaining = report.usage.remaining;
  info.xceiver_count = static_cast<std::int32_t>(report.usage.transfers);
  info.blocks = static_cast<std::int64_t>(report.blocks);
  info.last_update = view.times.to_epoch(report.last_heartbeat);
  return info;
}

storage::LocatedBlock to_thrift(const StorageGate::View& view, BlockIndex block,
                                std::int64_t offset) {
  const Block& stored = view.state.blocks.block(block);
  storage::LocatedBlock located;
  located.block.block_id = static_cast<std::int64_t>(id_of(block));
  located.block.generation_stamp = stored.generation_stamp;
  located.block.num_bytes = stored.length;
  located.offset = offset;
  located.is_complete = stored.is_complete();
  for (const StoredReplica& replica : stored.replicas) {
    add_replica(view, replica.node, replica_state(replica.state), located);
  }
  if (const BlockConstruction* construction = view.state.constructions.find(block)) {
    for (const BlockConstruction::Replica& replica : construction->replicas) {
      add_replica(view, replica.node, replica_state(replica.state), located);
    }
  }
  return located;
}

}  // namespace tracebed
