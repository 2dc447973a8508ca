#include "protocol/hdfs/rpc_reply.h"

#include <gtest/gtest.h>

#include "client_namenode.pb.h"
#include "core/random.h"
#include "protocol/hdfs/bytes.h"
#include "protocol/hdfs/namenode_method.h"
#include "protocol/hdfs/rpc_client.h"
#include "protocol/hdfs/rpc_server_reader.h"

namespace tracebed::hdfs {
namespace {

using test::to_hex;
using test::view;

RpcClientId client_id(std::string_view text) {
  RpcClientId id;
  std::copy(text.begin(), text.end(), id.bytes.begin());
  id.size = static_cast<std::uint8_t>(text.size());
  return id;
}

RpcReply parsed(const std::string& bytes) {
  const auto result = parse_reply(view(bytes), 1 << 20);
  const auto& reply = std::get<Parsed<RpcReply>>(result);
  EXPECT_EQ(reply.bytes, bytes.size());
  return reply.value;
}

// Worked by hand: call id 5, status 0, version 9, client id "c", retry count 0 (zig-zag), and a
// response without fields.
TEST(RpcReply, ASuccessHasTheBytesOfTheProtocol) {
  std::string out;
  RpcReplyWriter().success(out, {5, 0, client_id("c")}, pb::RenewLeaseResponse());
  EXPECT_EQ(to_hex(out),
            "0000000d"
            "0b"
            "0805"
            "1000"
            "1809"
            "3a0163"
            "4000"
            "00");
}

TEST(RpcReply, AFailureNamesTheExceptionAndLeavesTheConnectionOpen) {
  std::string out;
  RpcReplyWriter().failure(out, {1, 0, {}}, {RpcErrorCode::application, "E", "m"});
  EXPECT_EQ(to_hex(out),
            "00000013"
            "12"
            "0801"
            "1001"
            "1809"
            "220145"
            "2a016d"
            "3001"
            "3a00"
            "4000");
}

TEST(RpcReply, AFatalErrorHasAStatusOfItsOwn) {
  std::string out;
  RpcReplyWriter().failure(out, {}, {RpcErrorCode::invalid_rpc_header, "E", "m"});
  EXPECT_EQ(to_hex(out),
            "00000017"
            "16"
            "08ffffffff0f"
            "1002"
            "1809"
            "220145"
            "2a016d"
            "300c"
            "3a00"
            "4001");
}

TEST(RpcReply, OneWriterAppendsManyRepliesWithoutTracesOfThoseBefore) {
  RpcReplyWriter writer;
  std::string all;
  writer.failure(all, {1, 0, client_id("one")}, {RpcErrorCode::application, "E", "m"});
  const std::size_t first = all.size();
  writer.success(all, {2, 3, {}}, pb::RenewLeaseResponse());
  std::string alone;
  RpcReplyWriter().success(alone, {2, 3, {}}, pb::RenewLeaseResponse());
  EXPECT_EQ(to_hex(all.substr(first)), to_hex(alone));
}

TEST(RpcReply, RandomCallsAndRepliesReturnAsTheyWereSent) {
  Random random(17);
  RpcReplyWriter writer;
  RpcServerReader reader;
  std::string opening;
  append_connection(opening, "u", client_protocol, {});
  std::size_t at = 0;
  for (int i = 0; i < 2; ++i) {
    at += std::get<Parsed<RpcInput>>(reader.next(view(opening).subspan(at))).bytes;
  }
  for (int round = 0; round < 500; ++round) {
    RpcCallKey key{static_cast<std::int32_t>(random.below(1u << 31)),
                   static_cast<std::int32_t>(random.between(-1, 50)),
                   {}};
    key.client_id.size = static_cast<std::uint8_t>(random.below(17));
    for (std::size_t i = 0; i < key.client_id.size; ++i) {
      key.client_id.bytes[i] = static_cast<char>(random.below(256));
    }
    pb::GetBlockLocationsRequest request;
    request.set_src(std::string(random.below(300), 'p'));
    request.set_offset(random.next());
    request.set_length(random.next());
    std::string bytes;
    append_call(bytes, key, "getBlockLocations", client_protocol, request);
    const auto input = reader.next(view(bytes));
    const auto& call = std::get<RpcCall>(std::get<Parsed<RpcInput>>(input).value);
    EXPECT_EQ(call.key, key);
    EXPECT_EQ(test::text(call.request), request.SerializeAsString());

    std::string reply;
    if (random.chance(0.5)) {
      writer.success(reply, key, request);
      const RpcReply read = parsed(reply);
      EXPECT_EQ(read.key, key);
      EXPECT_EQ(test::text(std::get<Bytes>(read.result)), request.SerializeAsString());
    } else {
      const std::string message(random.below(200), 'm');
      writer.failure(reply, key, {RpcErrorCode::application, "java.io.IOException", message});
      const RpcReply read = parsed(reply);
      EXPECT_EQ(read.key, key);
      EXPECT_EQ(std::get<RpcError>(read.result).message, message);
    }
  }
}

TEST(RpcReply, EveryPrefixOfAReplyNeedsMore) {
  std::string reply;
  RpcReplyWriter().failure(reply, {7, 0, client_id("0123456789abcdef")},
                           no_such_method("m", client_protocol));
  for (std::size_t size = 0; size < reply.size(); ++size) {
    const auto result = parse_reply(view(reply).first(size), 1000);
    ASSERT_TRUE(std::holds_alternative<NeedMore>(result));
    EXPECT_GT(std::get<NeedMore>(result).bytes, size);
    EXPECT_LE(std::get<NeedMore>(result).bytes, reply.size());
  }
}

// In the forms that org.apache.hadoop.ipc.Server writes for them.
TEST(RpcReply, ClientsOfEachOldVersionGetWhatTheyCanRead) {
  const std::string text = "Server IPC version 9 cannot communicate with client version ";
  const std::string name = "org.apache.hadoop.ipc.RPC$VersionMismatch";
  const std::string name_bytes = std::string("\0\0\0\x29", 4) + name;
  const std::string text_size("\0\0\0\x3d", 4);
  EXPECT_EQ(version_mismatch_reply(1), "");
  EXPECT_EQ(version_mismatch_reply(200), "");
  EXPECT_EQ(version_mismatch_reply(2),
            std::string("\0\0\0\0\1", 5) + name_bytes + text_size + text + "2");
  for (const char version : {'3', '8'}) {
    EXPECT_EQ(version_mismatch_reply(static_cast<std::uint8_t>(version - '0')),
              std::string(8, '\xff') + name_bytes + text_size + text + version);
  }
  const RpcReply reply = parsed(version_mismatch_reply(10));
  EXPECT_EQ(reply.key.call_id, invalid_call_id);
  const auto& error = std::get<RpcError>(reply.result);
  EXPECT_EQ(error.code, RpcErrorCode::version_mismatch);
  EXPECT_EQ(error.exception_class, name);
  EXPECT_EQ(error.message, text + "10");
}

TEST(RpcReply, AMalformedRequestLeavesTheConnectionOpen) {
  const RpcError error = malformed_request("getFileInfo");
  EXPECT_FALSE(closes_connection(error.code));
  EXPECT_EQ(error.message, "the request of getFileInfo cannot be parsed");
}

TEST(NamenodeMethods, HaveTheNamesOfTheProtocol) {
  int found = 0;
  for (int number = 0; number < 256; ++number) {
    const auto method = static_cast<NamenodeMethod>(number);
    if (number > static_cast<int>(NamenodeMethod::set_times)) break;
    ASSERT_EQ(namenode_method(method_name(method)), method);
    ++found;
  }
  EXPECT_EQ(found, 51);
  EXPECT_EQ(namenode_method("delete"), NamenodeMethod::remove);
  EXPECT_EQ(namenode_method("getFileInfos"), std::nullopt);
  EXPECT_EQ(namenode_method(""), std::nullopt);
}

}  // namespace
}  // namespace tracebed::hdfs
