// WRITE_BLOCK through pipelines of several datanodes in this process.
#include <deque>
#include <fcntl.h>
#include <filesystem>

#include "agents/datanode/transfer_client.h"
#include "protocol/hdfs/delimited.h"

namespace tracebed::test {
namespace {

class WritePipeline : public testing::Test {
 protected:
  // Waits for nobody who hangs longer than a test should.
  static DataTransferOptions impatient() {
    DataTransferOptions options;
    options.read_timeout = std::chrono::seconds(1);
    options.read_timeout_extension = std::chrono::milliseconds(200);
    return options;
  }
  void start(std::uint32_t count, const DataTransferOptions& options = {}) {
    for (std::uint32_t i = 0; i < count; ++i) datanodes_.emplace_back(i, options);
  }
  pb::OpWriteBlock through_all(pb::OpWriteBlock write) {
    for (std::size_t i = 1; i < datanodes_.size(); ++i) {
      *write.add_targets() = datanode_info(datanodes_[i].peer());
    }
    write.set_pipeline_size(static_cast<std::uint32_t>(datanodes_.size()));
    return write;
  }
  static std::string name(TestDatanode& datanode) { return datanode.peer().place().to_string(); }

  std::deque<TestDatanode> datanodes_;
};

TEST_F(WritePipeline, KeepsTheBlockOnAllDatanodes) {
  start(3);
  const Bytes bytes = random_bytes(1'000'003);
  TransferClient client(datanodes_[0].port());
  client.begin(through_all(write_operation()));
  const pb::BlockOpResponse reply = client.reply();
  ASSERT_EQ(reply.status(), pb::STATUS_SUCCESS);
  EXPECT_TRUE(reply.has_first_bad_link());
  EXPECT_EQ(reply.first_bad_link(), "");
  client.expect_acks(client.send_block(bytes), 3);
  for (TestDatanode& datanode : datanodes_) {
    // Finalized and reported before the ack.
    const std::vector<ReplicaChange> changes = datanode.link.changes();
    ASSERT_EQ(changes.size(), 2u);
    EXPECT_EQ(changes[0].replica.state, ReportedState::being_written);
    EXPECT_EQ(changes[1].replica,
              (ReportedReplica{block, stamp, 1'000'003, ReportedState::finalized}));
    EXPECT_EQ(read_block(datanode, bytes.size()), bytes);
    EXPECT_EQ(datanode->counters().total().bytes_written[0], bytes.size());
  }
}

TEST_F(WritePipeline, AcknowledgesHeartbeatsAndSyncs) {
  start(2);
  TransferClient client(datanodes_[0].port());
  client.begin(through_all(write_operation()));
  ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  client.send_packet({.sequence_number = hdfs::heartbeat_sequence_number}, {});
  EXPECT_EQ(client.ack().seqno(), hdfs::heartbeat_sequence_number);
  client.send_packet({.sequence_number = 0, .syncs_block = true}, random_bytes(700));
  client.expect_acks(0, 2);
  // What a reader may ask for while it is written.
  EXPECT_EQ(read_block(datanodes_[1], 700), random_bytes(700));
  client.send_last(700, 1);
  EXPECT_EQ(client.ack().seqno(), 1);
}

TEST_F(WritePipeline, TakesAChunkOnceMoreThatTheLastPacketBegan) {
  start(2);
  const Bytes bytes = random_bytes(1'500);
  TransferClient client(datanodes_[0].port());
  client.begin(through_all(write_operation()));
  ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  client.send_packet({.sequence_number = 0}, std::span(bytes).first(700));
  client.send_packet({.offset_in_block = 512, .sequence_number = 1}, std::span(bytes).subspan(512));
  client.send_last(1'500, 2);
  client.expect_acks(2, 2);
  for (TestDatanode& datanode : datanodes_) EXPECT_EQ(read_block(datanode, 1'500), bytes);
}

TEST_F(WritePipeline, StoresItsOwnKindOfChecksumsForOthers) {
  start(2);
  const Bytes bytes = random_bytes(5'000);
  for (const auto& [type, per] :
       {std::pair(pb::CHECKSUM_CRC32, 512u), std::pair(pb::CHECKSUM_CRC32C, 4'096u),
        std::pair(pb::CHECKSUM_NULL, 512u)}) {
    const std::uint64_t id = block + per + static_cast<std::uint64_t>(type);
    pb::OpWriteBlock write = through_all(write_operation(id));
    write.mutable_requested_checksum()->set_type(type);
    write.mutable_requested_checksum()->set_bytes_per_checksum(per);
    TransferClient client(datanodes_[0].port());
    client.begin(write);
    ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
    client.send_packet({.sequence_number = 0}, bytes,
                       *hdfs::chunk_checksums(static_cast<std::uint32_t>(type), per));
    client.send_last(5'000, 1);
    client.expect_acks(1, 2);
    for (TestDatanode& datanode : datanodes_) EXPECT_EQ(read_block(datanode, 5'000, id), bytes);
  }
}

TEST_F(WritePipeline, ReportsWrongChecksumsFromTheLastDatanode) {
  start(1);
  TransferClient client(datanodes_[0].port());
  client.begin(write_operation());
  ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  client.send_packet({.sequence_number = 0}, random_bytes(600), Bytes(8));
  const pb::PipelineAck ack = client.ack();
  EXPECT_EQ(ack.seqno(), 0);
  EXPECT_EQ(ack.reply(0), pb::STATUS_ERROR_CHECKSUM);
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(datanodes_[0].link.received(block), 0u);
}

// As in HDFS, the datanode that passed them on leaves, since the wrong bytes may be its own.
TEST_F(WritePipeline, GivesUpTheDatanodeThatPassedWrongBytesOn) {
  start(2);
  TransferClient client(datanodes_[0].port());
  client.begin(through_all(write_operation()));
  ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  client.send_packet({.sequence_number = 0}, random_bytes(600), Bytes(8));
  EXPECT_TRUE(client.is_closed());
}

TEST_F(WritePipeline, NamesTheDatanodeThatIsNotThere) {
  start(3);
  pb::OpWriteBlock write = through_all(write_operation());
  const std::string gone = name(datanodes_[2]);
  datanodes_[2].stop();
  TransferClient client(datanodes_[0].port());
  client.begin(write);
  const pb::BlockOpResponse reply = client.reply();
  EXPECT_EQ(reply.status(), pb::STATUS_ERROR);
  EXPECT_EQ(reply.first_bad_link(), gone);
}

TEST_F(WritePipeline, NamesTheDatanodeThatRefusesTheBlock) {
  start(3);
  write_block(datanodes_[2], random_bytes(10));
  TransferClient client(datanodes_[0].port());
  client.begin(through_all(write_operation()));
  const pb::BlockOpResponse reply = client.reply();
  EXPECT_EQ(reply.status(), pb::STATUS_ERROR);
  EXPECT_EQ(reply.first_bad_link(), name(datanodes_[2]));
}

TEST_F(WritePipeline, TellsWhichDatanodeDiedMeanwhile) {
  start(3);
  TransferClient client(datanodes_[0].port());
  client.begin(through_all(write_operation()));
  ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  client.send_packet({.sequence_number = 0}, random_bytes(512));
  client.expect_acks(0, 3);
  datanodes_[2].stop();
  client.send_packet({.offset_in_block = 512, .sequence_number = 1}, random_bytes(512));
  const pb::PipelineAck ack = client.ack();
  ASSERT_EQ(ack.reply_size(), 3);
  EXPECT_EQ(ack.reply(0), pb::STATUS_SUCCESS);
  EXPECT_EQ(ack.reply(1), pb::STATUS_SUCCESS);
  EXPECT_EQ(ack.reply(2), pb::STATUS_ERROR);
}

// Takes connections, and answers nothing by itself.
class SilentPeer {
 public:
  SilentPeer() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    EXPECT_EQ(::listen(listener_.number(), 8), 0);
    sockaddr_in address{};
    socklen_t bytes = sizeof(address);
    EXPECT_EQ(::getsockname(listener_.number(), reinterpret_cast<sockaddr*>(&address), &bytes), 0);
    port_ = ntohs(address.sin_port);
  }
  std::string name() const { return "127.0.0.1:" + std::to_string(port_); }
  pb::OpWriteBlock as_target() const {
    pb::OpWriteBlock write = write_operation();
    *write.add_targets() = datanode_info({.node = NodeId(7u),
                                          .name = "silent",
                                          .address = "127.0.0.1",
                                          .rack = "/r",
                                          .transfer_port = port_});
    write.set_pipeline_size(2);
    return write;
  }
  FileDescriptor accept() const {
    return FileDescriptor(::accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
  }

 private:
  FileDescriptor listener_;
  std::uint16_t port_ = 0;
};

TEST_F(WritePipeline, TellsWhichDatanodeHangs) {
  start(1, impatient());
  const SilentPeer hung;
  TransferClient client(datanodes_[0].port());
  client.begin(hung.as_target());
  const pb::BlockOpResponse reply = client.reply();
  EXPECT_EQ(reply.status(), pb::STATUS_ERROR);
  EXPECT_EQ(reply.first_bad_link(), hung.name());
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& one : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

// Its client would leave out the wrong one.
TEST_F(WritePipeline, BlamesNobodyWhenItEndsItself) {
  for (const bool is_set_up : {false, true}) {
    SCOPED_TRACE(is_set_up);
    datanodes_.clear();
    start(1);
    const SilentPeer next;
    // Connections are shut down in the order of their numbers: that to the next datanode first,
    // then many, so that there would be time to tell the client of it, whose is the last.
    std::deque<FileDescriptor> low;
    for (int i = 0; i < 8; ++i) low.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    const std::size_t before = open_descriptors();
    std::deque<TransferClient> others;
    constexpr std::size_t count = 200;
    while (others.size() < count) others.emplace_back(datanodes_[0].port());
    TransferClient client(datanodes_[0].port());
    ASSERT_TRUE(eventually([&] { return open_descriptors() >= before + 2 * (count + 1); }));
    low.clear();  // more than the replica's files take
    client.begin(next.as_target());
    const FileDescriptor connection = next.accept();
    if (is_set_up) {
      pb::BlockOpResponse answer;
      answer.set_status(pb::STATUS_SUCCESS);
      std::string bytes;
      hdfs::append_delimited(bytes, answer);
      ASSERT_EQ(::send(connection.number(), bytes.data(), bytes.size(), 0), std::ssize(bytes));
      ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
      client.send_packet({.sequence_number = 0}, random_bytes(512));
      ASSERT_TRUE(eventually([&] { return datanodes_[0]->usage().used >= 512; }));
    }
    datanodes_[0].stop();
    EXPECT_TRUE(client.is_closed());
  }
}

TEST_F(WritePipeline, GoesOnWithTheDatanodesThatAreLeft) {
  start(3);
  const Bytes bytes = random_bytes(3'000);
  {
    TransferClient client(datanodes_[0].port());
    client.begin(through_all(write_operation()));
    ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
    client.send_packet({.sequence_number = 0}, std::span(bytes).first(1'024));
    client.expect_acks(0, 3);
  }
  datanodes_.pop_back();
  pb::OpWriteBlock write = through_all(
      write_operation(block, stamp, pb::OpWriteBlock::PIPELINE_SETUP_STREAMING_RECOVERY));
  write.set_min_bytes_rcvd(1'024);
  write.set_max_bytes_rcvd(2'048);
  write.set_latest_generation_stamp(stamp + 1);
  TransferClient client(datanodes_[0].port());
  client.begin(write);
  ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  client.send_packet({.offset_in_block = 1'024, .sequence_number = 0},
                     std::span(bytes).subspan(1'024));
  client.send_last(3'000, 1);
  client.expect_acks(1, 2);
  for (TestDatanode& datanode : datanodes_) {
    EXPECT_EQ(read_block(datanode, 3'000), bytes);
    EXPECT_EQ(datanode.link.changes().back().replica.generation_stamp, stamp + 1);
  }
}

// The old connection is still open: its thread is sent away.
TEST_F(WritePipeline, TakesOverFromAWriterThatHangs) {
  start(1);
  TransferClient hung(datanodes_[0].port());
  hung.begin(write_operation());
  ASSERT_EQ(hung.reply().status(), pb::STATUS_SUCCESS);
  hung.send_packet({.sequence_number = 0}, random_bytes(512));
  hung.expect_acks(0);
  pb::OpWriteBlock write =
      write_operation(block, stamp, pb::OpWriteBlock::PIPELINE_SETUP_STREAMING_RECOVERY);
  write.set_min_bytes_rcvd(512);
  write.set_max_bytes_rcvd(512);
  write.set_latest_generation_stamp(stamp + 1);
  TransferClient client(datanodes_[0].port());
  client.begin(write);
  EXPECT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  EXPECT_TRUE(hung.is_closed());
}

TEST_F(WritePipeline, ClosesWhatWasWrittenByItsLastPacketWhenAnAckWasLost) {
  start(2);
  const Bytes bytes = random_bytes(1'000);
  {
    TransferClient client(datanodes_[0].port());
    client.begin(through_all(write_operation()));
    ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
    client.send_packet({.sequence_number = 0}, bytes);
    client.expect_acks(0, 2);
  }
  pb::OpWriteBlock write =
      through_all(write_operation(block, stamp, pb::OpWriteBlock::PIPELINE_CLOSE_RECOVERY));
  write.set_min_bytes_rcvd(1'000);
  write.set_max_bytes_rcvd(1'000);
  write.set_latest_generation_stamp(stamp + 1);
  TransferClient client(datanodes_[0].port());
  client.begin(write);
  EXPECT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  for (TestDatanode& datanode : datanodes_) {
    ASSERT_TRUE(eventually([&] { return datanode.link.received(block) == 1; }));
    EXPECT_EQ(read_block(datanode, 1'000), bytes);
  }
}

TEST_F(WritePipeline, AppendsToAGeneratedReplica) {
  start(2);
  for (TestDatanode& datanode : datanodes_) {
    datanode->store(1, {{block, stamp, 1'000}});
    ASSERT_TRUE(eventually([&] { return datanode.link.stored().size() == 1; }));
  }
  pb::OpWriteBlock write =
      through_all(write_operation(block, stamp, pb::OpWriteBlock::PIPELINE_SETUP_APPEND));
  write.set_min_bytes_rcvd(1'000);
  write.set_latest_generation_stamp(stamp + 1);
  TransferClient client(datanodes_[0].port());
  client.begin(write);
  ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  // A client completes the chunk first.
  const Bytes more = random_bytes(524);
  client.send_packet({.offset_in_block = 1'000, .sequence_number = 0}, std::span(more).first(24));
  client.send_packet({.offset_in_block = 1'024, .sequence_number = 1}, std::span(more).subspan(24));
  client.send_last(1'524, 2);
  client.expect_acks(2, 2);
  Bytes expected = generated_bytes(block, 1'000);
  expected.insert(expected.end(), more.begin(), more.end());
  for (TestDatanode& datanode : datanodes_) EXPECT_EQ(read_block(datanode, 1'524), expected);
}

TEST_F(WritePipeline, SaysWhenADiskIsFull) {
  StoreOptions small;
  small.capacity = 100'000;
  datanodes_.emplace_back(0u);
  datanodes_.emplace_back(1u, DataTransferOptions(), small);
  TransferClient client(datanodes_[0].port());
  client.begin(through_all(write_operation()));
  ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  client.send_block(random_bytes(200'000));
  EXPECT_EQ(client.ack().reply(1), pb::STATUS_SUCCESS);
  const pb::PipelineAck ack = client.ack();
  EXPECT_EQ(ack.reply(0), pb::STATUS_SUCCESS);
  EXPECT_EQ(ack.reply(1), pb::STATUS_ERROR);
  // One that states its size is refused at once.
  pb::OpWriteBlock large = write_operation(block + 1);
  large.mutable_header()->mutable_base_header()->mutable_block()->set_num_bytes(100'001);
  TransferClient other(datanodes_[1].port());
  other.begin(large);
  const pb::BlockOpResponse reply = other.reply();
  EXPECT_EQ(reply.status(), pb::STATUS_ERROR);
  EXPECT_NE(reply.message().find("full"), std::string::npos);
}

TEST_F(WritePipeline, KeepsWhatWasAcknowledgedWhenTheClientDies) {
  start(2);
  const Bytes bytes = random_bytes(10'000);
  {
    TransferClient client(datanodes_[0].port());
    client.begin(through_all(write_operation()));
    ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
    client.send_packet({.sequence_number = 0}, bytes);
    client.expect_acks(0, 2);
    client.send("half a pack");
  }
  for (TestDatanode& datanode : datanodes_) {
    EXPECT_TRUE(eventually([&] { return datanode->usage().transfers == 0; }));
    EXPECT_EQ(read_block(datanode, 10'000), bytes);
    EXPECT_EQ(datanode->replicas(),
              (std::vector<ReportedReplica>{{block, stamp, 10'000, ReportedState::being_written}}));
  }
}

TEST_F(WritePipeline, SendsAReplicaToAnotherDatanodeForItsClient) {
  start(2);
  const Bytes bytes = random_bytes(100'000);
  TransferClient writer(datanodes_[0].port());
  writer.begin(write_operation());
  ASSERT_EQ(writer.reply().status(), pb::STATUS_SUCCESS);
  writer.send_packet({.sequence_number = 0}, bytes);
  writer.expect_acks(0);
  pb::OpTransferBlock transfer;
  transfer.mutable_header()->set_client_name(client_name);
  *transfer.mutable_header()->mutable_base_header()->mutable_block() = extended_block(block, stamp);
  *transfer.add_targets() = datanode_info(datanodes_[1].peer());
  TransferClient client(datanodes_[0].port());
  client.begin(transfer);
  const pb::BlockOpResponse reply = client.reply();
  ASSERT_EQ(reply.status(), pb::STATUS_SUCCESS) << reply.message();
  // It can join the pipeline.
  EXPECT_EQ(datanodes_[1]->replicas(),
            (std::vector<ReportedReplica>{{block, stamp, 100'000, ReportedState::being_written}}));
  EXPECT_TRUE(datanodes_[1].link.changes().empty());
  EXPECT_EQ(read_block(datanodes_[1], 100'000), bytes);
}

}  // namespace
}  // namespace tracebed::test
