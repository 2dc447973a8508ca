// The client and Tracebed's datanodes, all in this process: every byte of every replica is judged.
#include <atomic>
#include <deque>
#include <gtest/gtest.h>

#include "agents/datanode/datanode_fixture.h"
#include "hdfs_client/file_reader.h"
#include "hdfs_client/file_writer.h"
#include "hdfs_client/remote_checksum.h"
#include "hdfs_client/scripted_file.h"

namespace tracebed::hdfs {
namespace {

using tracebed::test::TestDatanode;

constexpr std::uint64_t block_size = std::uint64_t{1} << 20;

std::vector<std::byte> random_content(std::size_t count, std::uint64_t seed) {
  std::vector<std::byte> bytes(count);
  BlockContent(seed).fill(0, bytes);
  return bytes;
}

class DatanodeClient : public testing::Test {
 protected:
  void start(std::uint32_t count) {
    DataTransferOptions impatient;
    impatient.read_timeout = std::chrono::seconds(5);
    std::vector<Endpoint> endpoints;
    for (std::uint32_t i = 0; i < count; ++i) {
      datanodes_.emplace_back(i, impatient);
      endpoints.push_back({"127.0.0.1", datanodes_.back().port()});
      names_.push_back(endpoints.back().text());
    }
    file_.set_datanodes(endpoints);
    reading_.retry_window = std::chrono::milliseconds(1);
  }
  FileWriter created(std::uint32_t replication) {
    auto writer = FileWriter::create(
        client_, "/file", {.replication = replication, .block_size = block_size}, options_);
    EXPECT_TRUE(writer) << writer.error().message;
    return *std::move(writer);
  }
  void expect_ok(const ClientStatus& status) { ASSERT_TRUE(status) << status.error().message; }
  ClientResult<std::vector<std::byte>> read(std::uint64_t offset = 0,
                                            std::uint64_t length = ~std::uint64_t{0} >> 2) {
    auto reader = FileReader::open(client_, dead_, "/file", offset, length, reading_);
    if (!reader) return reader.error();
    std::vector<std::byte> all;
    while (true) {
      const ClientResult<Bytes> bytes = reader->next();
      if (!bytes) return bytes.error();
      if (bytes->empty()) return all;
      all.insert(all.end(), bytes->begin(), bytes->end());
    }
  }
  // Of each member of each block, whatever others have.
  void expect_every_replica_is(const std::vector<std::byte>& bytes) {
    std::uint64_t offset = 0;
    for (const auto& block : file_.blocks()) {
      for (const std::string& member : block.members) {
        const auto datanode = std::find(names_.begin(), names_.end(), member);
        ASSERT_NE(datanode, names_.end());
        auto reader = BlockReader::open(
            test::datanode_at(
                {"127.0.0.1",
                 datanodes_[static_cast<std::size_t>(datanode - names_.begin())].port()})
                .id(),
            {block.block, test::located_block(block.block, 0, {}).block_token(), 0,
             block.block.num_bytes()},
            {.connection = {}, .client_name = "judge", .packets = {}});
        ASSERT_TRUE(reader) << reader.error().message;
        std::uint64_t at = offset;
        while (true) {
          const ClientResult<Bytes> part = reader->next();
          ASSERT_TRUE(part) << part.error().message;
          if (part->empty()) break;
          ASSERT_TRUE(std::equal(part->begin(), part->end(),
                                 bytes.begin() + static_cast<std::ptrdiff_t>(at)));
          at += part->size();
        }
        EXPECT_EQ(at, offset + block.block.num_bytes());
      }
      offset += block.block.num_bytes();
    }
    EXPECT_EQ(offset, bytes.size());
  }

