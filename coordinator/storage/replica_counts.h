// How many replicas of a block count, and how urgent it is to make more of them (org.apache.hadoop.
// hdfs.server.blockmanagement.NumberReplicas, LowRedundancyBlocks.getPriority).
#pragma once

#include <cstdint>

namespace tracebed {

struct ReplicaCounts {
  std::uint32_t live = 0;             // finalized, on datanodes in service; stale ones count
  std::uint32_t decommissioning = 0;  // finalized, on datanodes that leave, or have left, service
  std::uint32_t corrupt = 0;
  std::uint32_t excess = 0;  // finalized, and to be deleted

  bool operator==(const ReplicaCounts&) const = default;
};

// In the order in which they are worked on.
enum class RedundancyPriority : std::uint8_t {
  highest,   // one loss from being lost
  very_low,  // less than a third of what it should have
  low,
  badly_distributed,  // enough, but on too few racks
  corrupt,            // no good replica at all: nothing can be done now
};
inline constexpr std::size_t redundancy_priorities = 5;

constexpr RedundancyPriority redundancy_priority(const ReplicaCounts& counts,
                                                 std::uint32_t expected) {
  if (counts.live >= expected) return RedundancyPriority::badly_distributed;
  if (counts.live == 0) {
    return counts.decommissioning > 0 ? RedundancyPriority::highest : RedundancyPriority::corrupt;
  }
  if (counts.live == 1) return RedundancyPriority::highest;
  return counts.live * 3 < expected ? RedundancyPriority::very_low : RedundancyPriority::low;
}

}  // namespace tracebed
