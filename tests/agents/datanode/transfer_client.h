// A client of datanodes that says what a test has it say, byte by byte if need be.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "agents/datanode/datanode_fixture.h"
#include "agents/datanode/transfer/transfer_input.h"
#include "protocol/hdfs/packet.h"
#include "protocol/hdfs/rpc_client.h"
#include "protocol/hdfs/transfer_operation.h"
#include "support/raw_connections.h"

namespace tracebed::test {

constexpr const char* client_name = "DFSClient_test";

inline pb::ExtendedBlock extended_block(std::uint64_t block_id, std::uint64_t generation_stamp,
                                        std::uint64_t length = 0) {
  pb::ExtendedBlock extended;
  extended.set_pool_id(test_pool);
  extended.set_block_id(block_id);
  extended.set_generation_stamp(generation_stamp);
  extended.set_num_bytes(length);
  return extended;
}

inline pb::OpReadBlock read_operation(std::uint64_t offset, std::uint64_t length,
                                      std::uint64_t block_id = block) {
  pb::OpReadBlock read;
  read.mutable_header()->set_client_name(client_name);
  *read.mutable_header()->mutable_base_header()->mutable_block() = extended_block(block_id, stamp);
  read.set_offset(offset);
  read.set_len(length);
  return read;
}

inline pb::OpWriteBlock write_operation(
    std::uint64_t block_id = block, std::uint64_t generation_stamp = stamp,
    pb::OpWriteBlock::BlockConstructionStage stage = pb::OpWriteBlock::PIPELINE_SETUP_CREATE) {
  pb::OpWriteBlock write;
  write.mutable_header()->set_client_name(client_name);
  *write.mutable_header()->mutable_base_header()->mutable_block() =
      extended_block(block_id, generation_stamp);
  write.set_stage(stage);
  write.set_pipeline_size(1);
  write.set_min_bytes_rcvd(0);
  write.set_max_bytes_rcvd(0);
  write.set_latest_generation_stamp(generation_stamp);
  write.mutable_requested_checksum()->set_type(pb::CHECKSUM_CRC32C);
  write.mutable_requested_checksum()->set_bytes_per_checksum(512);
  return write;
}

struct ReadPacket {
  hdfs::PacketHeader header;
  Bytes checksums;
  Bytes data;
};

class TransferClient {
 public:
  explicit TransferClient(std::uint16_t port, const char* from = "127.0.0.1")
      : socket_(non_blocking(raw_connection(port, from)), open_), input_(socket_) {}

