// Clients of the namenode that are slow, silent, half-closed, many, or no clients at all.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include "coordinator/namenode_server/namenode_rpc_server.h"
#include "coordinator/namenode_server/rpc_caller.h"
#include "coordinator/namenode_server/run_thread.h"
#include "coordinator/namenode_server/webhdfs_server.h"
#include "protocol/hdfs/recorded_client.h"
#include "support/eventually.h"
#include "support/http.h"

namespace tracebed {
namespace {

using namespace hdfs;
using test::is_closed_by_peer;
using test::raw_connection;
using test::RpcCaller;
using test::RunThread;
using testing::HasSubstr;

void send_all(const FileDescriptor& socket, const std::string& bytes) {
  ASSERT_EQ(::send(socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(bytes.size()));
}

std::string receive_all(const FileDescriptor& socket) {
  std::string answer;
  std::array<char, 65536> piece;
  for (ssize_t got = 1; got > 0;) {
    got = ::recv(socket.number(), piece.data(), piece.size(), 0);
    if (got > 0) answer.append(piece.data(), static_cast<std::size_t>(got));
  }
  return answer;
}

pb::GetFileInfoRequest root() {
  pb::GetFileInfoRequest request;
  request.set_src("/");
  return request;
}

class BadClientsTest : public testing::Test {
 protected:
  static ClientServerOptions impatient() {
    ClientServerOptions options;
    options.request_timeout = std::chrono::milliseconds(50);
    return options;
  }
  static void expect_service(const NamenodeRpcServer& server) {
    RpcCaller client(server.port());
    EXPECT_EQ(client.call("getFileInfo", root()).error, "");
  }

  RunThread run_;
};

TEST_F(BadClientsTest, GarbageIsRefused) {
  const NamenodeRpcServer server(run_.gate(), {});
  const std::string hello = test::from_hex("68727063090000");
  const std::string never_ending_varint = test::from_hex("00000008ffffffffffffffff");
  for (const std::string& bytes :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(1000, '\xff'), std::string(1000, '\0'),
        hello + test::from_hex("7fffffff"), hello + test::from_hex("80000000"),
        hello + never_ending_varint, hello + test::from_hex("00000000")}) {
    const FileDescriptor socket = raw_connection(server.port());
    send_all(socket, bytes);
    EXPECT_TRUE(eventually([&] { return is_closed_by_peer(socket); })) << test::to_hex(bytes);
  }
  expect_service(server);
}

TEST_F(BadClientsTest, ARecordedClientIsServedByteByByte) {
  const NamenodeRpcServer server(run_.gate(), {});
  const FileDescriptor socket = raw_connection(server.port());
  for (const char byte : test::recorded_rpc()) send_all(socket, std::string(1, byte));
  ::shutdown(socket.number(), SHUT_WR);
  const auto reply = parse_reply(test::view(receive_all(socket)), 1 << 20);
  EXPECT_TRUE(std::holds_alternative<Parsed<RpcReply>>(reply));
}

TEST_F(BadClientsTest, AHalfClosedClientGetsItsReplies) {
  const NamenodeRpcServer server(run_.gate(), {});
  RpcCaller client(server.port());
  pb::MkdirsRequest mkdirs;
  mkdirs.set_src("/a");
  mkdirs.mutable_masked()->set_perm(0755);
  mkdirs.set_create_parent(true);
  client.send(RpcCaller::call_bytes("mkdirs", mkdirs, 1) +
              RpcCaller::call_bytes("getFileInfo", root(), 2));
  ::shutdown(client.socket().number(), SHUT_WR);
  EXPECT_EQ(client.receive().call + client.receive().call, 3);
  EXPECT_EQ(client.receive().call, -1) << "then the connection ends";
}

TEST_F(BadClientsTest, AClientThatGoesAwayLosesItsRepliesAndNothingElse) {
  const NamenodeRpcServer server(run_.gate(), {});
  run_.stop_answering();
  {
    RpcCaller client(server.port());
    pb::RenewLeaseRequest request;
    request.set_client_name("c");
    for (int i = 0; i < 50; ++i) client.begin("renewLease", request);
    EXPECT_TRUE(eventually([&] { return run_.unanswered() == 50; }));
  }
  run_.end_run();
  EXPECT_TRUE(eventually([&] { return server.figures().connections.connections == 0; }));
  run_.open_again("BP-2");
  expect_service(server);
}

TEST_F(BadClientsTest, WhoSaysNothingOrTooLittleIsCut) {
  const NamenodeRpcServer server(run_.gate(), impatient());
  const FileDescriptor silent = raw_connection(server.port());
  const FileDescriptor beginning = raw_connection(server.port());
  send_all(beginning, "hrpc");
  // After its first call it counts as a client, whose requests must arrive as soon.
  RpcCaller stuck(server.port());
  EXPECT_EQ(stuck.call("getFileInfo", root()).error, "");
  const std::string call = RpcCaller::call_bytes("getFileInfo", root(), 9);
  stuck.send(call.substr(0, call.size() - 1));
  EXPECT_TRUE(eventually([&] { return is_closed_by_peer(silent); }));
  EXPECT_TRUE(eventually([&] { return is_closed_by_peer(beginning); }));
  EXPECT_TRUE(eventually([&] { return is_closed_by_peer(stuck.socket()); }));
  EXPECT_TRUE(eventually([&] { return server.figures().too_slow > 0; }));
}

// It sends calls for replies of many megabytes and reads none of them.
TEST_F(BadClientsTest, WhoTakesNoRepliesIsCut) {
  run_.preload("/big", 10'000, 1);
  const NamenodeRpcServer server(run_.gate(), impatient());
  RpcCaller greedy(server.port());
  pb::GetBlockLocationsRequest request;
  request.set_src("/big");
  request.set_offset(0);
  request.set_length(1 << 20);
  std::string calls;
  for (int i = 0; i < 100; ++i) calls += RpcCaller::call_bytes("getBlockLocations", request, i);
  greedy.send(calls);
  EXPECT_TRUE(eventually([&] { return server.figures().too_slow == 1; }));
  EXPECT_TRUE(eventually([&] { return server.figures().connections.connections == 0; }));
}

TEST_F(BadClientsTest, AFrameBeyondTheLimitIsRefusedBeforeItArrives) {
  const NamenodeRpcServer server(run_.gate(), {});
  RpcCaller client(server.port());
  client.send(test::from_hex("00100001"));
  const auto reply = client.receive();
  EXPECT_EQ(reply.error, "org.apache.hadoop.ipc.RpcServerException");
  EXPECT_THAT(reply.message, HasSubstr("exceeds the limit"));
  EXPECT_EQ(client.receive().call, -1);
}

// More than may be kept, from one address: those who speak are served while others wait.
TEST_F(BadClientsTest, ThousandsOfSilentConnectionsKeepNobodyOut) {
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  constexpr std::size_t count = 2'000;
  if (limit.rlim_cur < 2 * count + 100) GTEST_SKIP() << "too few descriptors";
  ClientServerOptions options;
  options.connections_max = 500;
  {
    const NamenodeRpcServer server(run_.gate(), options);
    const auto silent = test::raw_connections(server.port(), count);
    expect_service(server);
    EXPECT_LE(server.figures().connections.connections, 500u);
  }
  const WebHdfsServer server(run_.gate(), options, {"127.0.0.1", 8020});
  const auto silent = test::raw_connections(server.port(), count);
  EXPECT_THAT(test::http_get(server.port(), "/webhdfs/v1/?op=LISTSTATUS"), HasSubstr("200 OK"));
  EXPECT_LE(server.figures().connections.connections, 500u);
}

TEST_F(BadClientsTest, BadRequestsOverHttpAreRefused) {
  const WebHdfsServer server(run_.gate(), {}, {"127.0.0.1", 8020});
  for (const char* request :
       {"GET /webhdfs/v1/?op=LISTSTATUS\r\n\r\n", "GET  HTTP/1.1\r\n\r\n",
        "GET /webhdfs/v1/ HTTP/9.9\r\n\r\n", "GET http://x/webhdfs/v1/ HTTP/1.1\r\n\r\n",
        "GET /webhdfs/v1/?op=LISTSTATUS HTTP/1.1\r\nno colon\r\n\r\n",
        "PUT /webhdfs/v1/a?op=MKDIRS HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "PUT /webhdfs/v1/a?op=MKDIRS HTTP/1.1\r\nContent-Length: 1\r\n"
        "Transfer-Encoding: chunked\r\n\r\n",
        "PUT /webhdfs/v1/a?op=MKDIRS HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"}) {
    EXPECT_THAT(test::http_exchange(server.port(), request), HasSubstr("HTTP/1.1 400 Bad Request"))
        << request;
  }
  EXPECT_THAT(test::http_exchange(server.port(), std::string(70'000, 'x')),
              HasSubstr("a head has at most 65536 bytes"));
}

}  // namespace
}  // namespace tracebed
