#include "agents/datanode/service/block_recovery_worker.h"

#include <algorithm>
#include <deque>

#include "agents/datanode/transfer/replica_recovery_calls.h"

namespace tracebed {
namespace {

InterDatanodeError error_of(const StoreError& error) {
  return {error.failure == StoreFailure::under_recovery, error.message};
}

// One datanode of the recovery: this one, or another.
class Participant {
 public:
  Participant(const TransferEnvironment& environment, const DatanodePeer& peer, bool is_own)
      : environment_(environment), is_own_(is_own), client_(environment, peer) {}

  NodeId node() const { return client_.peer().node; }

  InterDatanodeResult<std::optional<ReplicaInfo>> begin(const RecoveryOrder& order) {
    if (!is_own_) return client_.begin_recovery(order.block, order.new_generation_stamp);
    auto found = begin_replica_recovery(environment_, order.block.id, order.block.generation_stamp,
                                        order.new_generation_stamp);
    if (!found) return error_of(found.error());
    return *found;
  }

  InterDatanodeResult<std::monostate> end(const RecoveryOrder& order, std::uint64_t length) {
    if (!is_own_) return client_.end_recovery(order.block, order.new_generation_stamp, length);
    const StoreStatus ended =
        end_replica_recovery(environment_, order.block.id, order.new_generation_stamp, length);
    if (!ended) return error_of(ended.error());
    return std::monostate();
  }

 private:
  const TransferEnvironment& environment_;
  bool is_own_;
  InterDatanodeClient client_;
};

bool counts(const ReplicaInfo& info, const RecoveryOrder& order) {
  return info.generation_stamp >= order.block.generation_stamp && info.length > 0;
}

// FINALIZED before RBW before RWR.
int rank_of(ReplicaStage stage) {
  switch (stage) {
    case ReplicaStage::finalized:
      return 0;
    case ReplicaStage::being_written:
      return 1;
    case ReplicaStage::waiting_to_be_recovered:
      return 2;
    case ReplicaStage::temporary:
      return 3;
  }
  return 3;
}

}  // namespace

Result<RecoveryChoice> choose_replicas(std::span<const RecoverableReplica> replicas) {
  const auto is_better = [](const RecoverableReplica& a, const RecoverableReplica& b) {
    return std::pair(rank_of(a.info.stage), a.info.length) <
           std::pair(rank_of(b.info.stage), b.info.length);
  };
  const auto best = std::min_element(replicas.begin(), replicas.end(), is_better);
  RecoveryChoice choice;
  choice.length = best->info.length;
  const bool is_finalized = best->info.stage == ReplicaStage::finalized;
  for (const RecoverableReplica& replica : replicas) {
    const bool has_length = replica.info.length == choice.length;
    if (replica.info.stage == ReplicaStage::finalized && !has_length) {
      return Error{"finalized replicas of " + std::to_string(choice.length) + " and " +
                   std::to_string(replica.info.length) + " bytes"};
    }
    const bool takes_part =
        replica.info.stage == best->info.stage ||
        (is_finalized && replica.info.stage == ReplicaStage::being_written && has_length);
    if (takes_part) choice.peers.push_back(replica.peer);
  }
  return choice;
}

Status BlockRecoveryWorker::recover(const RecoveryOrder& order, NodeId own,
                                    std::span<const DatanodePeer> peers) {
  std::deque<Participant> participants;
  std::vector<RecoverableReplica> replicas;
  std::size_t failures = 0;
  for (const DatanodePeer& peer : peers) {
    Participant& asked = participants.emplace_back(environment_, peer, peer.node == own);
    const auto found = asked.begin(order);
    if (!found) {
      if (found.error().is_recovery_in_progress) return Error{found.error().message};
      ++failures;
    } else if (*found && counts(**found, order)) {
      replicas.push_back({participants.size() - 1, **found});
    }
  }
  if (failures == peers.size()) return Error{"no datanode of the block answers"};
  CommitBlockSynchronization commit{.block = order.block,
                                    .new_generation_stamp = order.new_generation_stamp};
  if (replicas.empty()) {
    commit.deletes_block = true;
    link_.call(commit);
    return success();
  }
  const Result<RecoveryChoice> choice = choose_replicas(replicas);
  if (!choice) return choice.error();
  const auto length =
      order.truncated_length ? static_cast<std::uint64_t>(*order.truncated_length) : choice->length;
  std::string failure;
  for (const std::size_t chosen : choice->peers) {
    const auto ended = participants[chosen].end(order, length);
    if (ended) {
      commit.nodes.push_back(participants[chosen].node());
    } else {
      failure = ended.error().message;
    }
  }
  if (commit.nodes.empty()) return Error{"no replica is recovered: " + failure};
  commit.new_length = static_cast<std::int64_t>(length);
  link_.call(commit);
  return success();
}

}  // namespace tracebed
