// Replies of Hadoop IPC, version 9.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "protocol/hdfs/rpc_call_key.h"

namespace google::protobuf {
class MessageLite;
}

namespace tracebed::hdfs {

// RpcErrorCodeProto, as far as the server of one version uses it.
enum class RpcErrorCode : std::uint8_t {
  application = 1,
  no_such_method = 2,
  no_such_protocol = 3,
  rpc_version_mismatch = 6,
  // After these the connection is closed.
  invalid_rpc_header = 12,
  deserializing_request = 13,
  version_mismatch = 14,
  unauthorized = 15,
};
bool closes_connection(RpcErrorCode code);

// What a Java client throws again.
struct RpcError {
  RpcErrorCode code = RpcErrorCode::application;
  std::string exception_class;  // "java.io.FileNotFoundException"
  std::string message;
};

RpcError no_such_method(std::string_view method, std::string_view protocol);
RpcError no_such_protocol(std::string_view protocol);
// A request that is no message of its method's type. The next call of the connection may be one.
RpcError malformed_request(std::string_view method);

// One writer is reused for many replies to keep its memory.
class RpcReplyWriter {
 public:
  RpcReplyWriter();
  ~RpcReplyWriter();
  RpcReplyWriter(RpcReplyWriter&&) noexcept;
  RpcReplyWriter& operator=(RpcReplyWriter&&) noexcept;

  // Append one frame. The response must have its required fields (checked).
  void success(std::string& out, const RpcCallKey& key,
               const google::protobuf::MessageLite& response);
  void failure(std::string& out, const RpcCallKey& key, const RpcError& error);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// To a client of another version, in the form that its version reads.
std::string version_mismatch_reply(std::uint8_t client_version);
// To a browser.
std::string http_reply();

}  // namespace tracebed::hdfs
