#include "protocol/hdfs/rpc_server_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/check.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/rpc_reply.h"
#include "rpc_headers.pb.h"

namespace tracebed::hdfs {
namespace {

constexpr std::size_t connection_header_bytes =
    7;  // "hrpc", version, service class, authentication
constexpr std::string_view rpc_server_exception = "org.apache.hadoop.ipc.RpcServerException";

std::string_view text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

struct RpcServerReader::State {
  enum class Phase { connection_header, sasl, context, calls, closed };

  RpcLimits limits;
  Phase phase = Phase::connection_header;
  RpcReplyWriter replies;
  pb::RpcRequestHeader header;
  pb::RequestHeader method;
  RpcCallKey key;  // of the frame that is read

  // The connection cannot go on after it.
  RpcImmediateReply refuse(RpcErrorCode code, std::string message,
                           std::string_view exception = rpc_server_exception) {
    RpcImmediateReply reply;
    replies.failure(reply.bytes, key, {code, std::string(exception), std::move(message)});
    reply.closes_connection = true;
    phase = Phase::closed;
    return reply;
  }
  RpcImmediateReply refuse_header(std::string message) {
    return refuse(RpcErrorCode::invalid_rpc_header, std::move(message));
  }
  RpcImmediateReply refuse_message(std::string message) {
    return refuse(RpcErrorCode::deserializing_request, std::move(message));
  }
  RpcImmediateReply close_with(std::string bytes) {
    phase = Phase::closed;
    return {std::move(bytes), true};
  }

