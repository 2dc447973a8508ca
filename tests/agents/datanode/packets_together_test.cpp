// What a datanode receives at once, as from a client that is ahead, it takes as if each packet had
// come alone.
#include <array>

#include "agents/datanode/transfer_client.h"

namespace tracebed::test {
namespace {

// Whole chunks, then an end within one, which the next packet begins once more, and a sync between
// them.
TEST(PacketsTogether, AreEachAcknowledgedByAllOfThePipeline) {
  std::array<TestDatanode, 3> datanodes = {TestDatanode(0), TestDatanode(1), TestDatanode(2)};
  const Bytes bytes = random_bytes(5'000);
  pb::OpWriteBlock write = write_operation();
  *write.add_targets() = datanode_info(datanodes[1].peer());
  *write.add_targets() = datanode_info(datanodes[2].peer());
  write.set_pipeline_size(3);
  TransferClient client(datanodes[0].port());
  client.begin(write);
  ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  client.collect();
  std::int64_t number = 0;
  const auto send = [&](std::size_t begin, std::size_t end, bool syncs = false) {
    client.send_packet({.offset_in_block = static_cast<std::int64_t>(begin),
                        .sequence_number = number++,
                        .syncs_block = syncs},
                       std::span(bytes).subspan(begin, end - begin));
  };
  send(0, 512);
  send(512, 1'536);
  send(1'536, 2'048, /*syncs=*/true);
  send(2'048, 3'000);
  send(2'560, 4'096);
  send(4'096, 5'000);
  client.send_last(5'000, number);
  client.send_collected();
  client.expect_acks(number, 3);
  for (TestDatanode& datanode : datanodes) {
    EXPECT_EQ(read_block(datanode, 5'000), bytes);
    EXPECT_EQ(datanode->counters().total().bytes_written[0], 5'440u);
  }
}

TEST(PacketsTogether, AreKeptUpToAWrongOne) {
  TestDatanode datanode(0);
  const Bytes bytes = random_bytes(2'048);
  TransferClient client(datanode.port());
  client.begin(write_operation());
  ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  client.collect();
  client.send_packet({.sequence_number = 0}, std::span(bytes).first(512));
  client.send_packet({.offset_in_block = 512, .sequence_number = 1},
                     std::span(bytes).subspan(512, 1'024));
  client.send_packet({.offset_in_block = 1'536, .sequence_number = 2},
                     std::span(bytes).subspan(1'536), Bytes(4));
  client.send_collected();
  client.expect_acks(1);
  EXPECT_EQ(client.ack().reply(0), pb::STATUS_ERROR_CHECKSUM);
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(datanode.link.received(block), 0u);
  EXPECT_EQ(read_block(datanode, 1'536), Bytes(bytes.begin(), bytes.begin() + 1'536));
}

}  // namespace
}  // namespace tracebed::test
