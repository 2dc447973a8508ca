// Writes the packets of one block to a pipeline of datanodes, and mends the pipeline when one of
// them fails (org.apache.hadoop.hdfs.DataStreamer): the datanode is left out, perhaps replaced by
// another to which the replica is transferred, the others get a new generation stamp, and packets
// that were not acknowledged are sent again. So a packet that is acknowledged is on all datanodes
// of the pipeline, in order and once.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "hdfs_client/namenode_client.h"
#include "hdfs_client/outgoing_packet.h"
#include "hdfs_client/write_options.h"
#include "hdfs_client/write_pipeline.h"

namespace tracebed::hdfs {

// Of the file that a block belongs to.
struct WrittenFile {
  std::string path;
  std::uint64_t file_id = 0;
  std::uint32_t replication = 0;
  std::uint64_t block_size = 0;
};

class BlockWriter {
 public:
  // A new block; the failure of its pipeline is for the caller to handle, who has the block
  // abandoned. The namenode's client must outlive the writer.
  static PipelineResult<BlockWriter> create(NamenodeClient& namenode, WrittenFile file,
                                            FileWriteOptions options,
                                            const pb::LocatedBlock& block);
  // The last block of a file, which is not full.
  static ClientResult<BlockWriter> append(NamenodeClient& namenode, WrittenFile file,
                                          FileWriteOptions options, const pb::LocatedBlock& block);

  // An empty packet for write().
  OutgoingPacket take_packet();
  // Sends the packet; waits while too many have not been acknowledged. The writer numbers it.
  ClientStatus write(OutgoingPacket packet, bool syncs_block);
  // Until every packet has been acknowledged: readers may see its data.
  ClientStatus flush();
  // As flush(), then ends the block: its datanodes have finalized their replicas.
  ClientStatus finish();

  // With its present generation stamp, and as many bytes as have been acknowledged.
  const pb::ExtendedBlock& block() const { return block_; }
  const PipelineDatanodes& datanodes() const { return datanodes_; }
  // That failed in this block's pipelines.
  const std::vector<pb::DatanodeInfo>& failed_datanodes() const { return failed_; }

 private:
  enum class Stage : std::uint8_t { setting_up_append, streaming, closing };

  BlockWriter(NamenodeClient& namenode, WrittenFile file, FileWriteOptions options,
              const pb::LocatedBlock& block);

  std::chrono::milliseconds answer_timeout() const;
  pb::OpWriteBlock operation(pb::OpWriteBlock::BlockConstructionStage stage,
                             std::uint64_t generation_stamp) const;

  // Sends all that is queued, and waits until at most this many packets are unacknowledged.
  ClientStatus stream(std::size_t unacknowledged_max);
  PipelineStatus step();
  void drop_acknowledged();

  // Until a pipeline is set up anew.
  ClientStatus recover(PipelineFailure failure);
  ClientStatus leave_out(const PipelineFailure& failure);
  ClientStatus replace_datanode_if_wanted();
  ClientStatus add_datanode();
  ClientStatus transfer_replica(const PipelineDatanode& source, const PipelineDatanode& target,
                                const pb::Token& token) const;
  // With a new generation stamp; a pipeline's failure is the inner result.
  ClientResult<PipelineStatus> set_up_again(pb::OpWriteBlock::BlockConstructionStage stage);

  NamenodeClient* namenode_;
  WrittenFile file_;
  FileWriteOptions options_;
  pb::ExtendedBlock block_;
  pb::Token token_;
  PipelineDatanodes datanodes_;
  std::vector<pb::DatanodeInfo> failed_;
  Stage stage_ = Stage::streaming;
  bool is_appended_or_flushed_ = false;
  unsigned recoveries_ = 0;  // since the last acknowledgement

  std::optional<WritePipeline> pipeline_;
  std::deque<OutgoingPacket> packets_;  // not acknowledged, in their order
  std::size_t sent_ = 0;                // of them, over the present pipeline
  std::vector<OutgoingPacket> spare_;
  std::int64_t next_sequence_number_ = 0;
  std::uint64_t bytes_written_ = 0;  // of the block, acknowledged or not
};

}  // namespace tracebed::hdfs
