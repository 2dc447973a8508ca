#include "protocol/hdfs/rpc_client.h"

#include <algorithm>
#include <utility>

#include "protocol/hdfs/delimited.h"
#include "rpc_headers.pb.h"

namespace tracebed::hdfs {
namespace {

pb::RpcRequestHeader request_header(const RpcCallKey& key) {
  pb::RpcRequestHeader header;
  header.set_rpc_kind(pb::RPC_PROTOCOL_BUFFER);
  header.set_rpc_op(pb::RpcRequestHeader::FINAL_PACKET);
  header.set_call_id(key.call_id);
  header.set_client_id(key.client_id.bytes.data(), key.client_id.size);
  header.set_retry_count(key.retry_count);
  return header;
}

void finish_frame(std::string& out, std::size_t begin) {
  store_big_endian32(static_cast<std::uint32_t>(out.size() - begin - 4),
                     reinterpret_cast<std::byte*>(out.data() + begin));
}

RpcErrorCode error_code(const pb::RpcResponseHeader& header) {
  const bool is_fatal = header.status() == pb::RpcResponseHeader::FATAL;
  const auto code = static_cast<RpcErrorCode>(header.error_detail());
  switch (code) {
    case RpcErrorCode::application:
    case RpcErrorCode::no_such_method:
    case RpcErrorCode::no_such_protocol:
    case RpcErrorCode::rpc_version_mismatch:
    case RpcErrorCode::invalid_rpc_header:
    case RpcErrorCode::deserializing_request:
    case RpcErrorCode::version_mismatch:
    case RpcErrorCode::unauthorized:
      if (header.has_error_detail() && closes_connection(code) == is_fatal) return code;
  }
  return is_fatal ? RpcErrorCode::invalid_rpc_header : RpcErrorCode::application;
}

}  // namespace

void append_connection(std::string& out, std::string_view user, std::string_view protocol,
                       const RpcClientId& client_id) {
  constexpr std::string_view header("hrpc\x09\0\0", 7);
  out += header;
  const std::size_t begin = out.size();
  out.append(4, '\0');
  append_delimited(out, request_header({connection_context_call_id, -1, client_id}));
  pb::IpcConnectionContext context;
  context.mutable_user_info()->set_effective_user(std::string(user));
  context.set_protocol(std::string(protocol));
  append_delimited(out, context);
  finish_frame(out, begin);
}

void append_call(std::string& out, const RpcCallKey& key, std::string_view method,
                 std::string_view protocol, const google::protobuf::MessageLite& request) {
  const std::size_t begin = out.size();
  out.append(4, '\0');
  append_delimited(out, request_header(key));
  pb::RequestHeader header;
  header.set_method_name(std::string(method));
  header.set_declaring_class_protocol_name(std::string(protocol));
  header.set_client_protocol_version(1);
  append_delimited(out, header);
  append_delimited(out, request);
  finish_frame(out, begin);
}

ParseResult<RpcReply> parse_reply(Bytes unread, std::size_t frame_bytes_max) {
  if (unread.size() < 4) return NeedMore{4};
  const std::size_t length = big_endian32(unread.data());
  if (length > frame_bytes_max) {
    return Malformed{"a reply of " + std::to_string(length) + " bytes exceeds the limit of " +
                     std::to_string(frame_bytes_max)};
  }
  if (unread.size() - 4 < length) return NeedMore{4 + length};
  Bytes rest = unread.subspan(4, length);
  const ParseResult<Bytes> header_bytes = parse_delimited(rest, rest.size());
  const auto* header_found = std::get_if<Parsed<Bytes>>(&header_bytes);
  pb::RpcResponseHeader header;
  if (header_found == nullptr || !parse_message(header_found->value, header)) {
    return Malformed{"the header of a reply cannot be parsed"};
  }
  if (header.client_id().size() > RpcClientId::bytes_max) {
    return Malformed{"a client id has at most 16 bytes"};
  }
  RpcReply reply;
  reply.key.call_id = static_cast<std::int32_t>(header.call_id());
  reply.key.retry_count = header.retry_count();
  std::copy(header.client_id().begin(), header.client_id().end(),
            reply.key.client_id.bytes.begin());
  reply.key.client_id.size = static_cast<std::uint8_t>(header.client_id().size());
  rest = rest.subspan(header_found->bytes);
  if (header.status() != pb::RpcResponseHeader::SUCCESS) {
    reply.result = RpcError{error_code(header), header.exception_class_name(), header.error_msg()};
    return Parsed<RpcReply>{std::move(reply), 4 + length};
  }
  const ParseResult<Bytes> response = parse_delimited(rest, rest.size());
  const auto* response_found = std::get_if<Parsed<Bytes>>(&response);
  if (response_found == nullptr || response_found->bytes != rest.size()) {
    return Malformed{"a response does not end with its frame"};
  }
  reply.result = response_found->value;
  return Parsed<RpcReply>{std::move(reply), 4 + length};
}

}  // namespace tracebed::hdfs
