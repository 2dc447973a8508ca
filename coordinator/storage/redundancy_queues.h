// Blocks that have too few replicas, in the order in which they get more (org.apache.hadoop.hdfs.
// server.blockmanagement.LowRedundancyBlocks): by priority, then as long as they are in the queue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "coordinator/storage/inode.h"
#include "coordinator/storage/replica_counts.h"

namespace tracebed {

class RedundancyQueues {
 public:
  // In the queue of this priority, at its end unless it is in it already.
  void put(BlockIndex block, RedundancyPriority priority);
  // False if it is in none.
  bool remove(BlockIndex block);
  std::optional<RedundancyPriority> priority_of(BlockIndex block) const;
  std::size_t size() const { return places_.size(); }
  std::size_t size(RedundancyPriority priority) const {
    return queues_[static_cast<std::size_t>(priority)].size();
  }

  // At most `most` blocks that can be worked on. A queue continues behind the block with which its
  // last choice ended; when all have been chosen once, all begin anew, so that no block that cannot
  // be helped keeps others waiting.
  std::vector<BlockIndex> choose(std::size_t most);

 private:
  struct Place {
    RedundancyPriority priority = RedundancyPriority::low;
    std::uint64_t number = 0;  // ascending by when it was put into the queue
  };

  std::array<std::map<std::uint64_t, BlockIndex>, redundancy_priorities> queues_;
  std::array<std::uint64_t, redundancy_priorities> next_{};  // the number that a choice begins with
  std::map<BlockIndex, Place> places_;
  std::uint64_t last_number_ = 0;
};

}  // namespace tracebed
