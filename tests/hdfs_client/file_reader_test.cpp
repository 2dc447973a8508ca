// Reading from datanodes that work, and from none.
#include <gmock/gmock.h>

#include "hdfs_client/changeable.h"
#include "hdfs_client/file_reader_fixture.h"
#include "support/eventually.h"

namespace tracebed::hdfs {
namespace {

using std::chrono::milliseconds;
using test::block_bytes;
using test::Changeable;
using test::FileReaderTest;
using test::first_block;
using test::LoopbackPeer;
using test::PeerConnection;
using test::ReplicaScript;
using test::Sent;
using testing::HasSubstr;

TEST_F(FileReaderTest, ReadsEveryByteFromTheFirstReplica) {
  const LoopbackPeer& near = add_datanode();
  const LoopbackPeer& far = add_datanode();
  options_.distance = [&](const pb::DatanodeInfo& datanode) {
    return datanode.id().datanode_uuid() == near.endpoint().text() ? ReadDistance::same_node
                                                                   : ReadDistance::off_rack;
  };
  expect_all_is_read();
  EXPECT_EQ(far.connections(), 0);
  EXPECT_EQ(statistics_.bytes_by_distance[0], file_bytes);
  EXPECT_EQ(statistics_.bytes(), file_bytes);
  EXPECT_EQ(statistics_.bytes_by_datanode.at(near.endpoint().text()), file_bytes);
  EXPECT_EQ(statistics_.replica_failures, 0u);
  EXPECT_GT(statistics_.waited.count(), 0);
}

TEST_F(FileReaderTest, ReadsAnyRange) {
  add_datanode();
  for (const auto& [offset, length] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 1},
                                                            {511, 1},
                                                            {511, 2},
                                                            {512, 512},
                                                            {513, 5'000},
                                                            {block_bytes - 1, 2},
                                                            {block_bytes - 160, 160},
                                                            {99'999, block_bytes + 2},
                                                            {file_bytes - 1, 1},
                                                            {7, file_bytes - 14}}) {
    const auto part = read(offset, length);
    ASSERT_TRUE(part) << part.error().message;
    EXPECT_EQ(*part, content(offset, length)) << offset << " " << length;
  }
  EXPECT_EQ(read(file_bytes - 5, 100)->size(), 5u);
  EXPECT_TRUE(read(file_bytes, 1)->empty());
  EXPECT_TRUE(read(file_bytes + 1'000, 1)->empty());
  EXPECT_TRUE(read(0, 0)->empty());
}

TEST_F(FileReaderTest, StatesWhatItsReadsWeigh) {
  Changeable<std::vector<std::uint32_t>> weights;
  add_datanode({.before_read = [&](const pb::OpReadBlock& read) {
    std::vector<std::uint32_t> all = weights.get();
    all.push_back(read.header().has_transfer_weight() ? read.header().transfer_weight() : 0);
    weights = all;
  }});
  ASSERT_TRUE(read(0, 1));
  options_.connection.transfer_weight = 250;
  ASSERT_TRUE(read(0, block_bytes + 1));
  EXPECT_THAT(weights.get(), testing::ElementsAre(0, 250, 250));
}

TEST_F(FileReaderTest, TellsTheDatanodeThatChecksumsWereRight) {
  std::atomic<int> told = 0;
  add_datanode([&](PeerConnection& client, int) { told += test::serve_read(client, {}); });
  expect_all_is_read();
  EXPECT_TRUE(eventually([&] { return told == static_cast<int>(blocks); }));
}

TEST_F(FileReaderTest, ReadsWithoutChecksumsIfToldTo) {
  add_datanode();
  options_.verifies_checksums = false;
  expect_all_is_read();
}

TEST_F(FileReaderTest, PassesOverADatanodeThatRefusesAndRemembersIt) {
  const LoopbackPeer& gone = add_datanode();
  add_datanode();
  datanodes_.front()->stop();
  expect_all_is_read();
  EXPECT_EQ(statistics_.replica_failures, 1u) << "of three blocks";
  EXPECT_TRUE(dead_.contains(gone.endpoint().text()));
}

TEST_F(FileReaderTest, LeavesAReplicaThatIsTooSlow) {
  const LoopbackPeer& slow =
      add_datanode(ReplicaScript{.before_packet =
                                     [](Sent&, PeerConnection&) {
                                       std::this_thread::sleep_for(milliseconds(5));
                                       return true;
                                     },
                                 .packet_bytes = 512});
  add_datanode();
  options_.minimum_rate = {std::uint64_t{100} << 20, milliseconds(200)};
  options_.acquire_failures_max = 100;
  expect_all_is_read();
  EXPECT_GE(slow.connections(), 1);
  EXPECT_LT(statistics_.bytes_by_datanode[slow.endpoint().text()], file_bytes);
}

TEST_F(FileReaderTest, StaysWithASlowReplicaThatIsTheOnlyOne) {
  add_datanode();
  options_.minimum_rate = {std::uint64_t{1} << 60, milliseconds(0)};
  expect_all_is_read();
  EXPECT_EQ(statistics_.replica_failures, 0u);
}

TEST_F(FileReaderTest, AsksForOtherLocationsWhenAllReplicasHaveFailed) {
  add_datanode();
  datanodes_.front()->stop();
  namenode_.on<pb::GetBlockLocationsRequest>([this](const pb::GetBlockLocationsRequest&) {
    const auto before = locations();
    if (datanodes_.size() == 1) add_datanode();  // for the next who asks
    return before;
  });
  expect_all_is_read();
}

TEST_F(FileReaderTest, FailsForABlockWithoutReplicas) {
  const auto all = read();
  ASSERT_FALSE(all);
  EXPECT_THAT(all.error().message, HasSubstr("it has none"));
  EXPECT_EQ(namenode_.count("getBlockLocations"), 3u);
}

TEST_F(FileReaderTest, IsInterruptedWhileADatanodeHangs) {
  add_datanode([](PeerConnection& client, int) { client.hang(); });
  const EventDescriptor interrupt;
  options_.connection.interrupt = interrupt.number();
  std::thread ringing([&] { interrupt.ring(); });
  const auto all = read();
  ringing.join();
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().kind, ClientFailureKind::interrupted);
}

TEST_F(FileReaderTest, TakesNoMemoryForALengthThatADatanodeAnnounces) {
  add_datanode([](PeerConnection& client, int) {
    pb::BlockOpResponse response;
    response.set_status(pb::STATUS_SUCCESS);
    auto& info = *response.mutable_read_op_checksum_info();
    info.mutable_checksum()->set_type(pb::CHECKSUM_CRC32C);
    info.mutable_checksum()->set_bytes_per_checksum(512);
    info.set_chunk_offset(0);
    std::string out;
    append_delimited(out, response);
    out += std::string("\x7f\xff\xff\xff\0\x19", 6);
    client.send(out);
    client.hang();
  });
  const auto all = read();
  ASSERT_FALSE(all);
  EXPECT_THAT(all.error().message, HasSubstr("payload of 2147483647 bytes is not within"));
}

TEST_F(FileReaderTest, DoesNotTrustLengthsOfTheNamenode) {
  add_datanode();
  namenode_.on<pb::GetBlockLocationsRequest>([this](const pb::GetBlockLocationsRequest&) {
    auto response = locations();
    response.mutable_locations()->mutable_blocks(1)->set_offset(~std::uint64_t{0} - 5);
    return response;
  });
  const auto all = read();
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().kind, ClientFailureKind::protocol);
}

TEST_F(FileReaderTest, TakesNoLocationsForAFailureAndNotForAnEmptyFile) {
  namenode_.on<pb::GetBlockLocationsRequest>(
      [](const pb::GetBlockLocationsRequest&) { return pb::GetBlockLocationsResponse(); });
  EXPECT_EQ(read().error().kind, ClientFailureKind::protocol);
}

TEST_F(FileReaderTest, NamesAFileThatIsNotThere) {
  namenode_.on<pb::GetBlockLocationsRequest>(
      [](const pb::GetBlockLocationsRequest&) -> pb::GetBlockLocationsResponse {
        throw RpcError{RpcErrorCode::application, "java.io.FileNotFoundException", "no /file"};
      });
  EXPECT_EQ(read().error().exception_class, "java.io.FileNotFoundException");
}

TEST(DeadDatanodes, AreForgottenAfterAWhile) {
  DeadDatanodes dead(milliseconds(100));
  const DeadDatanodes::Clock::time_point now{};
  dead.mark("a", now);
  EXPECT_TRUE(dead.contains("a", now + milliseconds(99)));
  EXPECT_FALSE(dead.contains("a", now + milliseconds(100)));
  EXPECT_FALSE(dead.contains("b", now));
  dead.forgive("a");
  EXPECT_FALSE(dead.contains("a", now));
}

TEST(ReceiveRate, CountsOnlyTheTimeOfWaiting) {
  ReceiveRate rate({1'000, milliseconds(1'000)});
  EXPECT_FALSE(rate.add(1, milliseconds(999)));
  EXPECT_FALSE(rate.add(999, milliseconds(1)));
  EXPECT_FALSE(rate.add(100, milliseconds(500)));
  EXPECT_TRUE(rate.add(100, milliseconds(500)));
  EXPECT_FALSE(rate.add(0, milliseconds(1))) << "a period begins anew";
  ReceiveRate none({});
  EXPECT_FALSE(none.add(0, std::chrono::hours(1)));
}

}  // namespace
}  // namespace tracebed::hdfs
