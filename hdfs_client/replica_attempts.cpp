#include "hdfs_client/replica_attempts.h"

namespace tracebed::hdfs {

const pb::DatanodeInfo* ReplicaAttempts::choose(const pb::LocatedBlock& block,
                                                const DeadDatanodes& dead) const {
  const pb::DatanodeInfo* first_dead = nullptr;
  for (const pb::DatanodeInfo& datanode : block.locs()) {
    if (given_up_.contains(datanode.id().datanode_uuid())) continue;
    if (!dead.contains(datanode.id().datanode_uuid())) return &datanode;
    if (first_dead == nullptr) first_dead = &datanode;
  }
  return first_dead;
}

std::size_t ReplicaAttempts::untried(const pb::LocatedBlock& block) const {
  std::size_t count = 0;
  for (const pb::DatanodeInfo& datanode : block.locs()) {
    count += !given_up_.contains(datanode.id().datanode_uuid());
  }
  return count;
}

void ReplicaAttempts::give_up(const pb::DatanodeInfo& datanode, const ClientFailure& failure) {
  const std::string& uuid = datanode.id().datanode_uuid();
  given_up_.insert(uuid);
  failures_[uuid] = failure.message;
  if (failure.kind == ClientFailureKind::corrupt) corrupt_[uuid] = datanode;
}

std::vector<pb::DatanodeInfo> ReplicaAttempts::corrupt_replicas(
    const pb::LocatedBlock& block) const {
  std::vector<pb::DatanodeInfo> replicas;
  const auto located = static_cast<std::size_t>(block.locs_size());
  if (located > 1 && corrupt_.size() >= located) return replicas;
  for (const auto& [uuid, datanode] : corrupt_) replicas.push_back(datanode);
  return replicas;
}

std::string ReplicaAttempts::text() const {
  std::string text;
  for (const auto& [uuid, failure] : failures_) text += "; " + failure;
  return text;
}

}  // namespace tracebed::hdfs
