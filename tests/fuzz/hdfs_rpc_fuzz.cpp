// A connection of Hadoop RPC, from whoever reaches the namenode's port.
#include <algorithm>
#include <cstddef>
#include <span>

#include "client_namenode.pb.h"
#include "core/check.h"
#include "core/visit.h"
#include "fuzz/fuzz_target.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/namenode_method.h"
#include "protocol/hdfs/recorded_client.h"
#include "protocol/hdfs/rpc_client.h"
#include "protocol/hdfs/rpc_server_reader.h"

namespace tracebed::fuzz {
namespace {

using namespace hdfs;

// A call that was read could have been sent.
void check_call(const RpcCall& call) {
  pb::GetBlockLocationsRequest request;
  if (!parse_message(call.request, request)) return;
  std::string connection;
  append_connection(connection, "u", client_protocol, {});
  append_call(connection, call.key, call.method, call.protocol, request);
  RpcServerReader reader;
  Bytes unread = test::view(connection);
  for (int i = 0; i < 2; ++i) {
    unread = unread.subspan(std::get<Parsed<RpcInput>>(reader.next(unread)).bytes);
  }
  const auto again = reader.next(unread);
  const auto* parsed = std::get_if<Parsed<RpcInput>>(&again);
  const RpcCall* second = parsed == nullptr ? nullptr : std::get_if<RpcCall>(&parsed->value);
  TRACEBED_CHECK(second != nullptr && second->key == call.key && second->method == call.method &&
                     second->protocol == call.protocol,
                 "what a server accepts, a client could have sent");
}

// What is read of the bytes as text, where they arrive in pieces.
std::string read_connection(Bytes bytes, std::size_t piece) {
  RpcServerReader reader({.frame_bytes_max = 4096});
  std::string inputs;
  std::size_t arrived = 0;
  for (std::size_t at = 0;;) {
    const Bytes unread = bytes.subspan(at, arrived - at);
    const auto result = reader.next(unread);
    if (const auto* more = std::get_if<NeedMore>(&result)) {
      TRACEBED_CHECK(more->bytes > unread.size() && more->bytes <= 4100,
                     "what is missing is more than what is there, and bounded");
      if (arrived == bytes.size()) return inputs;
      arrived = std::min(bytes.size(), arrived + piece);
      continue;
    }
    const auto& parsed = std::get<Parsed<RpcInput>>(result);
    TRACEBED_CHECK(parsed.bytes > 0 && parsed.bytes <= unread.size(), "an input is of the bytes");
    at += parsed.bytes;
    bool is_closed = false;
    visit_all(
        parsed.value, Ignore<RpcNothing>{},
        [&](const RpcConnectionContext& context) { inputs += context.effective_user + '\n'; },
        [&](const RpcCall& call) {
          inputs += std::string(call.method) + test::text(call.request) + '\n';
          check_call(call);
        },
        [&](const RpcImmediateReply& reply) {
          inputs += reply.bytes + '\n';
          is_closed = reply.closes_connection;
        });
    if (is_closed) return inputs;
  }
}

}  // namespace

std::vector<std::string> seeds() {
  std::string calls;
  append_connection(calls, "alice", client_protocol, {});
  pb::GetBlockLocationsRequest request;
  request.set_src("/a/b");
  request.set_offset(3);
  request.set_length(1 << 20);
  for (int id = 0; id < 3; ++id) {
    append_call(calls, {id, -1, {}}, "getBlockLocations", client_protocol, request);
  }
  std::string replies;
  RpcReplyWriter writer;
  writer.success(replies, {1, 0, {}}, request);
  std::string failure;
  writer.failure(failure, {2, 0, {}}, no_such_method("m", client_protocol));
  return {test::recorded_rpc(), calls, replies, failure, "GET / HTTP/1.1\r\n\r\n"};
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tracebed;
  const hdfs::Bytes bytes = std::as_bytes(std::span(data, size));
  TRACEBED_CHECK(fuzz::read_connection(bytes, bytes.size()) == fuzz::read_connection(bytes, 7),
                 "what is read does not depend on how it arrives");
  const auto reply = hdfs::parse_reply(bytes, 4096);
  if (const auto* parsed = std::get_if<hdfs::Parsed<hdfs::RpcReply>>(&reply)) {
    TRACEBED_CHECK(parsed->bytes <= bytes.size(), "a reply is of the bytes");
  }
  return 0;
}
