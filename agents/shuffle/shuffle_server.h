// Serves the map outputs of one machine: its own maps put them, the reduces of all machines fetch
// them (org.apache.hadoop.mapred.ShuffleHandler). A thread with a small stack for each connection,
// as the datanode has them.
//
// What is put passes the machine's disk; what is fetched passes it too, and the links to the peer
// if that is another machine. Blocks that executors keep in memory pass no disk.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "agents/datanode/transfer/connection_server.h"
#include "agents/shuffle/shuffle_environment.h"

namespace tracebed {

struct ShuffleServerOptions {
  std::string address;  // IPv4: of the machine, by which its links are found, and where it listens
  std::uint16_t port = 0;        // a free one
  std::filesystem::path folder;  // see MapOutputStore
  shuffle::RunKey key;
  ShuffleLimits limits;
  std::uint64_t kept_bytes_max = 0;  // of blocks that executors keep in memory (kept_blocks.h)
  // Of the machine, which it shares with the datanode; may be null: then it has rates of its own,
  // unlimited at first. It outlives the server, whose stop() stops it.
  SharedLinks* links = nullptr;
};

class ShuffleServer {
 public:
  // Listens at once. Throws EnvironmentError.
  explicit ShuffleServer(const ShuffleServerOptions& options);
  ~ShuffleServer();
  ShuffleServer(const ShuffleServer&) = delete;
  ShuffleServer& operator=(const ShuffleServer&) = delete;

  std::uint16_t port() const { return port_; }
  ShuffleFigures figures() const;

  // Without shared links, whose rates somebody else sets. Bytes a second; none: unlimited.
  void set_rates(std::optional<std::uint64_t> disk, std::optional<std::uint64_t> network,
                 std::chrono::nanoseconds seek);
  // What is being fetched of it is sent to its end.
  void remove_job(std::uint32_t job) {
    store_.remove_job(job);
    kept_.remove_job(job);
  }

  // Answers what is in progress with `ending`, and ends all connections within a second. Later
  // calls do nothing. One thread calls it.
  void stop();

 private:
  static constexpr std::chrono::milliseconds end_timeout{500};

  const ShuffleLimits limits_;
  const shuffle::RunKey key_;
  MapOutputStore store_;
  KeptBlocks kept_;
  DatanodeRates rates_;
  ShuffleCounters counters_;
  std::atomic<bool> is_ending_ = false;
  const ShuffleEnvironment environment_;
  OpenSockets sockets_;
  std::unique_ptr<ConnectionServer> server_;  // null: stopped
  const std::uint16_t port_;
};

}  // namespace tracebed