  void send(std::string_view bytes) { (void)socket_.send(bytes, timeout); }
  template <class Operation>
  void begin(const Operation& operation) {
    std::string bytes;
    hdfs::append_operation(bytes, operation);
    send(bytes);
  }
  template <class Message = pb::BlockOpResponse>
  Message reply() {
    auto message = input_.next_message<Message>(1 << 20, deadline());
    EXPECT_TRUE(message) << message.error().message;
    return message ? std::move(*message) : Message();
  }
  ReadPacket packet() {
    const auto parser = [](hdfs::Bytes unread) { return hdfs::parse_packet(unread); };
    const auto parsed = input_.next<hdfs::Packet>(parser, deadline());
    EXPECT_TRUE(parsed) << parsed.error().message;
    if (!parsed) return {.header = {.is_last_in_block = true}};
    const hdfs::Packet& packet = parsed->value;
    ReadPacket read{packet.header, Bytes(packet.checksums.begin(), packet.checksums.end()),
                    Bytes(packet.data.begin(), packet.data.end())};
    input_.consume(parsed->bytes);
    return read;
  }
  // With all packets up to the last; checksums are compared.
  Bytes read_all(const hdfs::ChunkChecksums& checksums = replica_checksums) {
    Bytes bytes;
    for (;;) {
      const ReadPacket one = packet();
      if (one.header.is_last_in_block) return bytes;
      EXPECT_EQ(hdfs::first_bad_chunk(checksums, one.data, one.checksums), std::nullopt);
      bytes.insert(bytes.end(), one.data.begin(), one.data.end());
    }
  }
  void send_packet(const hdfs::PacketHeader& header, hdfs::Bytes data,
                   const hdfs::ChunkChecksums& checksums = replica_checksums) {
    Bytes sums(checksums.bytes(data.size()));
    hdfs::write_checksums(checksums, data, sums);
    send_packet(header, data, hdfs::Bytes(sums));
  }
  void send_packet(hdfs::PacketHeader header, hdfs::Bytes data, hdfs::Bytes sums) {
    header.data_bytes = static_cast<std::int32_t>(data.size());
    const hdfs::PacketPrefix prefix = hdfs::packet_prefix(header, sums.size());
    for (const hdfs::Bytes part : {prefix.view(), sums, data}) {
      if (collects_) {
        collected_.insert(collected_.end(), part.begin(), part.end());
      } else {
        (void)socket_.send(part, timeout);
      }
    }
  }
  // Packets from here on are sent when send_collected() is called, all in one call.
  void collect() { collects_ = true; }
  void send_collected() {
    collects_ = false;
    (void)socket_.send(hdfs::Bytes(std::exchange(collected_, {})), timeout);
  }
  void send_last(std::uint64_t offset, std::int64_t sequence_number) {
    send_packet({.offset_in_block = static_cast<std::int64_t>(offset),
                 .sequence_number = sequence_number,
                 .is_last_in_block = true},
                {});
  }
  // Whole packets of 64 KiB, then the last; returns the sequence number of the last.
  std::int64_t send_block(hdfs::Bytes bytes, std::uint64_t offset = 0) {
    std::int64_t sequence_number = 0;
    constexpr std::size_t packet_bytes = 64 * 1024;
    for (std::size_t at = 0; at < bytes.size(); at += packet_bytes) {
      send_packet({.offset_in_block = static_cast<std::int64_t>(offset + at),
                   .sequence_number = sequence_number++},
                  bytes.subspan(at, std::min(packet_bytes, bytes.size() - at)));
    }
    send_last(offset + bytes.size(), sequence_number);
    return sequence_number;
  }
  pb::PipelineAck ack() { return reply<pb::PipelineAck>(); }
  // Of all packets up to this one, each with success of so many datanodes.
  void expect_acks(std::int64_t last, int datanodes = 1) {
    for (std::int64_t number = 0; number <= last; ++number) {
      const pb::PipelineAck one = ack();
      ASSERT_EQ(one.seqno(), number);
      ASSERT_EQ(one.reply_size(), datanodes);
      for (const int status : one.reply()) ASSERT_EQ(status, pb::STATUS_SUCCESS);
    }
  }
  // The message of a successful reply.
  std::string rpc_response() {
    const auto parser = [](hdfs::Bytes unread) { return hdfs::parse_reply(unread, 1 << 20); };
    const auto parsed = input_.next<hdfs::RpcReply>(parser, deadline());
    EXPECT_TRUE(parsed);
    if (!parsed) return {};
    const auto* response = std::get_if<hdfs::Bytes>(&parsed->value.result);
    EXPECT_NE(response, nullptr);
    if (response == nullptr) return {};
    return {reinterpret_cast<const char*>(response->data()), response->size()};
  }
  bool is_closed() {
    const TransferStatus more = input_.fill(input_.unread().size() + 1, deadline());
    return !more && more.error().failure == TransferFailure::ended;
  }
  void half_close() { ::shutdown(descriptor_, SHUT_WR); }
  int descriptor() const { return descriptor_; }

 private:
  FileDescriptor non_blocking(FileDescriptor socket) {
    descriptor_ = socket.number();
    return socket;
  }
  static TransferInput::Deadline deadline() { return TransferSocket::Clock::now() + timeout; }

  OpenSockets open_;
  int descriptor_ = -1;
  bool collects_ = false;
  Bytes collected_;
  TransferSocket socket_;
  TransferInput input_;
};

// Writes a whole block through one datanode.
inline void write_block(TestDatanode& datanode, hdfs::Bytes bytes, std::uint64_t block_id = block) {
  TransferClient client(datanode.port());
  client.begin(write_operation(block_id));
  ASSERT_EQ(client.reply().status(), pb::STATUS_SUCCESS);
  client.expect_acks(client.send_block(bytes));
}

inline Bytes read_block(TestDatanode& datanode, std::uint64_t length,
                        std::uint64_t block_id = block, std::uint64_t offset = 0) {
  TransferClient client(datanode.port());
  client.begin(read_operation(offset, length, block_id));
  const pb::BlockOpResponse reply = client.reply();
  EXPECT_EQ(reply.status(), pb::STATUS_SUCCESS) << reply.message();
  if (reply.status() != pb::STATUS_SUCCESS) return {};
  Bytes bytes = client.read_all();
  const std::uint64_t skipped = offset - reply.read_op_checksum_info().chunk_offset();
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(skipped));
  bytes.resize(std::min<std::size_t>(bytes.size(), length));
  return bytes;
}

}  // namespace tracebed::test
