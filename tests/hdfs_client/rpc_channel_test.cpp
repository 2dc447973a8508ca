#include "hdfs_client/rpc_channel.h"

#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hdfs_client/changeable.h"
#include "hdfs_client/namenode_client.h"
#include "hdfs_client/scripted_namenode.h"

namespace tracebed::hdfs {
namespace {

using std::chrono::milliseconds;
using test::Changeable;
using test::LoopbackPeer;
using test::PeerConnection;
using test::quick_rpc;
using test::ScriptedNamenode;
using testing::HasSubstr;

pb::MkdirsRequest mkdirs(const std::string& path) {
  pb::MkdirsRequest request;
  request.set_src(path);
  request.mutable_masked()->set_perm(0755);
  request.set_create_parent(true);
  return request;
}

pb::MkdirsResponse made() {
  pb::MkdirsResponse response;
  response.set_result(true);
  return response;
}

RpcError exception(const std::string& exception_class) {
  return {RpcErrorCode::application, exception_class, "a message"};
}

TEST(NamenodeClient, MakesCallsOverOneConnection) {
  ScriptedNamenode namenode;
  Changeable<std::string> path;
  namenode.on<pb::MkdirsRequest>([&](const pb::MkdirsRequest& request) {
    path = request.src();
    return made();
  });
  NamenodeClient client(namenode.endpoint(), quick_rpc());
  for (int i = 0; i < 3; ++i) {
    const auto response = client.call(mkdirs("/a/" + std::to_string(i)));
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_TRUE(response->result());
    EXPECT_EQ(path.get(), "/a/" + std::to_string(i));
  }
  EXPECT_EQ(namenode.peer().connections(), 1);
  const auto calls = namenode.calls();
  EXPECT_NE(calls[0].key.call_id, calls[1].key.call_id);
}

TEST(NamenodeClient, NamesTheExceptionOfACallThatFails) {
  ScriptedNamenode namenode;
  namenode.on<pb::MkdirsRequest>([](const pb::MkdirsRequest&) -> pb::MkdirsResponse {
    throw exception("java.io.FileNotFoundException");
  });
  NamenodeClient client(namenode.endpoint(), quick_rpc());
  const auto response = client.call(mkdirs("/a"));
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ClientFailureKind::remote);
  EXPECT_EQ(response.error().exception_class, "java.io.FileNotFoundException");
  EXPECT_THAT(response.error().message, HasSubstr("a message"));
  EXPECT_EQ(namenode.count("mkdirs"), 1u);
  const auto unknown = client.call(pb::GetFsStatsRequest());
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().exception_class, "org.apache.hadoop.ipc.RpcNoSuchMethodException");
}

// What a retry cache needs: the same client and call id, and a count.
TEST(NamenodeClient, RepeatsACallWhoseAnswerIsLostUnderItsOwnId) {
  ScriptedNamenode namenode;
  namenode.on<pb::MkdirsRequest>([](const pb::MkdirsRequest&) { return made(); });
  namenode.lose_answers(2);
  NamenodeClient client(namenode.endpoint(), quick_rpc());
  ASSERT_TRUE(client.call(mkdirs("/a")));
  const auto calls = namenode.calls();
  ASSERT_EQ(calls.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    const RpcCallKey& key = calls[static_cast<std::size_t>(i)].key;
    EXPECT_EQ(key.call_id, calls[0].key.call_id);
    EXPECT_EQ(key.client_id, calls[0].key.client_id);
    EXPECT_EQ(key.retry_count, i);
  }
}

TEST(NamenodeClient, RepeatsACallOnlyIfTheNamenodeSaysThatItMaySucceed) {
  ScriptedNamenode namenode;
  std::atomic<int> left = 3;
  Changeable<std::string> exception_class("org.apache.hadoop.ipc.RetriableException");
  namenode.on<pb::MkdirsRequest>([&](const pb::MkdirsRequest&) {
    if (left-- > 0) throw exception(exception_class.get());
    return made();
  });
  NamenodeClient client(namenode.endpoint(), quick_rpc());
  EXPECT_TRUE(client.call(mkdirs("/a")));
  exception_class = std::string("org.apache.hadoop.ipc.StandbyException");
  left = 1;
  EXPECT_TRUE(client.call(mkdirs("/a")));
  left = 100;
  EXPECT_FALSE(client.call(mkdirs("/a")));
  EXPECT_EQ(namenode.count("mkdirs"), 4u + 2u + quick_rpc().attempts_max);
}

