// The rules of FSNamesystem, FSDirWriteFileOp, LeaseManager and BlockManagerSafeMode for clients.
#include "coordinator/storage/namenode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/storage/namenode_queries.h"
#include "coordinator/storage/served_namenode.h"

namespace tracebed {
namespace {

using test::ServedNamenode;
using testing::SizeIs;
using Kind = StorageFailureKind;

std::optional<Kind> failure_of(const StorageReply& reply) {
  const auto* failure = std::get_if<StorageFailure>(&reply);
  return failure == nullptr ? std::nullopt : std::optional(failure->kind);
}

class ANamenode : public testing::Test {
 protected:
  static constexpr std::int64_t block_size = 1'000;

  StorageReply create(const std::string& client, const std::string& path, bool overwrite = false) {
    return served_.call(
        client, CreateFile{.path = path, .may_overwrite = overwrite, .block_size = block_size});
  }
  LocatedBlock add(const std::string& client, const std::string& path,
                   std::optional<BlockName> previous = {}) {
    return std::get<LocatedBlock>(
        served_.call(client, AddBlock{.file = {path, 0}, .previous = previous, .excluded = {}}));
  }
  StorageReply complete(const std::string& client, const std::string& path, BlockName last) {
    return served_.call(client, CompleteFile{{path, 0}, last});
  }
  BlockName write(const std::string& path, std::int64_t length) {
    create("w", path);
    LocatedBlock block = add("w", path);
    served_.finalize(block, length);
    block.block.length = length;
    EXPECT_EQ(complete("w", path, block.block), StorageReply(Answer{true}));
    return block.block;
  }
  LocatedFile located(const std::string& path, const Reader& reader = {}) {
    return *block_locations(served_.namenode_.state(), path, 0, 1'000'000, reader, served_.now_);
  }

