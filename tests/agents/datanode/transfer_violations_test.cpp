// Clients that break the protocol, or are slow, or many.
#include <sys/resource.h>

#include "agents/datanode/transfer_client.h"
#include "protocol/hdfs/delimited.h"

namespace tracebed::test {
namespace {

DataTransferOptions impatient() {
  DataTransferOptions options;
  options.read_timeout = std::chrono::milliseconds(300);
  options.write_timeout = std::chrono::milliseconds(300);
  options.keepalive = std::chrono::milliseconds(200);
  options.drain_timeout = std::chrono::milliseconds(100);
  return options;
}

class TransferViolations : public testing::Test {
 protected:
  // Answered with an error, and closed.
  void expect_refused(const std::string& bytes) {
    TransferClient client(datanode_.port());
    client.send(bytes);
    const pb::BlockOpResponse reply = client.reply();
    EXPECT_EQ(reply.status(), pb::STATUS_ERROR);
    EXPECT_NE(reply.message(), "");
    EXPECT_TRUE(client.is_closed());
  }
  void expect_write_refused(const pb::OpWriteBlock& write) {
    std::string bytes;
    hdfs::append_operation(bytes, write);
    expect_refused(bytes);
  }

  TestDatanode datanode_{0, impatient()};
};

TEST_F(TransferViolations, AreAnsweredWithAnError) {
  using namespace std::string_literals;
  expect_refused("\x00\x1b\x51"s);                          // another version
  expect_refused("\x00\x1c\x07"s);                          // no such operation
  expect_refused("\x00\x1c\x51\xff\xff\xff\xff\xff\xff"s);  // no length
  expect_refused("\x00\x1c\x51\xff\xff\xff\x07"s);          // a length beyond the limit
  expect_refused("\x00\x1c\x51\x03\x01\x02\x03"s);          // no message
}

TEST_F(TransferViolations, OfWritesAreAnsweredWithAnError) {
  pb::OpWriteBlock write = write_operation();
  write.set_stage(pb::OpWriteBlock::DATA_STREAMING);
  expect_write_refused(write);
  write = write_operation();
  write.mutable_requested_checksum()->set_bytes_per_checksum(0);
  expect_write_refused(write);
  write = write_operation();
  write.mutable_header()->mutable_base_header()->mutable_block()->set_num_bytes(~0ull);
  expect_write_refused(write);
  write = write_operation();
  write.set_latest_generation_stamp(~0ull);
  expect_write_refused(write);
  write = write_operation(block, stamp, pb::OpWriteBlock::TRANSFER_RBW);
  *write.add_targets() = datanode_info(datanode_.peer());
  expect_write_refused(write);
  write = write_operation(block, stamp, pb::OpWriteBlock::PIPELINE_SETUP_APPEND);
  expect_write_refused(write);  // there is no such replica
  write_block(datanode_, random_bytes(10));
  expect_write_refused(write_operation());  // there is one
  write = write_operation(block, stamp, pb::OpWriteBlock::PIPELINE_SETUP_APPEND);
  write.set_min_bytes_rcvd(11);  // of another length
  expect_write_refused(write);
}

TEST_F(TransferViolations, OfUnsupportedOperationsAreAnsweredAsSuch) {
  TransferClient client(datanode_.port());
  client.send(std::string("\x00\x1c\x52\x00", 4));  // READ_METADATA
  EXPECT_EQ(client.reply().status(), pb::STATUS_ERROR_UNSUPPORTED);
  client.send(std::string("\x00\x1c\x59\x00", 4));  // REQUEST_SHORT_CIRCUIT_SHM
  EXPECT_EQ(client.reply<pb::ShortCircuitResponse>().status(), pb::STATUS_ERROR_UNSUPPORTED);
}

TEST_F(TransferViolations, InPacketsEndTheWrite) {
  const auto expect_end = [&](const hdfs::PacketHeader& header, const Bytes& data,
                              const Bytes& sums) {
    static std::uint64_t id = block + 100;
    TransferClient client(datanode_.port());
    client.begin(write_operation(++id));
    ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
    client.send_packet(header, data, hdfs::Bytes(sums));
    EXPECT_TRUE(client.is_closed());
    EXPECT_EQ(datanode_.link.received(id), 0u);
  };
  expect_end({.offset_in_block = 1}, random_bytes(10), Bytes(4));  // leaves a gap
  expect_end({.offset_in_block = -1}, random_bytes(10), Bytes(4));
  expect_end({}, random_bytes(600), Bytes(4));                    // a checksum is missing
  expect_end({}, random_bytes((1 << 20) + 1), Bytes(4 * 2'049));  // is too large
}

TEST_F(TransferViolations, OfSilentClientsEndTheirConnections) {
  TransferClient silent(datanode_.port());
  EXPECT_TRUE(silent.is_closed());
  TransferClient slow(datanode_.port());
  slow.send(std::string("\x00\x1c", 2));
  EXPECT_TRUE(slow.is_closed());
  TransferClient half_closed(datanode_.port());
  half_closed.half_close();
  EXPECT_TRUE(half_closed.is_closed());
  TransferClient writer(datanode_.port());
  writer.begin(write_operation());
  ASSERT_EQ(writer.reply().status(), pb::STATUS_SUCCESS);
  EXPECT_TRUE(writer.is_closed());
  EXPECT_TRUE(eventually([&] { return datanode_->usage().transfers == 0; }));
}

TEST_F(TransferViolations, OfReadersThatTakeNothingEndTheirConnections) {
  datanode_->store(1, {{block, stamp, 200'000'000}});
  ASSERT_TRUE(eventually([&] { return datanode_.link.stored().size() == 1; }));
  TransferClient reader(datanode_.port());
  reader.begin(read_operation(0, 200'000'000));
  ASSERT_EQ(reader.reply().status(), pb::STATUS_SUCCESS);
  EXPECT_TRUE(eventually([&] { return datanode_->usage().transfers == 0; }));
}

TEST_F(TransferViolations, OfOneClientDoNotTouchOthers) {
  TransferClient writer(datanode_.port());
  writer.begin(write_operation());
  ASSERT_EQ(writer.reply().status(), pb::STATUS_SUCCESS);
  expect_refused("GET / HTTP/1.1\r\n\r\n");
  const Bytes bytes = random_bytes(100);
  writer.expect_acks(writer.send_block(bytes));
  EXPECT_EQ(read_block(datanode_, 100), bytes);
}

TEST(ManyConnections, AreServedUpToABound) {
  DataTransferOptions options;
  options.connections_max = 2'000;
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_max < 6'000) GTEST_SKIP() << "the limit of descriptors is " << limit.rlim_max;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  TestDatanode datanode(0, options);
  std::vector<FileDescriptor> idle = raw_connections(datanode.port(), options.connections_max);
  ASSERT_TRUE(eventually([&] { return datanode->usage().transfers == options.connections_max; }));
  // One more is closed at once.
  const FileDescriptor further = raw_connection(datanode.port());
  EXPECT_TRUE(eventually([&] { return is_closed_by_peer(further); }));
  // There is room again when some leave.
  idle.resize(idle.size() - 2);
  ASSERT_TRUE(
      eventually([&] { return datanode->usage().transfers == options.connections_max - 2; }));
  write_block(datanode, random_bytes(1'000));
  EXPECT_EQ(read_block(datanode, 1'000), random_bytes(1'000));
  // All are ended with the datanode.
  datanode.stop();
  EXPECT_TRUE(is_closed_by_peer(idle.front()));
}

}  // namespace
}  // namespace tracebed::test