TEST(NamenodeClient, ReturnsToANamenodeThatClosedTheConnectionBetweenCalls) {
  ScriptedNamenode first;
  first.on<pb::MkdirsRequest>([](const pb::MkdirsRequest&) { return made(); });
  RpcOptions options = quick_rpc();
  options.attempts_max = 1;
  NamenodeClient client(first.endpoint(), options);
  ASSERT_TRUE(client.call(mkdirs("/a")));
  first.peer().stop();
  const auto refused = client.call(mkdirs("/a"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("refused"));
}

TEST(NamenodeClient, GivesUpOnANamenodeThatHangs) {
  LoopbackPeer hung([](PeerConnection& client, int) { client.hang(); });
  RpcOptions options = quick_rpc();
  options.connection.read_timeout = milliseconds(20);
  options.attempts_max = 3;
  NamenodeClient client(hung.endpoint(), options);
  const auto response = client.call(mkdirs("/a"));
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ClientFailureKind::timeout);
  EXPECT_EQ(hung.connections(), 3);
}

TEST(NamenodeClient, StopsWhenItIsInterrupted) {
  LoopbackPeer hung([](PeerConnection& client, int) { client.hang(); });
  const EventDescriptor interrupt;
  RpcOptions options = quick_rpc();
  options.connection.interrupt = interrupt.number();
  NamenodeClient client(hung.endpoint(), options);
  std::thread ringing([&] { interrupt.ring(); });
  const auto response = client.call(mkdirs("/a"));
  ringing.join();
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ClientFailureKind::interrupted);
}

TEST(NamenodeClient, TakesNonsenseForAFailureAndNotForMemory) {
  for (const std::string& nonsense :
       {std::string("\xff\xff\xff\xff hello"), std::string("HTTP/1.1 200 OK\r\n\r\n"),
        std::string("\0\0\0\2\1\1", 6), std::string(64, '\0')}) {
    LoopbackPeer peer([&](PeerConnection& client, int) {
      client.send(nonsense);
      client.hang();
    });
    RpcOptions options = quick_rpc();
    options.connection.read_timeout = milliseconds(100);
    options.attempts_max = 2;
    NamenodeClient client(peer.endpoint(), options);
    EXPECT_FALSE(client.call(mkdirs("/a")));
  }
}

TEST(NamenodeClient, ListsADirectoryPartByPart) {
  ScriptedNamenode namenode;
  namenode.on<pb::GetListingRequest>([](const pb::GetListingRequest& request) {
    pb::GetListingResponse response;
    const int first = request.start_after().empty() ? 0 : std::stoi(request.start_after()) + 1;
    for (int i = first; i < std::min(first + 2, 5); ++i) {
      pb::HdfsFileStatus& entry = *response.mutable_dir_list()->add_partial_listing();
      entry.set_file_type(pb::HdfsFileStatus::IS_FILE);
      entry.set_path(std::to_string(i));
      entry.set_length(0);
      entry.mutable_permission()->set_perm(0644);
      entry.set_owner("alice");
      entry.set_group("users");
      entry.set_modification_time(0);
      entry.set_access_time(0);
    }
    response.mutable_dir_list()->set_remaining_entries(
        static_cast<std::uint32_t>(std::max(3 - first, 0)));
    return response;
  });
  NamenodeClient client(namenode.endpoint(), quick_rpc());
  const auto entries = client.listing("/a");
  ASSERT_TRUE(entries) << entries.error().message;
  ASSERT_EQ(entries->size(), 5u);
  EXPECT_EQ(entries->back().path(), "4");
  EXPECT_FALSE(client.listing("/a", 3));
}

TEST(NamenodeClient, KnowsNoFileAndNoDirectoryThatIsNotThere) {
  ScriptedNamenode namenode;
  namenode.on<pb::GetFileInfoRequest>([](auto&) { return pb::GetFileInfoResponse(); });
  namenode.on<pb::GetListingRequest>([](auto&) { return pb::GetListingResponse(); });
  NamenodeClient client(namenode.endpoint(), quick_rpc());
  const auto info = client.file_info("/a");
  ASSERT_TRUE(info);
  EXPECT_FALSE(info->has_value());
  EXPECT_EQ(client.listing("/a").error().exception_class, "java.io.FileNotFoundException");
}

TEST(BackOff, DoublesUpToItsMostAndVaries) {
  Random random(1);
  const BackOff back_off{milliseconds(100), milliseconds(1'000)};
  for (unsigned attempt = 0; attempt < 100; ++attempt) {
    const auto whole = attempt < 4 ? milliseconds(100 << attempt) : milliseconds(1'000);
    const auto wait = back_off.before(attempt, random);
    EXPECT_GE(wait, whole / 2);
    EXPECT_LE(wait, whole * 3 / 2);
  }
}

}  // namespace
}  // namespace tracebed::hdfs
