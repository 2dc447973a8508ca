#include "hdfs_client/block_reader.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "protocol/hdfs/delimited.h"

namespace tracebed::hdfs {

BlockReader::BlockReader(DatanodeConnection datanode, BlockRange range,
                         const BlockReadOptions& options)
    : datanode_(std::move(datanode)),
      range_(std::move(range)),
      packet_limits_(options.packets),
      read_timeout_(options.connection.read_timeout),
      write_timeout_(options.connection.write_timeout),
      verifies_checksums_(options.verifies_checksums),
      position_(range_.offset) {}

ClientResult<BlockReader> BlockReader::open(const pb::DatanodeId& datanode, BlockRange range,
                                            const BlockReadOptions& options) {
  TRACEBED_CHECK(range.length > 0 && range.offset + range.length > range.offset,
                 "a part of a block has bytes");
  ClientResult<DatanodeConnection> connection =
      DatanodeConnection::open(datanode, options.connection);
  if (!connection) return connection.error();
  pb::OpReadBlock operation;
  operation.mutable_header()->set_client_name(options.client_name);
  if (const std::uint32_t weight = options.connection.transfer_weight; weight != 0) {
    operation.mutable_header()->set_transfer_weight(weight);
  }
  *operation.mutable_header()->mutable_base_header()->mutable_block() = range.block;
  *operation.mutable_header()->mutable_base_header()->mutable_token() = range.token;
  operation.set_offset(range.offset);
  operation.set_len(range.length);
  operation.set_send_checksums(options.verifies_checksums);
  BlockReader reader(*std::move(connection), std::move(range), options);
  const auto response = reader.datanode_.expect_success(operation, options.connection.read_timeout);
  if (!response) return response.error();
  if (const ClientStatus accepted = reader.accept(*response); !accepted) return accepted.error();
  return reader;
}

ClientFailure BlockReader::failure(ClientFailureKind kind, const std::string& reason) const {
  return {kind,
          datanode_.connection().peer().text() + ": " + block_text(range_.block) + ": " + reason,
          {}};
}

// The first packet begins with the chunk of the first byte that was asked for.
ClientStatus BlockReader::accept(const pb::BlockOpResponse& response) {
  const pb::ReadOpChecksumInfo& info = response.read_op_checksum_info();
  if (!response.has_read_op_checksum_info()) {
    return failure(ClientFailureKind::protocol, "the response has no kind of checksums");
  }
  const auto checksums =
      chunk_checksums(info.checksum().type(), info.checksum().bytes_per_checksum());
  if (!checksums) return failure(ClientFailureKind::protocol, "there are no such checksums");
  checksums_ = *checksums;
  packet_offset_ = info.chunk_offset();
  if (packet_offset_ > range_.offset ||
      range_.offset - packet_offset_ >= checksums_.bytes_per_checksum) {
    return failure(ClientFailureKind::protocol,
                   "the data begins at " + std::to_string(packet_offset_) +
                       ", not with the chunk of byte " + std::to_string(range_.offset));
  }
  return client_success();
}

// org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader.sanityCheck. A datanode sends whole
// chunks, so the last one may reach beyond the range.
ClientStatus BlockReader::check(const Packet& packet) const {
  const PacketHeader& header = packet.header;
  if (header.sequence_number != next_sequence_number_) {
    return failure(ClientFailureKind::protocol, "packet " + std::to_string(header.sequence_number) +
                                                    " came instead of " +
                                                    std::to_string(next_sequence_number_));
  }
  if (static_cast<std::uint64_t>(header.offset_in_block) != packet_offset_) {
    return failure(ClientFailureKind::protocol, "a packet begins at byte " +
                                                    std::to_string(header.offset_in_block) +
                                                    ", not " + std::to_string(packet_offset_));
  }
  const bool has_all = position_ == end();
  if (header.is_last_in_block != has_all || packet.data.empty() != has_all) {
    return failure(ClientFailureKind::protocol, "the data ends at byte " +
                                                    std::to_string(packet_offset_) + ", not at " +
                                                    std::to_string(end()));
  }
  if (packet_offset_ + packet.data.size() >= end() + checksums_.bytes_per_checksum) {
    return failure(ClientFailureKind::protocol, "a packet has more data than was asked for");
  }
  if (const auto error = checksum_layout_error(packet, checksums_, !verifies_checksums_)) {
    return failure(ClientFailureKind::protocol, *error);
  }
  if (!verifies_checksums_) return client_success();
  if (const auto bad = first_bad_chunk(checksums_, packet.data, packet.checksums)) {
    return failure(ClientFailureKind::corrupt,
                   "the checksum of the chunk at byte " +
                       std::to_string(packet_offset_ + *bad * checksums_.bytes_per_checksum) +
                       " is wrong");
  }
  return client_success();
}

ClientResult<Packet> BlockReader::receive_packet() {
  const auto parse = [&](Bytes unread) { return parse_packet(unread, packet_limits_); };
  auto parsed = receive_value(datanode_.connection(), datanode_.received(),
                              Deadline::after(read_timeout_), parse);
  if (!parsed) return parsed.error();
  viewed_bytes_ = parsed->bytes;
  if (const ClientStatus checked = check(parsed->value); !checked) return checked.error();
  ++next_sequence_number_;
  return parsed->value;
}

ClientResult<Bytes> BlockReader::next() {
  datanode_.received().consume(std::exchange(viewed_bytes_, 0));
  if (has_ended_) return Bytes();
  const ClientResult<Packet> packet = receive_packet();
  if (!packet) return packet.error();
  if (packet->header.is_last_in_block) {
    if (const ClientStatus ended = end_read(); !ended) return ended.error();
    return Bytes();
  }
  const std::uint64_t begin = position_ - packet_offset_;
  if (begin >= packet->data.size()) {
    return failure(ClientFailureKind::protocol, "a packet ends before the data asked for begins");
  }
  packet_offset_ += packet->data.size();
  const Bytes data = packet->data.subspan(
      begin, std::min<std::uint64_t>(packet->data.size() - begin, end() - position_));
  position_ += data.size();
  return data;
}

// The data is right, whether or not the datanode still reads that it is.
ClientStatus BlockReader::end_read() {
  has_ended_ = true;
  pb::ClientReadStatus status;
  status.set_status(verifies_checksums_ && checksums_.type != ChecksumType::none
                        ? pb::STATUS_CHECKSUM_OK
                        : pb::STATUS_SUCCESS);
  std::string bytes;
  append_delimited(bytes, status);
  const ClientStatus sent =
      datanode_.connection().send(std::as_bytes(std::span(bytes)), Deadline::after(write_timeout_));
  if (!sent && sent.error().kind == ClientFailureKind::interrupted) return sent;
  return client_success();
}

}  // namespace tracebed::hdfs
