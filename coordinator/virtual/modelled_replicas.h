// The replicas of a modelled datanode. Their bytes are not kept: content is a function of block and
// offset.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/datanode_messages.h"

namespace tracebed {

class ModelledReplicas {
 public:
  // Replaces one of the same block.
  void put(const BlockName& block) {
    const auto at = find(block.id);
    if (at != replicas_.end() && at->block_id == block.id) {
      used_ -= at->length;
      *at = replica_of(block);
    } else {
      replicas_.insert(at, replica_of(block));
    }
    used_ += block.length;
  }
  // True if it had one, of this generation stamp or an earlier one.
  bool remove(const DeletionOrder& order) {
    const auto at = find(order.block_id);
    if (at == replicas_.end() || at->block_id != order.block_id) return false;
    if (at->generation_stamp > order.generation_stamp) return false;
    used_ -= at->length;
    replicas_.erase(at);
    return true;
  }
  bool has(const BlockName& block) const {
    const auto at = std::lower_bound(replicas_.begin(), replicas_.end(), block.id, is_before);
    return at != replicas_.end() && at->block_id == block.id &&
           at->generation_stamp == block.generation_stamp;
  }

  // Of the block's, whatever its generation stamp.
  std::optional<std::int64_t> length_of(std::uint64_t block_id) const {
    const auto at = std::lower_bound(replicas_.begin(), replicas_.end(), block_id, is_before);
    if (at == replicas_.end() || at->block_id != block_id) return std::nullopt;
    return at->length;
  }

  // Ascending by id.
  const std::vector<ReportedReplica>& all() const { return replicas_; }
  std::int64_t used() const { return used_; }

 private:
  static bool is_before(const ReportedReplica& replica, std::uint64_t id) {
    return replica.block_id < id;
  }
  static ReportedReplica replica_of(const BlockName& block) {
    return {block.id, block.generation_stamp, block.length, ReportedState::finalized};
  }
  std::vector<ReportedReplica>::iterator find(std::uint64_t id) {
    return std::lower_bound(replicas_.begin(), replicas_.end(), id, is_before);
  }

  std::vector<ReportedReplica> replicas_;
  std::int64_t used_ = 0;
};

}  // namespace tracebed
