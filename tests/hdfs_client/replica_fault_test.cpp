// Reading from replicas that fail, in every way.
#include <gmock/gmock.h>

#include "hdfs_client/file_reader_fixture.h"

namespace tracebed::hdfs {
namespace {

using std::chrono::milliseconds;
using test::block_bytes;
using test::FileReaderTest;
using test::first_block;
using test::LoopbackPeer;
using test::PeerConnection;
using test::ReplicaScript;
using test::Sent;
using testing::HasSubstr;

// How a replica fails, in the middle of a block or at once.
struct Fault {
  const char* name;
  ReplicaScript script;
  bool is_corrupt = false;
};
void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.name;
}

bool is_in_the_middle(const Sent& packet) {
  return packet.header.offset_in_block >= 49'152;
}

ReplicaScript with_packet(std::function<void(Sent&)> change) {
  return {.before_packet = [change](Sent& packet, PeerConnection&) {
    if (is_in_the_middle(packet)) change(packet);
    return true;
  }};
}

std::vector<Fault> faults() {
  return {
      {"closes",
       {.before_packet = [](Sent& packet, PeerConnection&) { return !is_in_the_middle(packet); }}},
      {"hangs",
       {.before_packet =
            [](Sent& packet, PeerConnection& client) {
              if (is_in_the_middle(packet)) client.freeze();
              return true;
            }}},
      {"is_short", {.length = 60'000}},
      {"ends_at_once", {.length = 0}},
      {"has_wrong_data", with_packet([](Sent& packet) {
         if (!packet.data.empty()) packet.data.front() ^= std::byte{1};
       }),
       true},
      {"has_wrong_data_in_its_last_partial_chunk",
       {.before_packet =
            [](Sent& packet, PeerConnection&) {
              if (packet.data.size() % 512 != 0) packet.data.back() ^= std::byte{1};
              return true;
            }},
       true},
      {"has_other_content_with_right_checksums", with_packet([](Sent& packet) {
         if (packet.data.empty()) return;
         packet.data.back() ^= std::byte{1};
         write_checksums(ChunkChecksums(), packet.data, packet.checksums);
       }),
       true},
      {"has_wrong_checksums", with_packet([](Sent& packet) {
         if (!packet.checksums.empty()) packet.checksums.back() ^= std::byte{1};
       }),
       true},
      {"sends_a_packet_twice", with_packet([](Sent& packet) { --packet.header.sequence_number; })},
      {"leaves_a_gap", with_packet([](Sent& packet) { packet.header.offset_in_block += 512; })},
      {"lacks_checksums", with_packet([](Sent& packet) { packet.checksums.clear(); })},
      {"sends_one_chunk_too_few", with_packet([](Sent& packet) {
         if (packet.data.size() < 1'024) return;
         packet.data.resize(packet.data.size() - 512);
         packet.header.data_bytes -= 512;
       })},
      {"sends_nonsense",
       {.before_packet =
            [](Sent& packet, PeerConnection& client) {
              if (is_in_the_middle(packet)) client.send(std::string(100, '\x7f'));
              return true;
            }}},
      {"refuses",
       {.before_response =
            [](pb::BlockOpResponse& response) {
              response.set_status(pb::STATUS_ERROR);
              response.set_message("no such replica");
            }}},
      {"has_impossible_checksums",
       {.before_response =
            [](pb::BlockOpResponse& response) {
              response.mutable_read_op_checksum_info()->mutable_checksum()->set_bytes_per_checksum(
                  0);
            }}},
      {"begins_elsewhere",
       {.before_response =
            [](pb::BlockOpResponse& response) {
              response.mutable_read_op_checksum_info()->set_chunk_offset(1'024);
            }}},
      {"has_no_kind_of_checksums",
       {.before_response =
            [](pb::BlockOpResponse& response) { response.clear_read_op_checksum_info(); }}},
  };
}

class ReplicaThat : public FileReaderTest, public testing::WithParamInterface<Fault> {};

// The bytes are right all the same, and only what is corrupt is reported as that.
TEST_P(ReplicaThat, IsGivenUpForAnotherAtTheNextByte) {
  options_.connection.read_timeout = milliseconds(1'000);
  options_.acquire_failures_max = 100;
  const LoopbackPeer& bad = add_datanode(GetParam().script);
  add_datanode();
  expect_all_is_read();
  EXPECT_GE(statistics_.replica_failures, 1u);
  if (GetParam().is_corrupt) {
    EXPECT_EQ(statistics_.corrupt_replicas, blocks);
    ASSERT_EQ(reported().size(), blocks);
    EXPECT_EQ(reported().front(), std::pair(first_block, bad.endpoint().text()));
  } else {
    EXPECT_TRUE(reported().empty());
  }
}

// A bounded number of attempts, and then the names of all.
TEST_P(ReplicaThat, IsAllThereIsMakesTheReadFail) {
  options_.connection.read_timeout = milliseconds(50);
  const LoopbackPeer& bad = add_datanode(GetParam().script);
  const auto all = read();
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().kind, ClientFailureKind::exhausted);
  EXPECT_THAT(all.error().message, HasSubstr("/file"));
  EXPECT_THAT(all.error().message, HasSubstr("block 1073741825 with generation stamp 1001"));
  EXPECT_THAT(all.error().message, HasSubstr(bad.endpoint().text() + ": "));
  EXPECT_EQ(bad.connections(), 3);
}

INSTANTIATE_TEST_SUITE_P(Faults, ReplicaThat, testing::ValuesIn(faults()),
                         [](const auto& fault) { return fault.param.name; });

TEST_F(FileReaderTest, NeverReturnsAWrongByteWhenEveryReplicaIsCorrupt) {
  const Fault fault = faults()[4];
  add_datanode(fault.script);
  add_datanode(fault.script);
  NamenodeClient client(namenode_.endpoint(), test::quick_rpc());
  auto reader = FileReader::open(client, dead_, "/file", 0, file_bytes, options_);
  ASSERT_TRUE(reader);
  std::vector<std::byte> all;
  while (true) {
    const auto bytes = reader->next();
    if (!bytes) break;
    ASSERT_FALSE(bytes->empty());
    all.insert(all.end(), bytes->begin(), bytes->end());
  }
  EXPECT_EQ(all, content(0, all.size()));
  EXPECT_TRUE(reported().empty()) << "the fault may be the reader's";
}

}  // namespace
}  // namespace tracebed::hdfs
