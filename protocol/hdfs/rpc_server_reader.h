// The server's side of a connection of Hadoop IPC, version 9: what a client sends, in its order.
// The rules are those of org.apache.hadoop.ipc.Server with simple authentication only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/hdfs/parse_result.h"
#include "protocol/hdfs/rpc_call_key.h"

namespace tracebed::hdfs {

struct RpcLimits {
  // Of a frame, without its length. Hadoop's `ipc.maximum.data.length` is 128 MiB by default.
  std::size_t frame_bytes_max = std::size_t{1} << 20;
};

// Who uses the connection; sent once, before the first call. Owns its texts.
struct RpcConnectionContext {
  std::string effective_user;  // empty if the client names none
  std::string real_user;       // of a proxy user; else empty
  std::string protocol;        // the class of the first protocol used
};

// Method and protocol view the reader and hold until its next call; the request views the buffer.
struct RpcCall {
  RpcCallKey key;
  std::string_view method;    // "getBlockLocations"
  std::string_view protocol;  // "org.apache.hadoop.hdfs.protocol.ClientProtocol"
  std::uint64_t protocol_version = 0;
  Bytes request;  // the message, without its length
};

// Is read and needs no reply: a ping, or the connection header.
struct RpcNothing {};

// Bytes for the client that are independent of any method.
struct RpcImmediateReply {
  std::string bytes;
  bool closes_connection = false;  // after it; whatever else the client sent is not read
};

using RpcInput = std::variant<RpcNothing, RpcConnectionContext, RpcCall, RpcImmediateReply>;

// Every violation of the protocol has a reply, so nothing is `Malformed`. `NeedMore` never exceeds
// the limit of frames by more than their length's four bytes.
class RpcServerReader {
 public:
  explicit RpcServerReader(RpcLimits limits = {});
  ~RpcServerReader();
  RpcServerReader(RpcServerReader&&) noexcept;
  RpcServerReader& operator=(RpcServerReader&&) noexcept;

  // Not to be called after a reply that closes the connection (checked).
  std::variant<NeedMore, Parsed<RpcInput>> next(Bytes unread);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tracebed::hdfs
