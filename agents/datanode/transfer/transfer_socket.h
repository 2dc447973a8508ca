// A TCP connection of a datanode, on which every wait has a deadline.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <sys/uio.h>

#include "agents/datanode/transfer/open_sockets.h"
#include "core/result.h"
#include "protocol/hdfs/parse_result.h"
#include "system/file_descriptor.h"

namespace tracebed {

enum class TransferFailure : std::uint8_t {
  ended,      // the peer closed the connection, or this process shut it down
  timed_out,  // before the deadline
  malformed,  // the peer sent what no peer sends
  failed,
};
struct TransferError {
  TransferFailure failure = TransferFailure::failed;
  std::string message = {};
};
template <class T>
using TransferResult = Result<T, TransferError>;
using TransferStatus = TransferResult<std::monostate>;
inline TransferStatus transferred() {
  return TransferStatus(std::monostate{});
}

// Where a server listens.
struct SocketPlace {
  std::string address;  // IPv4
  std::uint16_t port = 0;

  std::string to_string() const { return address + ":" + std::to_string(port); }
};

// One thread sends and one receives; any may shut it down while it lives.
class TransferSocket {
 public:
  using Clock = std::chrono::steady_clock;

  // Of a connection that was accepted.
  TransferSocket(FileDescriptor socket, OpenSockets& open);
  // Not connected yet. Its descriptor may be missing: connect() fails then.
  explicit TransferSocket(OpenSockets& open);
  ~TransferSocket();
  TransferSocket(const TransferSocket&) = delete;
  TransferSocket& operator=(const TransferSocket&) = delete;

  // From the address of this machine, unless that is empty.
  TransferStatus connect(const SocketPlace& place, const std::string& from,
                         std::chrono::milliseconds timeout);

  // All bytes of the parts, which are changed.
  TransferStatus send(std::span<iovec> parts, std::chrono::milliseconds timeout);
  TransferStatus send(hdfs::Bytes bytes, std::chrono::milliseconds timeout);
  TransferStatus send(std::string_view text, std::chrono::milliseconds timeout);

  // At least one byte.
  TransferResult<std::size_t> receive(std::span<std::byte> buffer, Clock::time_point deadline);

  void shut_down();
  // Ends the stream to the peer, and reads and drops what it sends until it ends its own, or for so
  // long. Closed with unread bytes, a connection would lose what was sent last (RFC 2525, 2.17).
  void drain(std::chrono::milliseconds timeout);

  // The peer's, in digits.
  const std::string& peer() const { return peer_; }

 private:
  TransferStatus wait(short events, Clock::time_point deadline);

  FileDescriptor socket_;
  OpenSockets& open_;
  std::string peer_;
};

}  // namespace tracebed
