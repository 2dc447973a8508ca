// The client's side of a connection of Hadoop IPC, version 9.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/hdfs/parse_result.h"
#include "protocol/hdfs/rpc_call_key.h"
#include "protocol/hdfs/rpc_reply.h"

namespace tracebed::hdfs {

// What a connection begins with: its header, and the context that names the user.
void append_connection(std::string& out, std::string_view user, std::string_view protocol,
                       const RpcClientId& client_id);
void append_call(std::string& out, const RpcCallKey& key, std::string_view method,
                 std::string_view protocol, const google::protobuf::MessageLite& request);

// The response views the buffer.
struct RpcReply {
  RpcCallKey key;
  std::variant<Bytes, RpcError> result;
};
// `frame_bytes_max` as in RpcLimits; Hadoop's clients accept 128 MiB.
ParseResult<RpcReply> parse_reply(Bytes unread, std::size_t frame_bytes_max);

}  // namespace tracebed::hdfs