  RpcInput read_connection_header(Bytes bytes);
  RpcInput read_frame(Bytes frame);
  std::optional<RpcImmediateReply> check_header();
  RpcInput read_sasl(Bytes message);
  RpcInput read_context(Bytes message);
  RpcInput read_call(Bytes rest);
};

// org.apache.hadoop.ipc.Server.Connection.readAndProcess
RpcInput RpcServerReader::State::read_connection_header(Bytes bytes) {
  const auto version = std::to_integer<std::uint8_t>(bytes[4]);
  const auto authentication = static_cast<std::int8_t>(std::to_integer<std::uint8_t>(bytes[6]));
  if (text(bytes.first(4)) == "GET ") return close_with(http_reply());
  if (text(bytes.first(4)) != "hrpc" || version != rpc_version) {
    return close_with(version_mismatch_reply(version));
  }
  if (authentication == 0) {
    phase = Phase::context;
  } else if (authentication == sasl_call_id) {
    phase = Phase::sasl;
  } else {
    return refuse(RpcErrorCode::unauthorized,
                  "there is no authentication protocol " + std::to_string(authentication),
                  "org.apache.hadoop.ipc.IpcException");
  }
  return RpcNothing{};
}

// org.apache.hadoop.ipc.Server.Connection.checkRpcHeaders
std::optional<RpcImmediateReply> RpcServerReader::State::check_header() {
  key.call_id = header.call_id();
  key.retry_count = header.retry_count();
  if (header.client_id().size() > RpcClientId::bytes_max) {
    return refuse_header("a client id has at most 16 bytes");
  }
  std::copy(header.client_id().begin(), header.client_id().end(), key.client_id.bytes.begin());
  key.client_id.size = static_cast<std::uint8_t>(header.client_id().size());
  if (!header.has_rpc_op() || header.rpc_op() != pb::RpcRequestHeader::FINAL_PACKET) {
    return refuse_header("a request has no operation but RPC_FINAL_PACKET");
  }
  if (header.rpc_kind() != pb::RPC_PROTOCOL_BUFFER) {
    return refuse_header("a request is of the kind RPC_PROTOCOL_BUFFER");
  }
  return std::nullopt;
}

// Servers without another authentication method answer any negotiation with success, upon which
// clients continue without SASL (org.apache.hadoop.ipc.Server.buildNegotiateResponse).
RpcInput RpcServerReader::State::read_sasl(Bytes message) {
  constexpr std::string_view exception = "javax.security.sasl.SaslException";
  if (phase != Phase::sasl) return refuse_header("the connection header did not ask for SASL");
  pb::RpcSasl sasl;
  if (!parse_message(message, sasl)) return refuse_message("a SASL message cannot be parsed");
  if (sasl.state() != pb::RpcSasl::NEGOTIATE) {
    return refuse(RpcErrorCode::unauthorized, "simple authentication has no SASL exchange",
                  exception);
  }
  sasl.Clear();
  sasl.set_state(pb::RpcSasl::SUCCESS);
  phase = Phase::context;
  RpcImmediateReply reply;
  replies.success(reply.bytes, key, sasl);
  return reply;
}

RpcInput RpcServerReader::State::read_context(Bytes message) {
  if (phase == Phase::sasl) return refuse_header("the connection context precedes SASL's end");
  if (phase == Phase::calls) return refuse_header("the connection has a context already");
  pb::IpcConnectionContext context;
  if (!parse_message(message, context)) {
    return refuse_message("the connection context cannot be parsed");
  }
  phase = Phase::calls;
  RpcConnectionContext result;
  result.effective_user = std::move(*context.mutable_user_info()->mutable_effective_user());
  result.real_user = std::move(*context.mutable_user_info()->mutable_real_user());
  result.protocol = std::move(*context.mutable_protocol());
  return result;
}

RpcInput RpcServerReader::State::read_call(Bytes rest) {
  if (phase != Phase::calls) return refuse_header("a call precedes the connection context");
  const ParseResult<Bytes> name = parse_delimited(rest, rest.size());
  const auto* name_bytes = std::get_if<Parsed<Bytes>>(&name);
  if (name_bytes == nullptr || !parse_message(name_bytes->value, method)) {
    return refuse_message("the header of a method cannot be parsed");
  }
  rest = rest.subspan(name_bytes->bytes);
  const ParseResult<Bytes> request = parse_delimited(rest, rest.size());
  const auto* request_bytes = std::get_if<Parsed<Bytes>>(&request);
  if (request_bytes == nullptr || request_bytes->bytes != rest.size()) {
    return refuse_message("a request does not end with its frame");
  }
  return RpcCall{key, method.method_name(), method.declaring_class_protocol_name(),
                 method.client_protocol_version(), request_bytes->value};
}

RpcInput RpcServerReader::State::read_frame(Bytes frame) {
  key = {};
  const ParseResult<Bytes> parsed = parse_delimited(frame, frame.size());
  const auto* header_bytes = std::get_if<Parsed<Bytes>>(&parsed);
  if (header_bytes == nullptr || !parse_message(header_bytes->value, header)) {
    return refuse_message("the header of a request cannot be parsed");
  }
  if (auto refusal = check_header()) return std::move(*refusal);
  const Bytes rest = frame.subspan(header_bytes->bytes);
  if (key.call_id >= 0) return read_call(rest);
  if (key.call_id == ping_call_id) return RpcNothing{};
  if (key.call_id != connection_context_call_id && key.call_id != sasl_call_id) {
    return refuse_header("there is no call with the id " + std::to_string(key.call_id));
  }
  const ParseResult<Bytes> body = parse_delimited(rest, rest.size());
  const auto* message = std::get_if<Parsed<Bytes>>(&body);
  if (message == nullptr || message->bytes != rest.size()) {
    return refuse_message("a message does not end with its frame");
  }
  return key.call_id == sasl_call_id ? read_sasl(message->value) : read_context(message->value);
}

RpcServerReader::RpcServerReader(RpcLimits limits) : state_(std::make_unique<State>()) {
  state_->limits = limits;
}
RpcServerReader::~RpcServerReader() = default;
RpcServerReader::RpcServerReader(RpcServerReader&&) noexcept = default;
RpcServerReader& RpcServerReader::operator=(RpcServerReader&&) noexcept = default;

// Hadoop closes the connection of a frame beyond its limit without a word; a reply does no harm to
// clients, which read it as the reason.
std::variant<NeedMore, Parsed<RpcInput>> RpcServerReader::next(Bytes unread) {
  TRACEBED_CHECK(state_->phase != State::Phase::closed, "nothing follows the end of a connection");
  if (state_->phase == State::Phase::connection_header) {
    if (unread.size() < connection_header_bytes) return NeedMore{connection_header_bytes};
    return Parsed<RpcInput>{state_->read_connection_header(unread), connection_header_bytes};
  }
  if (unread.size() < 4) return NeedMore{4};
  const std::size_t length = big_endian32(unread.data());
  if (length > state_->limits.frame_bytes_max) {
    state_->key = {};
    return Parsed<RpcInput>{state_->refuse_header("a frame of " + std::to_string(length) +
                                                  " bytes exceeds the limit of " +
                                                  std::to_string(state_->limits.frame_bytes_max)),
                            4};
  }
  if (unread.size() - 4 < length) return NeedMore{4 + length};
  return Parsed<RpcInput>{state_->read_frame(unread.subspan(4, length)), 4 + length};
}

}  // namespace tracebed::hdfs
