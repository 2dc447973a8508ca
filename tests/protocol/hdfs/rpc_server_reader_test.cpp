#include "protocol/hdfs/rpc_server_reader.h"

#include <gtest/gtest.h>
#include <vector>

#include "client_namenode.pb.h"
#include "protocol/hdfs/bytes.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/namenode_method.h"
#include "protocol/hdfs/recorded_client.h"
#include "protocol/hdfs/rpc_client.h"
#include "rpc_headers.pb.h"

namespace tracebed::hdfs {
namespace {

using test::from_hex;
using test::view;

constexpr std::string_view header_bytes = "68727063 09 00 00";

// Reads inputs from the bytes until there are none, or the connection ends.
class ReadConnection {
 public:
  explicit ReadConnection(std::string bytes, RpcLimits limits = {})
      : bytes_(std::move(bytes)), reader_(limits) {}

  // Nothing at the end of the bytes.
  std::optional<RpcInput> next() {
    auto result = reader_.next(view(bytes_).subspan(at_));
    auto* parsed = std::get_if<Parsed<RpcInput>>(&result);
    if (parsed == nullptr) return std::nullopt;
    at_ += parsed->bytes;
    return std::move(parsed->value);
  }
  bool is_at_end() const { return at_ == bytes_.size(); }

  template <class Input>
  Input expect() {
    std::optional<RpcInput> input = next();
    EXPECT_TRUE(input && std::holds_alternative<Input>(*input));
    return input && std::holds_alternative<Input>(*input) ? std::get<Input>(*input) : Input();
  }
  // The error of a reply after which the connection closes.
  RpcError expect_refusal() {
    const auto reply = expect<RpcImmediateReply>();
    EXPECT_TRUE(reply.closes_connection);
    const auto parsed = parse_reply(view(reply.bytes), 1 << 20);
    const auto* found = std::get_if<Parsed<RpcReply>>(&parsed);
    EXPECT_NE(found, nullptr);
    return found == nullptr ? RpcError() : std::get<RpcError>(found->value.result);
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
  RpcServerReader reader_;
};

// A frame with one message after the header.
std::string frame(const pb::RpcRequestHeader& header, const google::protobuf::MessageLite& body) {
  std::string content;
  append_delimited(content, header);
  append_delimited(content, body);
  std::string out;
  append_big_endian32(out, static_cast<std::uint32_t>(content.size()));
  return out + content;
}

pb::RpcRequestHeader request_header(std::int32_t call_id) {
  pb::RpcRequestHeader header;
  header.set_rpc_kind(pb::RPC_PROTOCOL_BUFFER);
  header.set_rpc_op(pb::RpcRequestHeader::FINAL_PACKET);
  header.set_call_id(call_id);
  header.set_client_id("client");
  return header;
}

std::string context_frame() {
  return frame(request_header(connection_context_call_id), pb::IpcConnectionContext());
}

std::string connection() {
  return from_hex(header_bytes) + context_frame();
}

std::string call_frame(std::string_view method) {
  std::string out;
  append_call(out, {1, -1, {}}, method, client_protocol, pb::GetFsStatsRequest());
  return out;
}

TEST(RpcServerReader, ReadsWhatARealClientSends) {
  ReadConnection connection(test::recorded_rpc());
  connection.expect<RpcNothing>();
  const auto context = connection.expect<RpcConnectionContext>();
  EXPECT_EQ(context.effective_user, "alice");
  EXPECT_EQ(context.protocol, client_protocol);
  const auto call = connection.expect<RpcCall>();
  EXPECT_EQ(call.key.call_id, 1);
  EXPECT_EQ(call.key.retry_count, -1);
  EXPECT_EQ(call.key.client_id.view(), "8nmMP4Ixpaw8VApx");
  EXPECT_EQ(call.method, "getFsStats");
  EXPECT_EQ(call.protocol, client_protocol);
  EXPECT_EQ(call.protocol_version, 1u);
  EXPECT_TRUE(call.request.empty());
  EXPECT_TRUE(connection.is_at_end());
}

TEST(RpcServerReader, EveryPrefixNeedsMoreAndAtMostTheFrame) {
  const std::string bytes = test::recorded_rpc();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    RpcServerReader reader;
    std::size_t at = 0;
    for (;;) {
      const auto result = reader.next(view(bytes).subspan(at, size - at));
      if (const auto* more = std::get_if<NeedMore>(&result)) {
        EXPECT_GT(more->bytes, size - at);
        EXPECT_LE(at + more->bytes, bytes.size());
        break;
      }
      const auto& input = std::get<Parsed<RpcInput>>(result);
      ASSERT_FALSE(std::holds_alternative<RpcImmediateReply>(input.value)) << size;
      ASSERT_FALSE(std::holds_alternative<RpcCall>(input.value)) << size;
      at += input.bytes;
    }
  }
}

// Either something else is read, or the connection is refused; a frame that seems longer waits.
TEST(RpcServerReader, EveryChangedBitChangesWhatIsRead) {
  const std::string original = test::recorded_rpc();
  const auto read = [](const std::string& bytes) {
    ReadConnection connection(bytes);
    std::string inputs;
    while (const std::optional<RpcInput> input = connection.next()) {
      if (const auto* reply = std::get_if<RpcImmediateReply>(&*input)) {
        inputs += "reply " + reply->bytes;
        if (reply->closes_connection) return inputs;
      } else if (const auto* context = std::get_if<RpcConnectionContext>(&*input)) {
        inputs += "context " + context->effective_user + " " + context->real_user + " " +
                  context->protocol + "\n";
      } else if (const auto* call = std::get_if<RpcCall>(&*input)) {
        inputs += "call " + std::to_string(call->key.call_id) + " " +
                  std::to_string(call->key.retry_count) + " " +
                  std::string(call->key.client_id.view()) + " " + std::string(call->method) + " " +
                  std::string(call->protocol) + " " + std::to_string(call->protocol_version) + " " +
                  test::text(call->request) + "\n";
      }
    }
    return inputs;
  };
  const std::string expected = read(original);
  constexpr std::size_t service_class = 5;  // is ignored, as Hadoop's default server does
  constexpr std::size_t context_client_id = 18;
  for (std::size_t bit = 0; bit < original.size() * 8; ++bit) {
    const std::size_t byte = bit / 8;
    const bool is_unused =
        byte == service_class || (byte >= context_client_id && byte < context_client_id + 18);
    if (is_unused) continue;
    std::string changed = original;
    changed[byte] = static_cast<char>(changed[byte] ^ (1 << bit % 8));
    EXPECT_NE(read(changed), expected) << "bit " << bit;
  }
}

TEST(RpcServerReader, OtherVersionsGetTheirReplyAndNoMore) {
  ReadConnection connection(from_hex("68727063 08 00 00"));
  const auto reply = connection.expect<RpcImmediateReply>();
  EXPECT_EQ(reply.bytes, version_mismatch_reply(8));
  EXPECT_TRUE(reply.closes_connection);
}

TEST(RpcServerReader, ABrowserGetsAnAnswerOverHttp) {
  ReadConnection connection("GET / HTTP/1.1\r\n\r\n");
  const auto reply = connection.expect<RpcImmediateReply>();
  EXPECT_TRUE(reply.bytes.starts_with("HTTP/1.1 404 Not Found\r\n"));
  EXPECT_TRUE(reply.closes_connection);
}

TEST(RpcServerReader, AnUnknownAuthenticationIsUnauthorized) {
  ReadConnection connection(from_hex("68727063 09 00 05"));
  EXPECT_EQ(connection.expect_refusal().code, RpcErrorCode::unauthorized);
}

// RpcSaslProto {state: NEGOTIATE} is answered by {state: SUCCESS}.
TEST(RpcServerReader, ANegotiationOfSaslEndsWithSimpleAuthentication) {
  pb::RpcSasl negotiate;
  negotiate.set_state(pb::RpcSasl::NEGOTIATE);
  ReadConnection connection(from_hex("68727063 09 00 df") +
                            frame(request_header(sasl_call_id), negotiate) + context_frame());
  connection.expect<RpcNothing>();
  const auto reply = connection.expect<RpcImmediateReply>();
  EXPECT_FALSE(reply.closes_connection);
  const auto parsed = parse_reply(view(reply.bytes), 100);
  const auto& value = std::get<Parsed<RpcReply>>(parsed).value;
  EXPECT_EQ(value.key.call_id, sasl_call_id);
  EXPECT_EQ(test::to_hex(test::text(std::get<Bytes>(value.result))), "1000");
  connection.expect<RpcConnectionContext>();
}

TEST(RpcServerReader, AnyOtherMessageOfSaslIsUnauthorized) {
  pb::RpcSasl initiate;
  initiate.set_state(pb::RpcSasl::INITIATE);
  ReadConnection connection(from_hex("68727063 09 00 df") +
                            frame(request_header(sasl_call_id), initiate));
  connection.expect<RpcNothing>();
  const RpcError error = connection.expect_refusal();
  EXPECT_EQ(error.code, RpcErrorCode::unauthorized);
  EXPECT_EQ(error.exception_class, "javax.security.sasl.SaslException");
}

TEST(RpcServerReader, PingsNeedNoReply) {
  std::string content;
  append_delimited(content, request_header(ping_call_id));
  std::string ping;
  append_big_endian32(ping, static_cast<std::uint32_t>(content.size()));
  ReadConnection read(connection() + ping + content);
  read.expect<RpcNothing>();
  read.expect<RpcConnectionContext>();
  read.expect<RpcNothing>();
  EXPECT_TRUE(read.is_at_end());
}

struct Refused {
  std::string_view what;
  std::string bytes;  // after the connection header and its context
  RpcErrorCode code;
};

TEST(RpcServerReader, RefusesFramesThatBreakTheProtocol) {
  pb::RpcRequestHeader no_kind = request_header(1);
  no_kind.clear_rpc_kind();
  pb::RpcRequestHeader writable = request_header(1);
  writable.set_rpc_kind(pb::RPC_WRITABLE);
  pb::RpcRequestHeader no_operation = request_header(1);
  no_operation.clear_rpc_op();
  pb::RpcRequestHeader closing = request_header(1);
  closing.set_rpc_op(pb::RpcRequestHeader::CLOSE_CONNECTION);
  pb::RpcRequestHeader long_client = request_header(1);
  long_client.set_client_id(std::string(17, 'c'));
  const pb::GetFsStatsRequest nothing;
  const auto invalid = RpcErrorCode::invalid_rpc_header;
  const auto garbled = RpcErrorCode::deserializing_request;
  std::string trailing = call_frame("getFsStats");
  trailing[3] = static_cast<char>(trailing[3] + 1);
  trailing += 'x';
  const std::vector<Refused> frames = {
      {"an empty frame", from_hex("00000000"), garbled},
      {"a header without its fields", from_hex("00000001 00"), garbled},
      {"a header longer than its frame", from_hex("00000001 05"), garbled},
      {"a length that is negative", from_hex("ffffffff"), invalid},
      {"a length beyond the limit", from_hex("00100001"), invalid},
      {"no kind", frame(no_kind, nothing), invalid},
      {"another kind", frame(writable, nothing), invalid},
      {"no operation", frame(no_operation, nothing), invalid},
      {"another operation", frame(closing, nothing), invalid},
      {"a client id that is too long", frame(long_client, nothing), invalid},
      {"an unknown id below 0", frame(request_header(-7), nothing), invalid},
      {"a second context", context_frame(), invalid},
      {"SASL", frame(request_header(sasl_call_id), nothing), invalid},
      {"no header of a method", frame(request_header(1), nothing), garbled},
      {"bytes after the request", trailing, garbled}};
  for (const Refused& refused : frames) {
    SCOPED_TRACE(refused.what);
    ReadConnection read(connection() + refused.bytes);
    read.expect<RpcNothing>();
    read.expect<RpcConnectionContext>();
    EXPECT_EQ(read.expect_refusal().code, refused.code);
  }
}

TEST(RpcServerReader, ACallNeedsAContextBefore) {
  ReadConnection read(from_hex(header_bytes) + call_frame("getFsStats"));
  read.expect<RpcNothing>();
  EXPECT_EQ(read.expect_refusal().code, RpcErrorCode::invalid_rpc_header);
}

TEST(RpcServerReader, TheLimitOfFramesIsAnOption) {
  const std::string frame_bytes = call_frame("getFsStats");
  const auto exact = RpcLimits{.frame_bytes_max = frame_bytes.size() - 4};
  ReadConnection accepted(connection() + frame_bytes, exact);
  accepted.expect<RpcNothing>();
  accepted.expect<RpcConnectionContext>();
  accepted.expect<RpcCall>();
  ReadConnection refused(connection() + frame_bytes, {.frame_bytes_max = frame_bytes.size() - 5});
  refused.expect<RpcNothing>();
  refused.expect<RpcConnectionContext>();
  EXPECT_EQ(refused.expect_refusal().code, RpcErrorCode::invalid_rpc_header);
}

TEST(RpcServerReaderDeathTest, NothingIsReadAfterTheEnd) {
  RpcServerReader reader;
  const std::string browser = "GET / HTTP/1.1";
  (void)reader.next(view(browser));
  EXPECT_DEATH((void)reader.next(view(browser)), "nothing follows the end of a connection");
}

}  // namespace
}  // namespace tracebed::hdfs