  std::deque<TestDatanode> datanodes_;
  std::vector<std::string> names_;
  test::ScriptedFile file_{block_size};
  NamenodeClient client_{file_.namenode().endpoint(), test::quick_rpc()};
  DeadDatanodes dead_;
  FileWriteOptions options_;
  FileReadOptions reading_;
};

TEST_F(DatanodeClient, WritesThroughOneToFiveDatanodesAndReadsItBack) {
  start(5);
  for (std::uint32_t replication = 1; replication <= 5; ++replication) {
    const auto bytes = random_content(2 * block_size + 12'345, replication);
    FileWriter writer = created(replication);
    expect_ok(writer.write(bytes));
    expect_ok(writer.close());
    const std::size_t before = (replication - 1) * bytes.size();
    const auto all = read(before);
    ASSERT_TRUE(all) << all.error().message;
    EXPECT_TRUE(*all == bytes);
    EXPECT_EQ(file_.blocks().back().members.size(), replication);
  }
}

// As many as remain make the last pipeline; the others die while the file is written.
class DyingPipeline : public DatanodeClient, public testing::WithParamInterface<std::uint32_t> {};

TEST_P(DyingPipeline, LosesNothing) {
  const std::uint32_t replication = GetParam();
  start(replication);
  options_.replace_datanode = ReplaceDatanodePolicy::never;
  const auto bytes = random_content(block_size, replication);
  FileWriter writer = created(replication);
  const std::size_t part = bytes.size() / replication;
  std::size_t at = 0;
  // The last, the first, the last …: at the end and at the head of the pipeline.
  std::uint32_t first = 0;
  std::uint32_t last = replication - 1;
  for (bool from_end = true; first < last; from_end = !from_end) {
    expect_ok(writer.write(std::span(bytes).subspan(at, part)));
    at += part;
    datanodes_[from_end ? last-- : first++].stop();
  }
  expect_ok(writer.write(std::span(bytes).subspan(at)));
  expect_ok(writer.close());
  ASSERT_EQ(file_.blocks().size(), 1u);
  EXPECT_EQ(file_.blocks().front().members, std::vector{names_[first]});
  expect_every_replica_is(bytes);
}

INSTANTIATE_TEST_SUITE_P(Members, DyingPipeline, testing::Values(2, 3, 4, 5),
                         [](const auto& members) { return std::to_string(members.param); });

TEST_F(DatanodeClient, TransfersTheReplicaToAReplacement) {
  start(4);
  options_.replace_datanode = ReplaceDatanodePolicy::always;
  const auto bytes = random_content(block_size, 7);
  FileWriter writer = created(3);
  expect_ok(writer.write(std::span(bytes).first(300'000)));
  expect_ok(writer.hflush());
  datanodes_[1].stop();
  expect_ok(writer.write(std::span(bytes).subspan(300'000)));
  expect_ok(writer.close());
  EXPECT_EQ(file_.blocks().front().members, (std::vector{names_[0], names_[2], names_[3]}));
  expect_every_replica_is(bytes);
}

TEST_F(DatanodeClient, AppendsAndFlushesAtAnyByte) {
  start(3);
  const auto bytes = random_content(block_size + 100'000, 9);
  FileWriter writer = created(3);
  std::size_t at = 0;
  for (const std::size_t count : {1u, 510u, 1u, 1u, 700u, 70'000u, 512u, 13u}) {
    expect_ok(writer.write(std::span(bytes).subspan(at, count)));
    expect_ok(writer.hflush());
    at += count;
    EXPECT_EQ(writer.block()->block().num_bytes(), at);
  }
  expect_ok(writer.close());
  expect_every_replica_is({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at)});
  for (const std::size_t count : {1u, 100u, 1'000u, 100'000u}) {
    auto appending = FileWriter::append(client_, "/file", options_);
    ASSERT_TRUE(appending) << appending.error().message;
    expect_ok(appending->write(std::span(bytes).subspan(at, count)));
    at += count;
    expect_ok(appending->close());
    expect_every_replica_is({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at)});
  }
  auto appending = FileWriter::append(client_, "/file", options_);
  ASSERT_TRUE(appending) << appending.error().message;
  expect_ok(appending->write(std::span(bytes).subspan(at)));
  expect_ok(appending->hsync());
  expect_ok(appending->close());
  expect_every_replica_is(bytes);
}

TEST_F(DatanodeClient, ReadsGeneratedReplicasThatAreDamagedFromElsewhere) {
  start(3);
  constexpr std::uint64_t id = 77;
  for (TestDatanode& datanode : datanodes_) {
    datanode->store(1, {{id, 1'001, 600'001}});
    ASSERT_TRUE(eventually([&] { return !datanode.link.stored().empty(); }));
  }
  auto block = test::extended_block(id, 600'001);
  file_.add_block(block, names_);
  ASSERT_TRUE(datanodes_[0]->damage(id, 300'000, 1));
  ASSERT_TRUE(datanodes_[1]->damage(id, 600'000, 1));
  reading_.verifies_generated_content = true;
  std::atomic<std::size_t> reported = 0;
  file_.namenode().on<pb::ReportBadBlocksRequest>([&](const pb::ReportBadBlocksRequest& request) {
    reported += static_cast<std::size_t>(request.blocks(0).locs_size());
    return pb::ReportBadBlocksResponse();
  });
  const auto all = read();
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(BlockContent(id).count_matching(0, *all), 600'001u);
  EXPECT_EQ(all->size(), 600'001u);
  EXPECT_EQ(reported, 2u);
  ASSERT_TRUE(datanodes_[1]->damage(id, 300'000, 1));
  ASSERT_TRUE(datanodes_[2]->damage(id, 300'000, 1));
  reading_.retry_window = std::chrono::milliseconds(1);
  EXPECT_FALSE(read()) << "no replica has that byte";
}

TEST_F(DatanodeClient, ReadsWhatAWriterHasFlushedSoFar) {
  start(2);
  const auto bytes = random_content(block_size + 70'000, 5);
  FileWriter writer = created(2);
  expect_ok(writer.write(std::span(bytes).first(1'000)));
  expect_ok(writer.hflush());
  datanodes_[0].stop();
  auto all = read();
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_TRUE(std::equal(all->begin(), all->end(), bytes.begin(), bytes.begin() + 1'000));
  expect_ok(writer.write(std::span(bytes).subspan(1'000)));
  expect_ok(writer.hflush());
  all = read();
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_TRUE(*all == bytes);
  expect_ok(writer.close());
  datanodes_[1].stop();
  EXPECT_FALSE(read());
}

// FileChecksumHelper: MD5 of the blocks' MD5s of their chunks' checksums.
TEST_F(DatanodeClient, HasDatanodesComputeAFilesChecksum) {
  start(2);
  const auto bytes = random_content(2 * block_size + 700, 3);
  FileWriter writer = created(2);
  expect_ok(writer.write(bytes));
  expect_ok(writer.close());
  std::vector<BlockChecksum> blocks;
  for (std::size_t at = 0; at < bytes.size(); at += block_size) {
    const Bytes part = std::span(bytes).subspan(at, std::min(block_size, bytes.size() - at));
    std::vector<std::byte> checksums(ChunkChecksums().bytes(part.size()));
    write_checksums(ChunkChecksums(), part, checksums);
    Md5Digest digest;
    digest.update(checksums);
    blocks.push_back({checksums.size() / 4, digest.finish()});
  }
  datanodes_[0].stop();
  const auto checksum = remote_file_checksum(client_, dead_, "/file", {});
  ASSERT_TRUE(checksum) << checksum.error().message;
  EXPECT_EQ(*checksum, file_checksum(ChunkChecksums(), blocks));
  datanodes_[1].stop();
  EXPECT_FALSE(remote_file_checksum(client_, dead_, "/file", {}));
}

}  // namespace
}  // namespace tracebed::hdfs
