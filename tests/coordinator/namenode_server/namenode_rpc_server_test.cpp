#include "coordinator/namenode_server/namenode_rpc_server.h"

#include <gmock/gmock.h>
#include <map>

#include "client_namenode_features.pb.h"
#include "coordinator/namenode_server/datanode_ids.h"
#include "coordinator/namenode_server/rpc_caller.h"
#include "coordinator/namenode_server/run_thread.h"
#include "rpc_headers.pb.h"
#include "support/eventually.h"

namespace tracebed {
namespace {

using namespace hdfs;
using test::RpcCaller;
using test::RunThread;
using testing::HasSubstr;

constexpr const char* retriable = "org.apache.hadoop.ipc.RetriableException";

pb::GetFileInfoRequest info_of(const std::string& path) {
  pb::GetFileInfoRequest request;
  request.set_src(path);
  return request;
}
pb::MkdirsRequest mkdirs(const std::string& path) {
  pb::MkdirsRequest request;
  request.set_src(path);
  request.mutable_masked()->set_perm(0750);
  request.set_create_parent(true);
  return request;
}
pb::GetBlockLocationsRequest locations_of(const std::string& path) {
  pb::GetBlockLocationsRequest request;
  request.set_src(path);
  request.set_offset(0);
  request.set_length(1 << 20);
  return request;
}

class NamenodeRpcServerTest : public testing::Test {
 protected:
  RunThread run_{6};
  NamenodeRpcServer server_{run_.gate(), {}};
  RpcCaller client_{server_.port()};
};

TEST_F(NamenodeRpcServerTest, ADirectoryIsMadeAndShown) {
  EXPECT_TRUE(client_.ask<pb::MkdirsResponse>("mkdirs", mkdirs("/a/b")).result());
  const auto info = client_.ask<pb::GetFileInfoResponse>("getFileInfo", info_of("/a/b")).fs();
  EXPECT_EQ(info.file_type(), pb::HdfsFileStatus::IS_DIR);
  EXPECT_EQ(info.path(), "");
  EXPECT_EQ(info.owner(), "alice");
  EXPECT_EQ(info.permission().perm(), 0750u);
  EXPECT_EQ(info.modification_time(), std::uint64_t{test::epoch_at_start});
  EXPECT_EQ(info.blocksize(), 0u);
}

TEST_F(NamenodeRpcServerTest, AFileThatIsNotThereIsAnEmptyAnswerOrAnException) {
  EXPECT_FALSE(client_.ask<pb::GetFileInfoResponse>("getFileInfo", info_of("/no")).has_fs());
  pb::GetListingRequest listing;
  listing.set_src("/no");
  listing.set_start_after("");
  listing.set_need_location(false);
  EXPECT_FALSE(client_.ask<pb::GetListingResponse>("getListing", listing).has_dir_list());
  const auto reply = client_.call("getBlockLocations", locations_of("/no"));
  EXPECT_EQ(reply.error, "java.io.FileNotFoundException");
  EXPECT_THAT(reply.message, HasSubstr("/no"));
}

TEST_F(NamenodeRpcServerTest, BlocksAreLocatedNearestFirst) {
  run_.preload("/data/file", 2500);
  for (unsigned node = 0; node < 6; ++node) {
    const std::string address = "127.0.1." + std::to_string(node + 1);
    RpcCaller reader(server_.port(), address.c_str());
    const auto located =
        reader.ask<pb::GetBlockLocationsResponse>("getBlockLocations", locations_of("/data/file"))
            .locations();
    EXPECT_EQ(located.file_length(), 2500u);
    ASSERT_EQ(located.blocks_size(), 3);
    EXPECT_EQ(located.last_block().b().num_bytes(), 452u);
    for (const pb::LocatedBlock& block : located.blocks()) {
      ASSERT_EQ(block.locs_size(), 3);
      EXPECT_EQ(block.storage_ids_size(), 3);
      EXPECT_EQ(block.b().pool_id(), "BP-1");
      const auto distance = [&](const pb::DatanodeInfo& at) {
        if (at.id().ip_addr() == address) return 0;
        return at.location() == "/rack" + std::to_string(node / 3) ? 2 : 4;
      };
      EXPECT_LE(distance(block.locs(0)), distance(block.locs(1)));
      EXPECT_LE(distance(block.locs(1)), distance(block.locs(2)));
    }
  }
}

TEST_F(NamenodeRpcServerTest, AFileIsWrittenByItsClient) {
  pb::CreateRequest create;
  create.set_src("/out");
  create.mutable_masked()->set_perm(0644);
  create.set_client_name("writer");
  create.set_create_flag(pb::CREATE_FLAG_CREATE);
  create.set_create_parent(true);
  create.set_replication(3);
  create.set_block_size(1024);
  // On a datanode, which has the first replica.
  RpcCaller writer(server_.port(), "127.0.1.5", "bob");
  const auto created = writer.ask<pb::CreateResponse>("create", create).fs();
  EXPECT_EQ(created.owner(), "bob");
  pb::AddBlockRequest add;
  add.set_src("/out");
  add.set_client_name("writer");
  add.set_file_id(created.file_id());
  const pb::LocatedBlock block = writer.ask<pb::AddBlockResponse>("addBlock", add).block();
  ASSERT_EQ(block.locs_size(), 3);
  EXPECT_EQ(block.locs(0).id().ip_addr(), "127.0.1.5");
  EXPECT_EQ(block.locs(0).id().datanode_uuid(), datanode_uuid("BP-1", NodeId(4u)));
  run_.within([&](test::ServedNamenode& served) {
    LocatedBlock written{
        {block.b().block_id(), static_cast<std::uint32_t>(block.b().generation_stamp()), 7}, 0, {}};
    for (const auto& at : block.locs()) {
      written.nodes.push_back(*node_of_uuid("BP-1", at.id().datanode_uuid()));
    }
    served.finalize(written, 7);
  });
  pb::CompleteRequest complete;
  complete.set_src("/out");
  complete.set_client_name("writer");
  *complete.mutable_last() = block.b();
  complete.mutable_last()->set_num_bytes(7);
  EXPECT_TRUE(writer.ask<pb::CompleteResponse>("complete", complete).result());
  EXPECT_EQ(writer.ask<pb::GetFileInfoResponse>("getFileInfo", info_of("/out")).fs().length(), 7u);
}

TEST_F(NamenodeRpcServerTest, WhomAClientExcludesGetsNoReplica) {
  pb::CreateRequest create;
  create.set_src("/out");
  create.mutable_masked()->set_perm(0644);
  create.set_client_name("writer");
  create.set_create_flag(pb::CREATE_FLAG_CREATE);
  create.set_create_parent(true);
  create.set_replication(3);
  create.set_block_size(1024);
  client_.ask<pb::CreateResponse>("create", create);
  pb::GetDatanodeReportRequest all;
  all.set_type(pb::REPORT_LIVE);
  const auto nodes = client_.ask<pb::GetDatanodeReportResponse>("getDatanodeReport", all);
  ASSERT_EQ(nodes.di_size(), 6);
  pb::AddBlockRequest add;
  add.set_src("/out");
  add.set_client_name("writer");
  for (int i = 0; i < 3; ++i) *add.add_exclude_nodes() = nodes.di(i);
  const pb::LocatedBlock block = client_.ask<pb::AddBlockResponse>("addBlock", add).block();
  EXPECT_EQ(block.locs_size(), 2) << "as many as one of two racks may have";
  for (const auto& at : block.locs()) EXPECT_EQ(at.location(), "/rack1");
}

TEST_F(NamenodeRpcServerTest, ABlockOfAnotherRunIsRefused) {
  pb::UpdateBlockForPipelineRequest request;
  request.mutable_block()->set_pool_id("BP-of-another-run");
  request.mutable_block()->set_block_id(1073741825);
  request.mutable_block()->set_generation_stamp(1001);
  request.set_client_name("writer");
  const auto reply = client_.call("updateBlockForPipeline", request);
  EXPECT_EQ(reply.error, "java.io.IOException");
  EXPECT_THAT(reply.message, HasSubstr("BP-of-another-run"));
}

TEST_F(NamenodeRpcServerTest, PipelinedCallsAreAllAnswered) {
  constexpr int calls = 3000;
  std::string bytes;
  for (int i = 0; i < calls; ++i) {
    bytes += i % 10 == 3 ? RpcCaller::call_bytes("mkdirs", mkdirs("/d" + std::to_string(i)), i)
                         : RpcCaller::call_bytes("getFileInfo", info_of("/"), i);
  }
  std::thread sender([&] { client_.send(bytes); });
  std::map<int, std::string> replies;
  for (int i = 0; i < calls; ++i) {
    const auto reply = client_.receive();
    replies[reply.call] = reply.error;
  }
  sender.join();
  EXPECT_EQ(replies.size(), static_cast<std::size_t>(calls));
  for (const auto& [call, error] : replies) EXPECT_EQ(error, "") << call;
}

TEST_F(NamenodeRpcServerTest, ReadsOvertakeAChangeThatWaits) {
  run_.stop_answering();
  const int change = client_.begin("mkdirs", mkdirs("/a"));
  const int look = client_.begin("getFileInfo", info_of("/"));
  EXPECT_EQ(client_.receive().call, look);
  run_.end_run();
  const auto reply = client_.receive();
  EXPECT_EQ(reply.call, change);
  EXPECT_EQ(reply.error, retriable);
}

TEST_F(NamenodeRpcServerTest, ARepeatedCallIsExecutedOnce) {
  pb::Rename2Request rename;
  client_.ask<pb::MkdirsResponse>("mkdirs", mkdirs("/from"));
  rename.set_src("/from");
  rename.set_dst("/to");
  rename.set_overwrite_dest(false);
  const std::string bytes = RpcCaller::call_bytes("rename2", rename, 77);
  client_.send(bytes);
  EXPECT_EQ(client_.receive().error, "");
  client_.send(bytes);
  EXPECT_EQ(client_.receive().error, "") << "its reply was kept";
  client_.send(RpcCaller::call_bytes("rename2", rename, 78));
  EXPECT_EQ(client_.receive().error, "java.io.FileNotFoundException");
}

TEST_F(NamenodeRpcServerTest, CallsAreToBeTriedAgainWhenNoRunIsOpen) {
  run_.end_run();
  EXPECT_EQ(client_.call("getFileInfo", info_of("/")).error, retriable);
  EXPECT_EQ(client_.call("mkdirs", mkdirs("/a")).error, retriable);
  run_.open_again("BP-2");
  EXPECT_EQ(client_.call("getFileInfo", info_of("/")).error, "");
}

TEST_F(NamenodeRpcServerTest, AServerMayEndBeforeItsCallsAreAnswered) {
  run_.stop_answering();
  {
    NamenodeRpcServer brief(run_.gate(), {});
    RpcCaller client(brief.port());
    client.begin("mkdirs", mkdirs("/a"));
    EXPECT_TRUE(eventually([&] { return run_.unanswered() == 1; }));
  }
  run_.end_run();
}

TEST_F(NamenodeRpcServerTest, SafeModeIsAskedForEnteredAndLeft) {
  pb::SetSafeModeRequest request;
  const auto act = [&](pb::SafeModeAction action) {
    request.set_action(action);
    return client_.ask<pb::SetSafeModeResponse>("setSafeMode", request).result();
  };
  EXPECT_FALSE(act(pb::SAFEMODE_GET));
  EXPECT_TRUE(act(pb::SAFEMODE_ENTER));
  EXPECT_TRUE(act(pb::SAFEMODE_GET));
  EXPECT_EQ(client_.call("mkdirs", mkdirs("/a")).error,
            "org.apache.hadoop.hdfs.server.namenode.SafeModeException");
  EXPECT_FALSE(act(pb::SAFEMODE_LEAVE));
}

TEST_F(NamenodeRpcServerTest, AListingWithLocationsEndsWhereTheseAreManyEnough) {
  run_.within([](test::ServedNamenode& served) {
    for (int i = 0; i < 20; ++i) {
      const auto placed = served.namenode_.preload({.path = "/d/" + std::to_string(100 + i),
                                                    .size = 100 * 1024,
                                                    .block_size = 1024,
                                                    .user = "u",
                                                    .writer = {},
                                                    .nodes = {}},
                                                   served.now_);
      EXPECT_TRUE(placed);
    }
  });
  pb::GetListingRequest request;
  request.set_src("/d");
  request.set_start_after("");
  request.set_need_location(true);
  int seen = 0;
  for (int page = 0; page < 5; ++page) {
    const auto listed = client_.ask<pb::GetListingResponse>("getListing", request).dir_list();
    // 1000 locations are three files of 300 and one more.
    EXPECT_EQ(listed.partial_listing_size(), 4);
    seen += listed.partial_listing_size();
    EXPECT_EQ(listed.remaining_entries(), static_cast<unsigned>(20 - seen));
    request.set_start_after(listed.partial_listing(3).path());
  }
  request.set_need_location(false);
  request.set_start_after("");
  EXPECT_EQ(
      client_.ask<pb::GetListingResponse>("getListing", request).dir_list().partial_listing_size(),
      20);
}

TEST_F(NamenodeRpcServerTest, MethodsAndProtocolsThatAreNotThereAreSaidToBe) {
  const pb::GetFsStatsRequest empty;
  EXPECT_EQ(client_.call("createSnapshot", empty).error,
            "org.apache.hadoop.ipc.RpcNoSuchMethodException");
  std::string bytes;
  append_call(bytes, {90, 0, {}}, "getServiceStatus", "org.apache.hadoop.ha.HAServiceProtocol",
              empty);
  client_.send(bytes);
  EXPECT_EQ(client_.receive().error, "org.apache.hadoop.ipc.RpcNoSuchProtocolException");
  EXPECT_EQ(client_.call("mkdirs", empty).error,
            "org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException");
  EXPECT_TRUE(client_.ask<pb::MkdirsResponse>("mkdirs", mkdirs("/still")).result());
}

// The context of a proxy user: "alice" on behalf of "bob".
TEST_F(NamenodeRpcServerTest, NobodyActsAsAnother) {
  pb::IpcConnectionContext context;
  context.mutable_user_info()->set_effective_user("bob");
  context.mutable_user_info()->set_real_user("alice");
  pb::RpcRequestHeader header;
  header.set_rpc_kind(pb::RPC_PROTOCOL_BUFFER);
  header.set_rpc_op(pb::RpcRequestHeader::FINAL_PACKET);
  header.set_call_id(connection_context_call_id);
  header.set_client_id("");
  std::string frame;
  append_delimited(frame, header);
  append_delimited(frame, context);
  std::string bytes = test::from_hex("68727063090000");
  append_big_endian32(bytes, static_cast<std::uint32_t>(frame.size()));
  const FileDescriptor socket = test::raw_connection(server_.port());
  bytes += frame;
  ASSERT_GT(::send(socket.number(), bytes.data(), bytes.size(), 0), 0);
  std::string answer(4096, ' ');
  const ssize_t got = ::recv(socket.number(), answer.data(), answer.size(), 0);
  ASSERT_GT(got, 0);
  EXPECT_THAT(answer, HasSubstr("AuthorizationException"));
  EXPECT_TRUE(eventually([&] { return test::is_closed_by_peer(socket); }));
}

TEST_F(NamenodeRpcServerTest, FeaturesThatAreNotThereAreSaidToBeUnused) {
  run_.preload("/data/file", 2500);
  pb::GetQuotaUsageRequest quota;
  quota.set_path("/data");
  const auto usage = client_.ask<pb::GetQuotaUsageResponse>("getQuotaUsage", quota).usage();
  EXPECT_EQ(static_cast<std::int64_t>(usage.quota()), -1);
  EXPECT_EQ(usage.file_and_directory_count(), 2u);
  pb::GetAclStatusRequest acl;
  acl.set_src("/data/file");
  EXPECT_EQ(client_.ask<pb::GetAclStatusResponse>("getAclStatus", acl).result().owner(), "alice");
  acl.set_src("/none");
  EXPECT_EQ(client_.call("getAclStatus", acl).error, "java.io.FileNotFoundException");
  pb::GetXAttrsRequest attributes;
  attributes.set_src("/data");
  EXPECT_EQ(client_.ask<pb::GetXAttrsResponse>("getXAttrs", attributes).x_attrs_size(), 0);
  attributes.add_x_attrs()->set_name("a");
  attributes.mutable_x_attrs(0)->set_namespace_(pb::XAttr::USER);
  EXPECT_EQ(client_.call("getXAttrs", attributes).error, "java.io.IOException");
  pb::GetDelegationTokenRequest token;
  token.set_renewer("r");
  EXPECT_FALSE(
      client_.ask<pb::GetDelegationTokenResponse>("getDelegationToken", token).has_token());
  EXPECT_EQ(
      client_.ask<pb::HAServiceStateResponse>("getHAServiceState", pb::HAServiceStateRequest())
          .state(),
      pb::HA_ACTIVE);
}

TEST_F(NamenodeRpcServerTest, TheClusterIsDescribed) {
  const auto stats = client_.ask<pb::GetFsStatsResponse>("getFsStats", pb::GetFsStatsRequest());
  EXPECT_EQ(stats.capacity(), 6'000'000'000u);
  const auto defaults = client_.ask<pb::GetServerDefaultsResponse>("getServerDefaults",
                                                                   pb::GetServerDefaultsRequest());
  EXPECT_EQ(defaults.server_defaults().checksum_type(), pb::CHECKSUM_CRC32C);
  EXPECT_EQ(defaults.server_defaults().replication(), 3u);
}

}  // namespace
}  // namespace tracebed
