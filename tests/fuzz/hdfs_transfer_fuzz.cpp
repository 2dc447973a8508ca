// A connection to a datanode: an operation, and packets after it.
#include <cstddef>
#include <span>

#include "core/check.h"
#include "core/visit.h"
#include "fuzz/fuzz_target.h"
#include "protocol/hdfs/packet.h"
#include "protocol/hdfs/recorded_client.h"
#include "protocol/hdfs/transfer_operation.h"

namespace tracebed::fuzz {
namespace {

using namespace hdfs;

void check_operation(const TransferOperation& operation) {
  std::string bytes;
  visit_all(
      operation,
      [&](const OneOf<pb::OpReadBlock, pb::OpWriteBlock, pb::OpTransferBlock,
                      pb::OpBlockChecksum> auto& message) { append_operation(bytes, message); },
      [&](const UnsupportedOperation& unsupported) {
        TRACEBED_CHECK(!unsupported_reply(unsupported).empty(), "every operation has an answer");
      });
  if (bytes.empty()) return;
  const auto again = parse_operation(test::view(bytes));
  const auto* parsed = std::get_if<Parsed<TransferOperation>>(&again);
  TRACEBED_CHECK(parsed != nullptr && parsed->value.index() == operation.index(),
                 "what a datanode accepts, a client could have sent");
}

void check_packet(const Packet& packet) {
  const std::string bytes =
      test::text(packet_prefix(packet.header, packet.checksums.size()).view()) +
      test::text(packet.checksums) + test::text(packet.data);
  const auto again = parse_packet(test::view(bytes));
  const auto* parsed = std::get_if<Parsed<Packet>>(&again);
  TRACEBED_CHECK(parsed != nullptr && parsed->value.header == packet.header &&
                     test::text(parsed->value.data) == test::text(packet.data),
                 "a packet is relayed as it came");
  constexpr ChunkChecksums checksums{ChecksumType::crc32, 512};
  if (!checksum_layout_error(packet, checksums)) {
    (void)first_bad_chunk(checksums, packet.data, packet.checksums);
  }
}

// The bytes after the value; nothing if there is none.
template <class T, class Check>
Bytes after(const ParseResult<T>& result, Bytes unread, const Check& check) {
  Bytes rest;
  visit_all(
      result,
      [&](const NeedMore& more) {
        TRACEBED_CHECK(more.bytes > unread.size(), "what is missing is more than what is there");
      },
      [&](const Parsed<T>& parsed) {
        TRACEBED_CHECK(parsed.bytes > 0 && parsed.bytes <= unread.size(),
                       "a value is of the bytes");
        check(parsed.value);
        rest = unread.subspan(parsed.bytes);
      },
      Ignore<Malformed>{});
  return rest;
}

}  // namespace

std::vector<std::string> seeds() {
  pb::OpTransferBlock transfer;
  transfer.mutable_header()->set_client_name("c");
  auto* block = transfer.mutable_header()->mutable_base_header()->mutable_block();
  block->set_pool_id("BP");
  block->set_block_id(1);
  block->set_generation_stamp(1);
  std::string transfer_bytes;
  append_operation(transfer_bytes, transfer);
  return {test::recorded_read(), test::recorded_write() + test::recorded_packets(),
          test::recorded_block_checksum(), transfer_bytes, test::recorded_packets()};
}

}  // namespace tracebed::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tracebed;
  const hdfs::Bytes bytes = std::as_bytes(std::span(data, size));
  const hdfs::TransferLimits limits{.operation_bytes_max = 4096};
  hdfs::Bytes unread =
      fuzz::after(hdfs::parse_operation(bytes, limits), bytes, fuzz::check_operation);
  if (unread.empty()) unread = bytes;
  while (!unread.empty()) {
    unread = fuzz::after(hdfs::parse_packet(unread), unread, fuzz::check_packet);
  }
  return 0;
}
