#include "hdfs_client/block_writer.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace tracebed::hdfs {

using SetupStage = pb::OpWriteBlock::BlockConstructionStage;

BlockWriter::BlockWriter(NamenodeClient& namenode, WrittenFile file, FileWriteOptions options,
                         const pb::LocatedBlock& block)
    : namenode_(&namenode),
      file_(std::move(file)),
      options_(std::move(options)),
      block_(block.b()),
      token_(block.block_token()),
      datanodes_(pipeline_datanodes(block)),
      bytes_written_(block.b().num_bytes()) {}

std::chrono::milliseconds BlockWriter::answer_timeout() const {
  return options_.connection.read_timeout +
         options_.read_timeout_extension * static_cast<int>(datanodes_.size());
}

// The block's length in the operation is what a datanode reserves.
pb::OpWriteBlock BlockWriter::operation(SetupStage stage, std::uint64_t generation_stamp) const {
  pb::OpWriteBlock operation;
  operation.mutable_header()->set_client_name(namenode_->client_name());
  if (const std::uint32_t weight = options_.connection.transfer_weight; weight != 0) {
    operation.mutable_header()->set_transfer_weight(weight);
  }
  pb::BaseHeader& base = *operation.mutable_header()->mutable_base_header();
  *base.mutable_block() = block_;
  base.mutable_block()->set_num_bytes(file_.block_size);
  *base.mutable_token() = token_;
  operation.set_stage(stage);
  operation.set_pipeline_size(static_cast<std::uint32_t>(datanodes_.size()));
  operation.set_min_bytes_rcvd(block_.num_bytes());
  operation.set_max_bytes_rcvd(bytes_written_);
  operation.set_latest_generation_stamp(generation_stamp);
  operation.mutable_requested_checksum()->set_type(
      static_cast<pb::ChecksumTypeNumber>(options_.checksums.type));
  operation.mutable_requested_checksum()->set_bytes_per_checksum(
      options_.checksums.bytes_per_checksum);
  return operation;
}

PipelineResult<BlockWriter> BlockWriter::create(NamenodeClient& namenode, WrittenFile file,
                                                FileWriteOptions options,
                                                const pb::LocatedBlock& block) {
  BlockWriter writer(namenode, std::move(file), std::move(options), block);
  PipelineResult<WritePipeline> pipeline =
      WritePipeline::open(writer.operation(pb::OpWriteBlock::PIPELINE_SETUP_CREATE, 0),
                          writer.datanodes_, writer.options_.connection, writer.answer_timeout());
  if (!pipeline) return pipeline.error();
  writer.pipeline_ = *std::move(pipeline);
  return writer;
}

ClientResult<BlockWriter> BlockWriter::append(NamenodeClient& namenode, WrittenFile file,
                                              FileWriteOptions options,
                                              const pb::LocatedBlock& block) {
  BlockWriter writer(namenode, std::move(file), std::move(options), block);
  writer.is_appended_or_flushed_ = true;
  writer.stage_ = Stage::setting_up_append;
  const ClientResult<PipelineStatus> pipeline =
      writer.set_up_again(pb::OpWriteBlock::PIPELINE_SETUP_APPEND);
  if (!pipeline) return pipeline.error();
  if (!*pipeline) {
    const ClientStatus recovered = writer.recover(pipeline->error());
    if (!recovered) return recovered.error();
  }
  writer.stage_ = Stage::streaming;
  return writer;
}

OutgoingPacket BlockWriter::take_packet() {
  if (spare_.empty()) return {options_.checksums, options_.packet_bytes};
  OutgoingPacket packet = std::move(spare_.back());
  spare_.pop_back();
  return packet;
}

ClientStatus BlockWriter::write(OutgoingPacket packet, bool syncs_block) {
  TRACEBED_CHECK(stage_ == Stage::streaming, "nothing is written to a block that has ended");
  packet.seal(next_sequence_number_++, syncs_block);
  bytes_written_ = std::max(bytes_written_, packet.end());
  packets_.push_back(std::move(packet));
  return stream(options_.packets_in_flight_max - 1);
}

ClientStatus BlockWriter::flush() {
  is_appended_or_flushed_ = true;
  return stream(0);
}

ClientStatus BlockWriter::finish() {
  if (const ClientStatus streamed = stream(0); !streamed) return streamed;
  stage_ = Stage::closing;
  OutgoingPacket last = take_packet();
  last.begin(bytes_written_, bytes_written_);
  last.seal_as_last(next_sequence_number_++);
  packets_.push_back(std::move(last));
  const ClientStatus ended = stream(0);
  pipeline_.reset();
  return ended;
}

ClientStatus BlockWriter::stream(std::size_t unacknowledged_max) {
  while (sent_ < packets_.size() || packets_.size() > unacknowledged_max) {
    if (const ClientStatus renewed = namenode_->renew_lease_if_due(); !renewed) return renewed;
    const PipelineStatus stepped = step();
    drop_acknowledged();
    if (stepped) continue;
    if (stepped.error().failure.kind == ClientFailureKind::interrupted) {
      return stepped.error().failure;
    }
    if (const ClientStatus recovered = recover(stepped.error()); !recovered) return recovered;
  }
  return client_success();
}

PipelineStatus BlockWriter::step() {
  if (sent_ < packets_.size()) {
    const OutgoingPacket& packet = packets_[sent_++];
    return pipeline_->send(packet.bytes(), packet.sequence_number());
  }
  const Deadline due = pipeline_->acknowledgement_due();
  const PipelineResult<bool> acknowledged =
      pipeline_->wait_for_acknowledgement(earlier(due, namenode_->lease_renewal_due()));
  if (!acknowledged) return acknowledged.error();
  if (!*acknowledged && due.has_passed()) return pipeline_->overdue();
  return PipelineStatus(std::monostate{});
}

void BlockWriter::drop_acknowledged() {
  while (sent_ > 0 && packets_.front().sequence_number() <= pipeline_->acknowledged()) {
    block_.set_num_bytes(std::max(block_.num_bytes(), packets_.front().end()));
    recoveries_ = 0;
    spare_.push_back(std::move(packets_.front()));
    packets_.pop_front();
    --sent_;
  }
}

}  // namespace tracebed::hdfs
