#include "hdfs_client/scripted_pipeline.h"

namespace tracebed::hdfs::test {
namespace {

std::string reply(pb::Status status, const std::string& bad_link = {}) {
  pb::BlockOpResponse response;
  response.set_status(status);
  response.set_first_bad_link(bad_link);
  std::string out;
  append_delimited(out, response);
  return out;
}

}  // namespace

void ScriptedPipeline::serve(PeerConnection& client, std::size_t self) {
  const auto operation = client.next([](Bytes unread) { return parse_operation(unread); });
  if (!operation) return;
  client.done();
  if (const auto* write = std::get_if<pb::OpWriteBlock>(&*operation)) {
    serve_write(client, uuid(self), *write);
  } else if (const auto* transfer = std::get_if<pb::OpTransferBlock>(&*operation)) {
    serve_transfer(client, uuid(self), *transfer);
  }
}

void ScriptedPipeline::serve_transfer(PeerConnection& client, const std::string& self,
                                      const pb::OpTransferBlock& transfer) {
  {
    const std::lock_guard lock(mutex_);
    const pb::ExtendedBlock& block = transfer.header().base_header().block();
    replicas_[{transfer.targets(0).id().datanode_uuid(), block.block_id()}] =
        replicas_[{self, block.block_id()}].substr(0, block.num_bytes());
  }
  client.send(reply(transfers_fail.get() ? pb::STATUS_ERROR : pb::STATUS_SUCCESS));
}

// Packets may repeat what is there; they leave no gap.
void ScriptedPipeline::keep(const std::vector<std::string>& members, std::uint64_t block,
                            const Packet& packet) {
  const auto offset = static_cast<std::size_t>(packet.header.offset_in_block);
  for (const std::string& member : members) {
    std::string& replica = replicas_[{member, block}];
    if (offset > replica.size()) replica = "a gap";
    const std::string data(reinterpret_cast<const char*>(packet.data.data()), packet.data.size());
    replica.replace(offset, data.size(), data);
  }
}

void ScriptedPipeline::serve_write(PeerConnection& client, const std::string& self,
                                   const pb::OpWriteBlock& write) {
  const pb::ExtendedBlock& block = write.header().base_header().block();
  std::vector<std::string> members{self};
  for (const pb::DatanodeInfo& target : write.targets()) {
    members.push_back(target.id().datanode_uuid());
  }
  int number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = pipelines_++;
    stages_.push_back(write.stage());
    weights_.push_back(write.header().transfer_weight());
    for (const std::string& member : members) {
      std::string& replica = replicas_[{member, block.block_id()}];
      if (write.stage() == pb::OpWriteBlock::PIPELINE_SETUP_STREAMING_RECOVERY) {
        replica.resize(std::min<std::size_t>(replica.size(), write.max_bytes_rcvd()));
      }
    }
  }
  const auto member_out_of_reach = unreachable_member.get();
  const int unreachable = member_out_of_reach ? member_out_of_reach(number) : -1;
  if (unreachable >= 0) {
    client.send(reply(pb::STATUS_ERROR, members.at(static_cast<std::size_t>(unreachable))));
    return;
  }
  if (!client.send(reply(pb::STATUS_SUCCESS))) return;
  if (write.stage() == pb::OpWriteBlock::PIPELINE_CLOSE_RECOVERY) return;
  while (const auto packet = client.next([](Bytes unread) { return parse_packet(unread); })) {
    const std::int64_t sequence_number = packet->header.sequence_number;
    const bool is_right = !checksum_layout_error(*packet, ChunkChecksums()) &&
                          !first_bad_chunk(ChunkChecksums(), packet->data, packet->checksums);
    const auto decide = fate.get();
    const PacketFate decided = decide ? decide(number, sequence_number) : PacketFate::stored;
    if (decided == PacketFate::closed) return;
    if (decided == PacketFate::hung) return client.hang();
    {
      const std::lock_guard lock(mutex_);
      if (!packet->data.empty()) packet_offsets_.push_back(packet->header.offset_in_block);
      syncs_ += packet->header.syncs_block;
      keep(members, block.block_id(), *packet);
    }
    const bool is_last = packet->header.is_last_in_block;
    client.done();
    if (decided == PacketFate::unacknowledged) continue;
    pb::PipelineAck acknowledgement;
    acknowledgement.set_seqno(sequence_number);
    const auto member_that_fails = bad_member.get();
    const int bad = member_that_fails ? member_that_fails(number, sequence_number) : -1;
    for (int i = 0; i < static_cast<int>(members.size()); ++i) {
      acknowledgement.add_reply(i == bad   ? pb::STATUS_ERROR
                                : is_right ? pb::STATUS_SUCCESS
                                           : pb::STATUS_ERROR_CHECKSUM);
    }
    std::string out;
    append_delimited(out, acknowledgement);
    if (!client.send(out) || is_last) return;
  }
}

}  // namespace tracebed::hdfs::test
