// A TCP connection on which nothing waits without a deadline. All its functions belong to one
// thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "hdfs_client/client_failure.h"
#include "hdfs_client/deadline.h"
#include "protocol/hdfs/parse_result.h"
#include "system/file_descriptor.h"

namespace tracebed::hdfs {

// An IPv4 address in digits, and a port.
struct Endpoint {
  std::string address;
  std::uint16_t port = 0;

  std::string text() const { return address + ":" + std::to_string(port); }
  bool operator==(const Endpoint&) const = default;
};

struct ConnectionOptions {
  // That connections come from, in digits; empty: the kernel's choice.
  std::string local_address = {};
  std::chrono::milliseconds connect_timeout{60'000};  // dfs.client.socket-timeout
  // For one message to arrive whole, or to be sent whole: a peer that sends a byte now and then
  // runs out of time like one that sends nothing.
  std::chrono::milliseconds read_timeout{60'000};
  std::chrono::milliseconds write_timeout{60'000};
  // A descriptor of the caller's, not owned: every wait fails with `interrupted` while it is
  // readable. None: -1.
  int interrupt = -1;
  // Of what is read and written over it (core/transfer_weight.h); 0: none is stated.
  std::uint32_t transfer_weight = 0;
};

// Waits for that time; fails with `interrupted` as soon as the descriptor is readable.
ClientStatus pause(std::chrono::milliseconds time, int interrupt);

class Connection {
 public:
  static ClientResult<Connection> open(const Endpoint& peer, const ConnectionOptions& options);

  // What can be done without waiting.
  struct Readiness {
    bool to_receive = false;  // also when the peer has closed: receiving fails then
    bool to_send = false;
  };
  // Neither is ready if the deadline passes before.
  ClientResult<Readiness> wait(Readiness wanted, const Deadline& deadline) const;

  // At least one byte, at most as many as `out` has; a peer that has closed is a failure.
  ClientResult<std::size_t> receive(std::span<std::byte> out, const Deadline& deadline);
  // All bytes.
  ClientStatus send(Bytes bytes, const Deadline& deadline);

  // As much as is possible at once; 0 if nothing is.
  ClientResult<std::size_t> try_receive(std::span<std::byte> out);
  ClientResult<std::size_t> try_send(Bytes bytes);

  const Endpoint& peer() const { return peer_; }

 private:
  Connection(FileDescriptor socket, Endpoint peer, int interrupt);

  ClientStatus finish_connecting(const Deadline& deadline) const;
  ClientFailure failed(int error_number, const char* action) const;
  ClientFailure timed_out(const char* action) const;

  FileDescriptor socket_;
  Endpoint peer_;
  int interrupt_;
};

}  // namespace tracebed::hdfs
