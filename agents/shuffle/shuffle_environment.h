// What the connections of a shuffle server share.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "agents/datanode/datanode_rates.h"
#include "agents/shuffle/kept_blocks.h"
#include "agents/shuffle/map_output_store.h"
#include "protocol/shuffle/shuffle_token.h"

namespace tracebed {

struct ShuffleLimits {
  // Further connections are closed at once (mapreduce.shuffle.max.connections, which is unlimited
  // there). Each takes up to 600 KiB.
  std::size_t connections_max = 1'024;
  // For a request to arrive whole, from its first byte on; the first request of a connection: from
  // its begin on.
  std::chrono::milliseconds read_timeout = std::chrono::seconds(60);
  // For a peer to take a chunk.
  std::chrono::milliseconds write_timeout = std::chrono::seconds(60);
  // Between two requests (mapreduce.shuffle.connection-keep-alive.timeout).
  std::chrono::milliseconds keepalive = std::chrono::seconds(5);
  // Between two frames of a put: a map may compute for long before it has more.
  std::chrono::milliseconds put_timeout = std::chrono::minutes(10);
  // For a peer to take note of an error and to close the connection.
  std::chrono::milliseconds drain_timeout = std::chrono::seconds(3);
};

struct ShuffleFigures {
  std::uint64_t bytes_put = 0;  // also of outputs that were not committed
  std::uint64_t bytes_got = 0;
  std::uint64_t connections = 0;  // at this moment
  std::uint64_t refused = 0;      // connections, for lack of room or threads
  std::uint64_t denied = 0;       // requests with a wrong code
  std::uint64_t malformed = 0;    // peers that sent what no peer sends
  bool operator==(const ShuffleFigures&) const = default;
};

// Any thread may use it.
struct ShuffleCounters {
  std::atomic<std::uint64_t> bytes_put = 0;
  std::atomic<std::uint64_t> bytes_got = 0;
  std::atomic<std::uint64_t> denied = 0;
  std::atomic<std::uint64_t> malformed = 0;
};

// All parts outlive the connections.
struct ShuffleEnvironment {
  MapOutputStore& store;
  KeptBlocks& kept;
  DatanodeRates& rates;
  ShuffleCounters& counters;
  const std::atomic<bool>& is_ending;
  const shuffle::RunKey& key;
  const ShuffleLimits& limits;
};

}  // namespace tracebed
