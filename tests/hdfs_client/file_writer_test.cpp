// Writing to pipelines that work, and to those that cannot be set up.
#include <gmock/gmock.h>

#include "hdfs_client/file_writer_fixture.h"

namespace tracebed::hdfs {
namespace {

using std::chrono::milliseconds;
using test::block_size;
using test::FileWriterTest;
using test::random_bytes;
using test::ScriptedPipeline;
using test::view;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(FileWriterTest, WritesFilesOfAnyLength) {
  for (const std::size_t length :
       std::vector<std::size_t>{1, 511, 512, 513, 64'512, 64'513, block_size - 1, block_size}) {
    const std::string before = pipeline_.contents();
    const std::string bytes = random_bytes(length);
    FileWriter writer = created();
    expect_ok(writer.write(view(bytes)));
    EXPECT_EQ(writer.length(), length);
    expect_ok(writer.close());
    EXPECT_TRUE(pipeline_.contents() == before + bytes) << length;
  }
}

TEST_F(FileWriterTest, WritesAnEmptyFileWithoutABlock) {
  expect_written("");
  EXPECT_EQ(pipeline_.pipelines(), 0);
}

TEST_F(FileWriterTest, WritesBlockAfterBlockToPipelinesOfAnyLength) {
  expect_written(random_bytes(3 * block_size + 100), 5);
  EXPECT_EQ(pipeline_.pipelines(), 4);
  EXPECT_EQ(pipeline_.file().blocks().front().members.size(), 5u);
}

TEST_F(FileWriterTest, WritesToASingleDatanode) {
  expect_written(random_bytes(block_size + 1), 1);
}

TEST_F(FileWriterTest, StatesWhatItsPipelinesWeigh) {
  expect_written("some bytes");
  options_.connection.transfer_weight = 250;
  const std::string bytes = random_bytes(block_size + 1);
  FileWriter writer = created();
  expect_ok(writer.write(view(bytes)));
  expect_ok(writer.close());
  EXPECT_EQ(pipeline_.weights(), (std::vector<std::uint32_t>{0, 250, 250}));
}

TEST_F(FileWriterTest, TakesBytesInAnyPieces) {
  const std::string bytes = random_bytes(block_size + 5'000);
  FileWriter writer = created();
  Random random(1);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t count = std::min(bytes.size() - at, std::size_t{random.below(3'000)});
    expect_ok(writer.write(view(bytes).subspan(at, count)));
    at += count;
  }
  expect_ok(writer.close());
  expect_stored(bytes);
}

TEST_F(FileWriterTest, SendsPacketsOf126Chunks) {
  expect_written(random_bytes(block_size));
  EXPECT_THAT(pipeline_.packet_offsets(), ElementsAre(0, 64'512, 129'024, 193'536));
}

TEST_F(FileWriterTest, WaitsUntilEnoughReplicasAreReported) {
  pipeline_.file().lack_replicas(3);
  expect_written(random_bytes(2 * block_size));
}

TEST_F(FileWriterTest, FailsWhenNoReplicaIsEverReported) {
  pipeline_.file().lack_replicas(1'000);
  FileWriter writer = created();
  expect_ok(writer.write(view("abc")));
  const ClientStatus closed = writer.close();
  ASSERT_FALSE(closed);
  EXPECT_THAT(closed.error().message, HasSubstr("/file"));
}

// A partial chunk is sent again with what completes it.
TEST_F(FileWriterTest, FlushesSoThatReadersSeeAllOfIt) {
  const std::string bytes = random_bytes(3'000);
  FileWriter writer = created();
  expect_ok(writer.write(view(bytes).first(700)));
  expect_ok(writer.hflush());
  EXPECT_TRUE(pipeline_.contents() == bytes.substr(0, 700));
  EXPECT_EQ(writer.block()->block().num_bytes(), 700u);
  expect_ok(writer.hflush());
  expect_ok(writer.write(view(bytes).subspan(700, 1)));
  expect_ok(writer.hflush());
  EXPECT_TRUE(pipeline_.contents() == bytes.substr(0, 701));
  expect_ok(writer.write(view(bytes).subspan(701)));
  expect_ok(writer.close());
  expect_stored(bytes);
  EXPECT_THAT(pipeline_.packet_offsets(), ElementsAre(0, 512, 512));
  EXPECT_EQ(pipeline_.namenode().count("fsync"), 1u);
  EXPECT_EQ(pipeline_.syncs(), 0);
}

TEST_F(FileWriterTest, SyncsEvenWhereThereIsNothingNew) {
  FileWriter writer = created();
  expect_ok(writer.write(view("abc")));
  expect_ok(writer.hsync(SyncLength::updated));
  expect_ok(writer.hsync());
  EXPECT_EQ(pipeline_.syncs(), 2);
  expect_ok(writer.close());
  expect_stored("abc");
}

TEST_F(FileWriterTest, AppendsToThePartialChunk) {
  for (const std::size_t before : {1u, 511u, 512u, 700u, 1'023u}) {
    ScriptedPipeline pipeline(3);
    const std::string old_bytes = random_bytes(before);
    const std::string new_bytes = random_bytes(2 * block_size);
    pipeline.store(old_bytes, 3);
    NamenodeClient client(pipeline.namenode().endpoint(), test::quick_rpc());
    auto writer = FileWriter::append(client, "/file", options_);
    ASSERT_TRUE(writer) << writer.error().message;
    expect_ok(writer->write(view(new_bytes).first(10)));
    expect_ok(writer->hflush());
    EXPECT_TRUE(pipeline.contents() == old_bytes + new_bytes.substr(0, 10));
    expect_ok(writer->write(view(new_bytes).subspan(10)));
    expect_ok(writer->close());
    EXPECT_TRUE(pipeline.contents() == old_bytes + new_bytes) << before;
    EXPECT_EQ(pipeline.packet_offsets().front(), static_cast<std::int64_t>(before));
    EXPECT_EQ(pipeline.stages().front(), pb::OpWriteBlock::PIPELINE_SETUP_APPEND);
  }
}

TEST_F(FileWriterTest, AppendsABlockToAFileWhoseLastOneIsFull) {
  const std::string bytes = random_bytes(block_size);
  pipeline_.store(bytes, 3);
  FileWriter writer = appending();
  expect_ok(writer.write(view("abc")));
  expect_ok(writer.close());
  expect_stored(bytes + "abc");
}

TEST_F(FileWriterTest, SetsUpAnAppendWithoutAMemberThatIsGone) {
  const std::string bytes = random_bytes(1'000);
  pipeline_.store(bytes, 3);
  pipeline_.unreachable_member = [](int pipeline) { return pipeline == 0 ? 1 : -1; };
  FileWriter writer = appending();
  expect_ok(writer.write(view("abc")));
  expect_ok(writer.close());
  expect_stored(bytes + "abc");
  EXPECT_EQ(pipeline_.stages()[1], pb::OpWriteBlock::PIPELINE_SETUP_APPEND_RECOVERY);
  EXPECT_EQ(pipeline_.file().blocks().front().members.size(), 3u)
      << "an append replaces a datanode";
}

TEST_F(FileWriterTest, AbandonsABlockWhosePipelineCannotBeSetUp) {
  const std::string bad = pipeline_.datanode(1).endpoint().text();
  pipeline_.unreachable_member = [](int pipeline) { return pipeline == 0 ? 1 : -1; };
  expect_written(random_bytes(2 * block_size));
  EXPECT_EQ(pipeline_.namenode().count("abandonBlock"), 1u);
  for (const auto& block : pipeline_.file().blocks()) {
    EXPECT_THAT(block.members, testing::Not(testing::Contains(bad)));
  }
}

TEST_F(FileWriterTest, PassesOverAFirstDatanodeThatRefuses) {
  pipeline_.datanode(0).stop();
  expect_written(random_bytes(block_size));
}

TEST_F(FileWriterTest, FailsWhenNoPipelineCanBeSetUp) {
  pipeline_.unreachable_member = [](int) { return 0; };
  FileWriter writer = created(1);
  const ClientStatus written = writer.write(view("abc"));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ClientFailureKind::exhausted);
  EXPECT_EQ(pipeline_.namenode().count("addBlock"), 4u);
  EXPECT_FALSE(writer.close()) << "a failure is kept";
}

}  // namespace
}  // namespace tracebed::hdfs
