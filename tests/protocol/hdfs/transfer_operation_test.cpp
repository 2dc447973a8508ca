#include "protocol/hdfs/transfer_operation.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "protocol/hdfs/bytes.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/recorded_client.h"

namespace tracebed::hdfs {
namespace {

using test::from_hex;
using test::view;

template <class Operation>
Operation parsed(const std::string& bytes) {
  const auto result = parse_operation(view(bytes));
  const auto& operation = std::get<Parsed<TransferOperation>>(result);
  EXPECT_EQ(operation.bytes, bytes.size());
  return std::get<Operation>(operation.value);
}

std::string operation_error(const std::string& bytes, const TransferLimits& limits = {}) {
  const auto result = parse_operation(view(bytes), limits);
  const auto* malformed = std::get_if<Malformed>(&result);
  return malformed == nullptr ? "is accepted or too short" : malformed->reason;
}

TEST(TransferOperation, ReadsWhatARealClientSends) {
  const auto read = parsed<pb::OpReadBlock>(test::recorded_read());
  EXPECT_EQ(read.header().base_header().block().pool_id(), "BP-1");
  EXPECT_EQ(read.header().base_header().block().block_id(), 1003u);
  EXPECT_EQ(read.header().base_header().block().num_bytes(), 14u);
  EXPECT_EQ(read.header().client_name(), "go-hdfs-9KvftiGw9l3LKNER");
  EXPECT_EQ(read.offset(), 0u);
  EXPECT_EQ(read.len(), 14u);
  EXPECT_TRUE(read.send_checksums());

  const auto write = parsed<pb::OpWriteBlock>(test::recorded_write());
  EXPECT_EQ(write.stage(), pb::OpWriteBlock::PIPELINE_SETUP_CREATE);
  EXPECT_EQ(write.requested_checksum().type(), pb::CHECKSUM_CRC32);
  EXPECT_EQ(write.requested_checksum().bytes_per_checksum(), 512u);

  const auto checksum = parsed<pb::OpBlockChecksum>(test::recorded_block_checksum());
  EXPECT_EQ(checksum.header().block().block_id(), 1003u);
}

TEST(TransferOperation, WritesWhatItReads) {
  std::string out;
  append_operation(out, parsed<pb::OpReadBlock>(test::recorded_read()));
  EXPECT_EQ(out, test::recorded_read());
  out.clear();
  append_operation(out, parsed<pb::OpWriteBlock>(test::recorded_write()));
  EXPECT_EQ(out, test::recorded_write());
  out.clear();
  append_operation(out, parsed<pb::OpBlockChecksum>(test::recorded_block_checksum()));
  EXPECT_EQ(out, test::recorded_block_checksum());
}

TEST(TransferOperation, EveryPrefixNeedsMoreAndAtMostTheOperation) {
  const std::string bytes = test::recorded_write();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto result = parse_operation(view(bytes).first(size));
    ASSERT_TRUE(std::holds_alternative<NeedMore>(result)) << size;
    EXPECT_GT(std::get<NeedMore>(result).bytes, size);
    EXPECT_LE(std::get<NeedMore>(result).bytes, bytes.size());
  }
}

TEST(TransferOperation, EveryChangedBitIsAnErrorOrAnotherOperation) {
  const std::string original = test::recorded_read();
  for (std::size_t bit = 0; bit < original.size() * 8; ++bit) {
    std::string changed = original;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    const auto result = parse_operation(view(changed));
    const auto* operation = std::get_if<Parsed<TransferOperation>>(&result);
    if (operation == nullptr) continue;
    const auto* read = std::get_if<pb::OpReadBlock>(&operation->value);
    if (read == nullptr) continue;
    std::string out;
    append_operation(out, *read);
    EXPECT_NE(out, original) << "bit " << bit;
  }
}

TEST(TransferOperation, RefusesOtherVersionsAndUnknownOperations) {
  EXPECT_EQ(operation_error(from_hex("001b 51")), "the version of data transfer is 27, not 28");
  EXPECT_EQ(operation_error(from_hex("001c 4f")), "there is no operation 79");
  EXPECT_EQ(operation_error(from_hex("001c 5b")), "there is no operation 91");
  EXPECT_EQ(operation_error(from_hex("001c 51 00")),
            "the message of operation 81 cannot be parsed");
}

TEST(TransferOperation, RefusesAMessageBeyondTheLimit) {
  const std::string bytes = test::recorded_read();
  EXPECT_EQ(operation_error(bytes, {.operation_bytes_max = 58}),
            "a message of 59 bytes exceeds the limit of 58");
  EXPECT_EQ(operation_error(bytes, {.operation_bytes_max = 59}), "is accepted or too short");
}

TEST(TransferOperation, OperationsThatTheTestbedLacksAreSkippedAndAnswered) {
  for (const int opcode : {82, 83, 84, 87, 88, 89, 90}) {
    std::string bytes = from_hex("001c");
    bytes += static_cast<char>(opcode);
    bytes += from_hex("02 0a00");
    const auto operation = parsed<UnsupportedOperation>(bytes);
    EXPECT_EQ(static_cast<int>(operation.opcode), opcode);
    const std::string reply = unsupported_reply(operation);
    const auto message = parse_delimited(view(reply), 1000);
    const Bytes body = std::get<Parsed<Bytes>>(message).value;
    const std::string text = "operation " + std::to_string(opcode) + " is not supported";
    if (opcode == 88 || opcode == 89) {
      pb::ShortCircuitResponse response;
      ASSERT_TRUE(parse_message(body, response));
      EXPECT_EQ(response.status(), pb::STATUS_ERROR_UNSUPPORTED);
      EXPECT_EQ(response.error(), text);
    } else {
      pb::BlockOpResponse response;
      ASSERT_TRUE(parse_message(body, response));
      EXPECT_EQ(response.status(), pb::STATUS_ERROR_UNSUPPORTED);
      EXPECT_EQ(response.message(), text);
    }
  }
}

TEST(TransferOperation, RandomOperationsReturnAsTheyWereSent) {
  Random random(28);
  for (int round = 0; round < 300; ++round) {
    pb::OpTransferBlock transfer;
    auto* header = transfer.mutable_header();
    header->set_client_name(std::string(random.below(40), 'c'));
    auto* block = header->mutable_base_header()->mutable_block();
    block->set_pool_id("BP");
    block->set_block_id(random.next());
    block->set_generation_stamp(random.next());
    for (std::uint64_t left = random.below(5); left > 0; --left) {
      auto* id = transfer.add_targets()->mutable_id();
      id->set_ip_addr("127.0.0." + std::to_string(random.below(256)));
      id->set_host_name(std::string(random.below(60), 'h'));
      id->set_datanode_uuid("u");
      id->set_xfer_port(static_cast<std::uint32_t>(random.below(65536)));
      id->set_info_port(0);
      id->set_ipc_port(0);
      transfer.add_target_storage_types(pb::STORAGE_SSD);
    }
    std::string bytes;
    append_operation(bytes, transfer);
    EXPECT_EQ(parsed<pb::OpTransferBlock>(bytes).SerializeAsString(), transfer.SerializeAsString());
  }
}

}  // namespace
}  // namespace tracebed::hdfs
