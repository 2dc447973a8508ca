// READ_BLOCK, as codec-level clients send it.
#include <atomic>
#include <latch>
#include <thread>
#include <utility>

#include "agents/datanode/transfer_client.h"
#include "data_transfer.pb.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/file_checksum.h"

namespace tracebed::test {
namespace {

constexpr std::uint64_t length = 1'000'000;

class ReadBlock : public testing::Test {
 protected:
  ReadBlock() {
    datanode_->store(1, {{block, stamp, length}});
    EXPECT_TRUE(eventually([&] { return datanode_.link.stored().size() == 1; }));
  }

  std::string refusal(const pb::OpReadBlock& read) {
    TransferClient client(datanode_.port());
    client.begin(read);
    const pb::BlockOpResponse reply = client.reply();
    EXPECT_EQ(reply.status(), pb::STATUS_ERROR);
    EXPECT_TRUE(client.is_closed());
    return reply.message();
  }

  TestDatanode datanode_;
};

class WeightedReads : public ReadBlock {};

TEST_F(ReadBlock, SendsTheContentWithChecksums) {
  EXPECT_EQ(read_block(datanode_, length), generated_bytes(block, length));
  const TransferCounts counts = datanode_->counters().total();
  EXPECT_EQ(counts.transfers, 1u);
  EXPECT_EQ(counts.bytes_read[static_cast<std::size_t>(Distance::same_node)], length);
}

// Packets until `stops` says so after one; returns the bytes.
template <class Stops>
std::uint64_t read_packets(TransferClient& client, const Stops& stops) {
  EXPECT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  for (std::uint64_t bytes = 0;;) {
    const ReadPacket packet = client.packet();
    bytes += packet.data.size();
    if (packet.header.is_last_in_block || stops(bytes)) return bytes;
  }
}

// The light one begins before the heavy one, and both want more than the disk has: a quarter, and a
// part of what a tenth of a second and a packet each are.
TEST_F(WeightedReads, GiveClientsByTheirWeights) {
  datanode_->set_rates(length / 2, std::nullopt, {});
  TransferClient light(datanode_.port());
  pb::OpReadBlock read = read_operation(0, length);
  read.mutable_header()->set_transfer_weight(250);
  light.begin(read);
  std::atomic<bool> is_whole = false;
  std::uint64_t of_light = 0;
  std::latch has_begun(1);
  std::jthread reader([&] {
    bool is_first = true;
    of_light = read_packets(light, [&](std::uint64_t) {
      if (std::exchange(is_first, false)) has_begun.count_down();
      return is_whole.load();
    });
  });
  has_begun.wait();
  TransferClient heavy(datanode_.port());
  heavy.begin(read_operation(0, length));
  EXPECT_EQ(read_packets(heavy, [](std::uint64_t) { return false; }), length);
  is_whole = true;
  reader.join();
  EXPECT_NEAR(static_cast<double>(of_light) / length, 0.25, 0.15);
}

TEST_F(ReadBlock, BeginsAtAChunkAndEndsWithOne) {
  TransferClient client(datanode_.port());
  client.begin(read_operation(513, 1'000));
  const pb::BlockOpResponse reply = client.reply();
  EXPECT_EQ(reply.read_op_checksum_info().chunk_offset(), 512u);
  EXPECT_EQ(reply.read_op_checksum_info().checksum().type(), pb::CHECKSUM_CRC32C);
  EXPECT_EQ(reply.read_op_checksum_info().checksum().bytes_per_checksum(), 512u);
  const ReadPacket first = client.packet();
  EXPECT_EQ(first.header.offset_in_block, 512);
  EXPECT_EQ(first.header.sequence_number, 0);
  EXPECT_EQ(first.data.size(), 1'024u);
  const Bytes all = generated_bytes(block, 1'536);
  EXPECT_EQ(first.data, Bytes(all.begin() + 512, all.end()));
  const ReadPacket last = client.packet();
  EXPECT_TRUE(last.header.is_last_in_block);
  EXPECT_EQ(last.header.offset_in_block, 1'536);
  EXPECT_EQ(last.header.sequence_number, 1);
  // Only what was asked for is counted.
  EXPECT_EQ(datanode_->counters().total().bytes_read[0], 1'000u);
}

TEST_F(ReadBlock, SendsAnyRange) {
  const Bytes all = generated_bytes(block, length);
  for (const std::uint64_t offset : {0u, 1u, 511u, 512u, 65'535u, 65'536u, 262'144u, 999'999u}) {
    for (const std::uint64_t bytes : {1u, 511u, 512u, 65'537u, 300'000u}) {
      const std::uint64_t end = std::min(length, offset + bytes);
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(offset);
      EXPECT_EQ(read_block(datanode_, end - offset, block, offset),
                Bytes(begin, all.begin() + static_cast<std::ptrdiff_t>(end)))
          << offset << " " << bytes;
    }
  }
}

TEST_F(ReadBlock, SendsNoChecksumsIfTheClientWantsNone) {
  pb::OpReadBlock read = read_operation(0, 1'000);
  read.set_send_checksums(false);
  TransferClient client(datanode_.port());
  client.begin(read);
  EXPECT_EQ(client.reply().read_op_checksum_info().checksum().type(), pb::CHECKSUM_NULL);
  EXPECT_EQ(client.read_all({.type = hdfs::ChecksumType::none}).size(), 1'024u);
}

TEST_F(ReadBlock, KeepsTheConnectionForTheNextOperation) {
  TransferClient client(datanode_.port());
  for (int turn = 0; turn < 3; ++turn) {
    client.begin(read_operation(0, 1'000));
    ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
    EXPECT_EQ(client.read_all().size(), 1'024u);
    // A client says how it found the bytes; another one only sends its next operation.
    if (turn == 1) continue;
    pb::ClientReadStatus status;
    status.set_status(pb::STATUS_CHECKSUM_OK);
    std::string bytes;
    hdfs::append_delimited(bytes, status);
    client.send(bytes);
  }
}

TEST_F(ReadBlock, RefusesWhatIsNotThere) {
  EXPECT_NE(refusal(read_operation(0, length + 1)), "");
  EXPECT_NE(refusal(read_operation(length + 1, 0)), "");
  EXPECT_NE(refusal(read_operation(~0ull, 2)), "");
  EXPECT_NE(refusal(read_operation(1, ~0ull)), "");
  EXPECT_NE(refusal(read_operation(0, 1, block + 1)), "");
  pb::OpReadBlock later = read_operation(0, 1);
  later.mutable_header()->mutable_base_header()->mutable_block()->set_generation_stamp(stamp + 1);
  EXPECT_NE(refusal(later), "");
  pb::OpReadBlock other_pool = read_operation(0, 1);
  other_pool.mutable_header()->mutable_base_header()->mutable_block()->set_pool_id("run-2");
  EXPECT_NE(refusal(other_pool).find("run-2"), std::string::npos);
  EXPECT_EQ(datanode_->counters().total().errors, 7u);
}

TEST_F(ReadBlock, TakesAnEarlierStampForTheReplicaThatThereIs) {
  pb::OpReadBlock read = read_operation(0, 10);
  read.mutable_header()->mutable_base_header()->mutable_block()->set_generation_stamp(stamp - 1);
  TransferClient client(datanode_.port());
  client.begin(read);
  EXPECT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
}

TEST_F(ReadBlock, SendsDamagedBytesWithTheRightChecksumsAndReportsThem) {
  ASSERT_TRUE(datanode_->damage(block, 70'000, 1));
  TransferClient client(datanode_.port());
  client.begin(read_operation(0, length));
  ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  EXPECT_EQ(hdfs::first_bad_chunk(replica_checksums, client.packet().data, Bytes(512)), 0u);
  const ReadPacket damaged = client.packet();
  EXPECT_EQ(hdfs::first_bad_chunk(replica_checksums, damaged.data, damaged.checksums),
            (70'000u - 65'536u) / 512);
  ASSERT_TRUE(eventually([&] { return !datanode_.link.calls_of<ReportBadBlocks>().empty(); }));
  const ReportBadBlocks bad = datanode_.link.calls_of<ReportBadBlocks>().front();
  EXPECT_EQ(bad.blocks.front().block.id, block);
  EXPECT_EQ(bad.blocks.front().nodes, std::vector{NodeId(0u)});
}

TEST_F(ReadBlock, FindsAFileThatDiffersFromItsChecksums) {
  write_block(datanode_, random_bytes(10'000), block + 5);
  ASSERT_TRUE(datanode_->damage(block + 5, 9'999, 1));
  TransferClient client(datanode_.port());
  client.begin(read_operation(0, 10'000, block + 5));
  ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  const ReadPacket packet = client.packet();
  EXPECT_EQ(hdfs::first_bad_chunk(replica_checksums, packet.data, packet.checksums), 19u);
  EXPECT_TRUE(eventually([&] { return datanode_.link.calls_of<ReportBadBlocks>().size() == 1; }));
}

TEST_F(ReadBlock, KnowsTheChecksumOfABlock) {
  const Bytes all = generated_bytes(block, length);
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{512},
                                    std::uint64_t{300'001}, length, length + 1}) {
    pb::OpBlockChecksum operation;
    *operation.mutable_header()->mutable_block() = extended_block(block, stamp, bytes);
    TransferClient client(datanode_.port());
    client.begin(operation);
    const pb::BlockOpResponse reply = client.reply();
    ASSERT_EQ(reply.status(), pb::STATUS_SUCCESS);
    const auto counted = static_cast<std::size_t>(bytes == 0 ? length : std::min(bytes, length));
    Bytes sums(replica_checksums.bytes(counted));
    hdfs::write_checksums(replica_checksums, std::span(all).first(counted), sums);
    hdfs::Md5Digest digest;
    digest.update(sums);
    const hdfs::Md5 md5 = digest.finish();
    EXPECT_EQ(reply.checksum_response().md5(),
              std::string(reinterpret_cast<const char*>(md5.data()), md5.size()));
    EXPECT_EQ(reply.checksum_response().crc_per_block(), sums.size() / 4);
    EXPECT_EQ(reply.checksum_response().bytes_per_crc(), 512u);
  }
}

}  // namespace
}  // namespace tracebed::test
