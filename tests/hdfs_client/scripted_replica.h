// What a datanode sends to a reader of a generated block, and how that goes wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/block_content.h"
#include "hdfs_client/loopback_peer.h"
#include "protocol/hdfs/delimited.h"
#include "protocol/hdfs/packet.h"
#include "protocol/hdfs/transfer_operation.h"

namespace tracebed::hdfs::test {

struct Sent {
  PacketHeader header;
  std::vector<std::byte> checksums;
  std::vector<std::byte> data;

  std::string bytes() const {
    const PacketPrefix prefix = packet_prefix(header, checksums.size());
    const auto text = [](Bytes part) {
      return std::string(reinterpret_cast<const char*>(part.data()), part.size());
    };
    return text(prefix.view()) + text(checksums) + text(data);
  }
};

struct ReplicaScript {
  // Of the packet to send, before it is; false: the connection is closed instead.
  std::function<bool(Sent& packet, PeerConnection& client)> before_packet;
  std::function<void(const pb::OpReadBlock& read)> before_read;
  // Of the response.
  std::function<void(pb::BlockOpResponse& response)> before_response;
  std::uint64_t packet_bytes = 4'096;
  std::uint64_t length = std::numeric_limits<std::uint64_t>::max();  // of the replica, if shorter
};

// Serves one read; true when the client has stated its status.
inline bool serve_read(PeerConnection& client, const ReplicaScript& script) {
  const auto operation = client.next([](Bytes unread) { return parse_operation(unread); });
  if (!operation) return false;
  client.done();
  const auto* read = std::get_if<pb::OpReadBlock>(&*operation);
  if (read == nullptr) return false;
  if (script.before_read) script.before_read(*read);
  const ChunkChecksums checksums;
  const std::uint64_t chunk = checksums.bytes_per_checksum;
  const std::uint64_t id = read->header().base_header().block().block_id();
  const std::uint64_t bytes =
      std::min(read->header().base_header().block().num_bytes(), script.length);
  std::uint64_t at = read->offset() / chunk * chunk;
  const std::uint64_t end =
      std::min((read->offset() + read->len() + chunk - 1) / chunk * chunk, bytes);
  pb::BlockOpResponse response;
  response.set_status(pb::STATUS_SUCCESS);
  pb::ReadOpChecksumInfo& info = *response.mutable_read_op_checksum_info();
  info.mutable_checksum()->set_type(pb::CHECKSUM_CRC32C);
  info.mutable_checksum()->set_bytes_per_checksum(checksums.bytes_per_checksum);
  info.set_chunk_offset(at);
  if (script.before_response) script.before_response(response);
  std::string out;
  append_delimited(out, response);
  if (!client.send(out)) return false;
  for (std::int64_t sequence_number = 0;; ++sequence_number) {
    Sent packet;
    packet.data.resize(at < end ? std::min(script.packet_bytes, end - at) : 0);
    BlockContent(id).fill(at, packet.data);
    if (read->send_checksums()) {
      packet.checksums.resize(checksums.bytes(packet.data.size()));
      write_checksums(checksums, packet.data, packet.checksums);
    }
    packet.header = {static_cast<std::int64_t>(at), sequence_number, packet.data.empty(),
                     static_cast<std::int32_t>(packet.data.size()), false};
    at += packet.data.size();
    const bool is_last = packet.data.empty();
    if (script.before_packet && !script.before_packet(packet, client)) return false;
    if (!client.send(packet.bytes())) return false;
    if (is_last) break;
  }
  const auto status = client.next([](Bytes unread) { return parse_delimited(unread, 64); });
  return status.has_value();
}

}  // namespace tracebed::hdfs::test