  ServedNamenode served_{9};
};

TEST_F(ANamenode, CompletesAFileOnceItsLastBlockIsReported) {
  create("a", "/f");
  LocatedBlock block = add("a", "/f");
  EXPECT_THAT(block.nodes, SizeIs(3));
  block.block.length = 10;
  EXPECT_EQ(complete("a", "/f", block.block), StorageReply(Answer{false}));
  served_.finalize(block, 10);
  EXPECT_EQ(complete("a", "/f", block.block), StorageReply(Answer{true}));
  EXPECT_EQ(complete("a", "/f", block.block), StorageReply(Answer{true})) << "a repetition";
  EXPECT_EQ((*file_info(served_.namenode_.state(), "/f"))->length, 10);
}

TEST_F(ANamenode, ReturnsTheSameBlockToARepeatedCall) {
  create("a", "/f");
  const LocatedBlock first = add("a", "/f");
  EXPECT_EQ(add("a", "/f"), first);
  BlockName previous = first.block;
  previous.length = block_size;
  served_.finalize(first, block_size);
  const LocatedBlock second = add("a", "/f", previous);
  EXPECT_NE(second.block.id, first.block.id);
  EXPECT_EQ(second.offset, block_size);
  EXPECT_EQ(add("a", "/f", previous), second);
  EXPECT_EQ(
      failure_of(served_.call("a", AddBlock{.file = {"/f", 0}, .previous = {}, .excluded = {}})),
      Kind::io)
      << "the last block is neither the first nor follows none";
}

TEST_F(ANamenode, SendsClientsOutsideOfTheClusterToAllReplicas) {
  write("/f", 10);
  std::map<NodeId, int> firsts;
  for (std::uint64_t client = 1; client <= 300; ++client) {
    ++firsts[located("/f", {.client = client}).blocks.at(0).nodes.at(0)];
  }
  ASSERT_THAT(firsts, SizeIs(3));
  for (const auto& [node, count] : firsts) EXPECT_GT(count, 60);
  EXPECT_EQ(located("/f", {.client = 7}), located("/f", {.client = 7}));
}

TEST_F(ANamenode, AnswersARepeatedCreateFromItsRetryCache) {
  const StorageCaller caller{.user = "u",
                             .group = {},
                             .client = "a",
                             .address = {},
                             .node = {},
                             .identity = CallIdentity{{1}, 7}};
  const StorageCall call{caller, CreateFile{.path = "/f", .block_size = block_size}};
  const StorageReply first = served_.namenode_.call(call, served_.now_);
  EXPECT_EQ(served_.namenode_.call(call, served_.now_), first);
  EXPECT_EQ(failure_of(create("a", "/f")), Kind::already_being_created) << "another call";
}

TEST_F(ANamenode, GivesAFileToAnotherWriterAfterTheSoftLimit) {
  create("a", "/f");
  EXPECT_EQ(failure_of(create("b", "/f")), Kind::already_being_created);
  served_.pass(60);
  EXPECT_EQ(failure_of(create("b", "/f")), Kind::already_being_created) << "not more than 60 s";
  served_.pass(3);
  EXPECT_EQ(failure_of(create("b", "/f")), Kind::file_already_exists) << "closed, as it is empty";
  EXPECT_TRUE(*is_file_closed(served_.namenode_.state(), "/f"));
}

TEST_F(ANamenode, RecoversTheBlockOfAWriterThatDied) {
  create("a", "/f");
  const LocatedBlock block = add("a", "/f");
  for (std::size_t i = 0; i < 3; ++i) {
    served_.store(block.nodes[i],
                  {block.block.id, block.block.generation_stamp, static_cast<std::int64_t>(100 + i),
                   ReportedState::being_written});
  }
  served_.pass(1'200);
  EXPECT_FALSE(*is_file_closed(served_.namenode_.state(), "/f")) << "not past the hard limit";
  served_.pass(9);
  ASSERT_TRUE(*is_file_closed(served_.namenode_.state(), "/f"));
  EXPECT_EQ(located("/f").length, 100) << "that all have";
  EXPECT_GT(located("/f").blocks[0].block.generation_stamp, block.block.generation_stamp);
  EXPECT_EQ(failure_of(complete("a", "/f", block.block)), Kind::lease_expired);
}

TEST_F(ANamenode, AcceptsAPipelineOnlyWithANewStamp) {
  create("a", "/f");
  const LocatedBlock block = add("a", "/f");
  const auto update = [&](std::uint32_t stamp) {
    BlockName renewed{block.block.id, stamp, 50};
    return served_.call("a", UpdatePipeline{block.block, renewed, {block.nodes[0]}});
  };
  EXPECT_EQ(failure_of(update(block.block.generation_stamp)), Kind::io);
  EXPECT_EQ(failure_of(update(block.block.generation_stamp + 1)), Kind::io) << "not given yet";
  const auto renewed =
      std::get<LocatedBlock>(served_.call("a", UpdateBlockForPipeline{block.block}));
  EXPECT_EQ(failure_of(served_.call("b", UpdateBlockForPipeline{block.block})),
            Kind::lease_expired);
  EXPECT_EQ(update(renewed.block.generation_stamp), StorageReply(Done{}));
  served_.store(block.nodes[1],
                {block.block.id, block.block.generation_stamp, 40, ReportedState::finalized});
  const BlockName last{block.block.id, renewed.block.generation_stamp, 50};
  EXPECT_EQ(complete("a", "/f", last), StorageReply(Answer{false})) << "an old replica is corrupt";
  served_.store(block.nodes[0], {last.id, last.generation_stamp, 50, ReportedState::finalized});
  EXPECT_EQ(complete("a", "/f", last), StorageReply(Answer{true}));
  EXPECT_THAT(located("/f").blocks[0].nodes, testing::ElementsAre(block.nodes[0]));
  served_.pass(30);
  EXPECT_THAT(located("/f").blocks[0].nodes, SizeIs(3));
}

TEST_F(ANamenode, AppendsToTheLastBlockAndTruncatesIt) {
  const BlockName written = write("/f", 300);
  const auto appended = std::get<AppendedFile>(served_.call("b", AppendFile{"/f"}));
  ASSERT_TRUE(appended.last);
  EXPECT_EQ(appended.last->block, written);
  const auto renewed = std::get<LocatedBlock>(served_.call("b", UpdateBlockForPipeline{written}));
  const BlockName longer{written.id, renewed.block.generation_stamp, 300};
  EXPECT_EQ(served_.call("b", UpdatePipeline{written, longer, appended.last->nodes}),
            StorageReply(Done{}));
  served_.finalize({longer, 0, appended.last->nodes}, 500);
  EXPECT_EQ(complete("b", "/f", {longer.id, longer.generation_stamp, 500}),
            StorageReply(Answer{true}));
  EXPECT_EQ(served_.call("b", TruncateFile{"/f", 120}), StorageReply(Answer{false}));
  served_.pass(6);
  EXPECT_TRUE(*is_file_closed(served_.namenode_.state(), "/f"));
  EXPECT_EQ(located("/f").length, 120);
  EXPECT_THAT(located("/f").blocks[0].nodes, SizeIs(3));
}

TEST_F(ANamenode, ListsReplicasOfTheReadersNodeAndRackFirstAndCorruptOnesNot) {
  write("/f", 10);
  const std::vector<NodeId> nodes = located("/f").blocks[0].nodes;
  for (const NodeId node : nodes) {
    EXPECT_EQ(located("/f", {node, {}}).blocks[0].nodes.front(), node);
  }
  const LocatedFile file = located("/f");
  served_.call("r", ReportBadBlocks{{{file.blocks[0].block, {nodes[0]}}}});
  EXPECT_THAT(located("/f").blocks[0].nodes, testing::Not(testing::Contains(nodes[0])));
  served_.call("r", ReportBadBlocks{{{file.blocks[0].block, {nodes[1], nodes[2]}}}});
  EXPECT_TRUE(located("/f").blocks[0].is_corrupt);
  EXPECT_EQ(check_files(served_.namenode_.state(), "/")->damaged, std::vector<std::string>{"/f"});
}

TEST_F(ANamenode, ConcatenatesFilesOfOneDirectory) {
  write("/a", 10);
  write("/b", 20);
  write("/d/c", 5);
  EXPECT_EQ(failure_of(served_.call("x", ConcatFiles{"/a", {"/d/c"}})),
            Kind::hadoop_illegal_argument);
  EXPECT_EQ(failure_of(served_.call("x", ConcatFiles{"/a", {"/b", "/b"}})),
            Kind::hadoop_illegal_argument);
  EXPECT_EQ(served_.call("x", ConcatFiles{"/a", {"/b"}}), StorageReply(Done{}));
  EXPECT_EQ(located("/a").length, 30);
  EXPECT_FALSE(*file_info(served_.namenode_.state(), "/b"));
}

TEST_F(ANamenode, DecommissionsADatanodeWhenItsBlocksAreElsewhere) {
  write("/f", 10);
  const NodeId node = located("/f").blocks[0].nodes[0];
  served_.call("admin", DecommissionDatanode{node});
  const auto& datanodes = served_.namenode_.state().datanodes;
  EXPECT_EQ(datanodes.find(node)->admin_state, AdminState::decommission_in_progress);
  served_.pass(60);
  EXPECT_EQ(datanodes.find(node)->admin_state, AdminState::decommissioned);
  EXPECT_EQ(located("/f").blocks[0].nodes.back(), node);
}

TEST(ANamenodeInSafeMode, LeavesItThirtySecondsAfterItsBlocksAreReported) {
  NamenodeOptions options = ServedNamenode::options_for_tests();
  options.safe_mode.at_start = true;
  ServedNamenode served(3, options);
  const auto placed = served.namenode_.preload({.path = "/f",
                                                .size = 1'000,
                                                .block_size = 100,
                                                .user = "u",
                                                .nodes = {},
                                                .is_stored = false},
                                               served.now_);
  ASSERT_TRUE(placed);
  served.pass(60);
  const StorageOperation mkdirs = MakeDirectories{"/d"};
  EXPECT_EQ(failure_of(served.call("a", mkdirs)), Kind::safe_mode);
  // The threshold is 9 of 10 blocks.
  for (std::size_t i = 0; i < 8; ++i) served.finalize((*placed)[i], 100);
  served.pass(60);
  EXPECT_EQ(failure_of(served.call("a", mkdirs)), Kind::safe_mode);
  served.finalize((*placed)[8], 100);
  served.pass(27);
  EXPECT_EQ(failure_of(served.call("a", mkdirs)), Kind::safe_mode);
  served.pass(3);
  EXPECT_EQ(served.call("a", mkdirs), StorageReply(Answer{true}));
  served.call("admin", SetSafeMode{SetSafeMode::Action::enter});
  EXPECT_EQ(failure_of(served.call("a", mkdirs)), Kind::safe_mode);
}

}  // namespace
}  // namespace tracebed
