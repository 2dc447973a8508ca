// Receives a block from a client or another datanode, keeps it, and passes it on to the rest of the
// pipeline (WRITE_BLOCK: org.apache.hadoop.hdfs.server.datanode.DataXceiver.writeBlock,
// BlockReceiver).
//
// What a datanode acknowledges is in its store. Checksums are verified by the last datanode of a
// pipeline; the others keep them as they came. When a datanode downstream fails, this one reports
// that in its next ack and continues to receive until the client closes the pipeline to set up
// another.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/datanode/replica_writer.h"
#include "agents/datanode/transfer/block_op_reply.h"
#include "agents/datanode/transfer/mirror.h"
#include "agents/datanode/transfer/packet_responder.h"
#include "protocol/hdfs/packet.h"

namespace tracebed {

class BlockReceiver {
 public:
  BlockReceiver(const TransferEnvironment& environment, TransferSocket& upstream,
                TransferInput& input, const pb::OpWriteBlock& write);

  // The whole operation; the connection is to be closed after it.
  void run();

 private:
  // Each returns whether there is something left to do.
  bool open_mirror();
  bool answer();
  bool receive();
  enum class Received : std::uint8_t { more, last, failure };
  Received receive_packets();
  std::size_t take_packets(hdfs::Bytes unread);
  bool fits(const hdfs::Packet& packet, std::uint64_t length) const;
  void pass_on(hdfs::Bytes packets);
  Received keep_packets();
  std::size_t count_run(std::span<const hdfs::Packet> packets) const;
  pb::Status keep(std::span<const hdfs::Packet> run);
  StoreStatus append(std::span<const hdfs::Packet> run);
  bool keeps_checksums(const hdfs::Packet& packet) const;
  bool is_verified(const hdfs::Packet& packet) const;
  pb::Status finalize();
  bool end_transfer();
  void fail(const std::string& message);

  const TransferEnvironment& environment_;
  TransferSocket& upstream_;
  TransferInput& input_;
  const pb::OpWriteBlock& write_;
  const pb::ExtendedBlock& block_;
  const bool is_of_client_;
  const bool is_transfer_;
  const Distance distance_;
  std::optional<hdfs::ChunkChecksums> checksums_;  // as they come
  std::optional<TransferRate> rate_;
  std::optional<ReplicaWriter> writer_;
  std::optional<Mirror> mirror_;
  bool is_mirror_broken_ = false;
  std::vector<hdfs::Packet> packets_;  // that were taken together: views of the input
  std::vector<PacketToAcknowledge> acks_;
  std::vector<ReplicaWriter::Part> parts_;
  pb::BlockOpResponse reply_;
  std::optional<PacketResponder> responder_;
};

}  // namespace tracebed
