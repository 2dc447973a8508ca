// What all datanodes of a run have in common. Bytes and durations are those of the trace, after
// [scale]: a second is a second of trace time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "core/replica_store_kind.h"
#include "core/time.h"

namespace tracebed {

inline constexpr std::chrono::milliseconds default_datanode_socket_timeout{60'000};
inline constexpr std::chrono::milliseconds datanode_socket_timeout_max = std::chrono::hours(24);

struct DatanodeOptions {
  static constexpr std::int64_t rate_max = 1'000'000'000'000;  // bytes per second of trace time

  ReplicaStoreKind store = ReplicaStoreKind::generated;
  std::int64_t capacity = std::int64_t{1} << 40;
  // Of each machine's disk, shared by all that read or write there, of its network interface in
  // each direction, and of its rack's uplink in each direction; none: unlimited.
  std::optional<std::int64_t> disk_rate = std::int64_t{100} << 20;
  std::optional<std::int64_t> network_rate = 125'000'000;
  std::optional<std::int64_t> rack_rate;
  Duration seek = milliseconds(8);  // before the first byte of a replica
  Duration heartbeat = seconds(3);  // the namenode's, too
  // From one full report to the next (dfs.blockreport.intervalMsec); changes are reported at once.
  Duration block_report_interval = seconds(6 * 60 * 60);
  // Wall time: what a datanode's peer may take to send what is due, a client or the next datanode
  // of a pipeline (dfs.client.socket-timeout).
  std::chrono::milliseconds socket_timeout = default_datanode_socket_timeout;

  bool operator==(const DatanodeOptions&) const = default;
};

}  // namespace tracebed
