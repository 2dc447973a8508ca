// What an administrator orders of a datanode itself. The namenode has no part in it and learns what
// came of it as it learns of any fault: from reports, or from silence. Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <variant>

namespace tracebed {

// All of its rates; wall time.
struct SetDatanodeRates {
  std::optional<std::uint64_t> disk_bytes_per_second;     // none: unlimited
  std::optional<std::uint64_t> network_bytes_per_second;  // none: unlimited
  std::chrono::microseconds seek_latency{0};
  bool operator==(const SetDatanodeRates&) const = default;
};

// Inverts stored bytes of a finalized replica and leaves their checksums as they are; ordered
// twice, the replica is good again.
struct CorruptReplica {
  std::uint64_t block_id = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 1;
  bool operator==(const CorruptReplica&) const = default;
};

// Its process ends, and is not started again in this run.
struct StopDatanode {
  bool operator==(const StopDatanode&) const = default;
};

using DatanodeOrder = std::variant<SetDatanodeRates, CorruptReplica, StopDatanode>;

}  // namespace tracebed
