#include "hdfs_client/scripted_file.h"

namespace tracebed::hdfs::test {

pb::HdfsFileStatus ScriptedFile::status() const {
  pb::HdfsFileStatus status;
  status.set_file_type(pb::HdfsFileStatus::IS_FILE);
  status.set_path("");
  status.set_length(0);
  for (const Block& block : blocks_) status.set_length(status.length() + block.block.num_bytes());
  status.mutable_permission()->set_perm(0644);
  status.set_owner("alice");
  status.set_group("users");
  status.set_modification_time(0);
  status.set_access_time(0);
  status.set_block_replication(replication_);
  status.set_blocksize(block_size_);
  status.set_file_id(16'386);
  return status;
}

pb::GetBlockLocationsResponse ScriptedFile::locations() const {
  pb::GetBlockLocationsResponse response;
  pb::LocatedBlocks& located = *response.mutable_locations();
  std::uint64_t offset = 0;
  for (const Block& block : blocks_) {
    *located.add_blocks() = located_block(block.block, offset, endpoints(block.members));
    offset += block.block.num_bytes();
  }
  const bool is_writing = is_open_ && !blocks_.empty();
  if (is_writing) {
    *located.mutable_last_block() = *located.blocks().rbegin();
    offset = located.last_block().offset();
  }
  located.set_file_length(offset);
  located.set_under_construction(is_open_);
  located.set_is_last_block_complete(!is_writing);
  return response;
}

std::vector<Endpoint> ScriptedFile::endpoints(const std::vector<std::string>& uuids) const {
  std::vector<Endpoint> found;
  for (const std::string& uuid : uuids) {
    for (const Endpoint& datanode : datanodes_) {
      if (datanode.text() == uuid) found.push_back(datanode);
    }
  }
  return found;
}

std::vector<std::string> ScriptedFile::choose(std::size_t count,
                                              const std::set<std::string>& excluded) const {
  std::vector<std::string> chosen;
  for (const Endpoint& datanode : datanodes_) {
    if (chosen.size() < count && !excluded.contains(datanode.text())) {
      chosen.push_back(datanode.text());
    }
  }
  return chosen;
}

void ScriptedFile::script() {
  namenode_.on<pb::CreateRequest>([this](const pb::CreateRequest& request) {
    const std::lock_guard lock(mutex_);
    if (safe_answers_ > 0) {
      --safe_answers_;
      throw RpcError{RpcErrorCode::application,
                     "org.apache.hadoop.hdfs.server.namenode.SafeModeException", "safe mode"};
    }
    path_ = request.src();
    replication_ = request.replication();
    is_open_ = true;
    pb::CreateResponse response;
    *response.mutable_fs() = status();
    return response;
  });
  namenode_.on<pb::AppendRequest>([this](const pb::AppendRequest&) {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    pb::AppendResponse response;
    *response.mutable_stat() = status();
    const Block& last = blocks_.back();
    if (last.block.num_bytes() < block_size_) {
      *response.mutable_block() = located_block(last.block, 0, endpoints(last.members));
    }
    return response;
  });
  namenode_.on<pb::AddBlockRequest>([this](const pb::AddBlockRequest& request) {
    const std::lock_guard lock(mutex_);
    if (!blocks_.empty() && request.has_previous()) blocks_.back().block = request.previous();
    if (!blocks_.empty() && incomplete_-- > 0) {
      throw RpcError{RpcErrorCode::application,
                     "org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException", "not yet"};
    }
    std::set<std::string> excluded;
    for (const pb::DatanodeInfo& node : request.exclude_nodes()) {
      excluded.insert(node.id().datanode_uuid());
    }
    blocks_.push_back({extended_block(next_block_++, 0), choose(replication_, excluded)});
    pb::AddBlockResponse response;
    *response.mutable_block() =
        located_block(blocks_.back().block, 0, endpoints(blocks_.back().members));
    return response;
  });
  namenode_.on<pb::AbandonBlockRequest>([this](const pb::AbandonBlockRequest& request) {
    const std::lock_guard lock(mutex_);
    std::erase_if(blocks_, [&](const Block& block) {
      return block.block.block_id() == request.b().block_id();
    });
    return pb::AbandonBlockResponse();
  });
  namenode_.on<pb::CompleteRequest>([this](const pb::CompleteRequest& request) {
    const std::lock_guard lock(mutex_);
    if (request.has_last()) blocks_.back().block = request.last();
    is_complete_ = incomplete_-- <= 0;
    is_open_ = !is_complete_;
    pb::CompleteResponse response;
    response.set_result(is_complete_);
    return response;
  });
  namenode_.on<pb::FsyncRequest>([](const pb::FsyncRequest&) { return pb::FsyncResponse(); });
  namenode_.on<pb::GetBlockLocationsRequest>([this](const pb::GetBlockLocationsRequest&) {
    const std::lock_guard lock(mutex_);
    return locations();
  });
  script_pipelines();
}

void ScriptedFile::script_pipelines() {
  namenode_.on<pb::UpdateBlockForPipelineRequest>(
      [this](const pb::UpdateBlockForPipelineRequest& request) {
        const std::lock_guard lock(mutex_);
        pb::UpdateBlockForPipelineResponse response;
        *response.mutable_block() = located_block(request.block(), 0, {});
        response.mutable_block()->mutable_b()->set_generation_stamp(next_stamp_++);
        return response;
      });
  namenode_.on<pb::UpdatePipelineRequest>([this](const pb::UpdatePipelineRequest& request) {
    const std::lock_guard lock(mutex_);
    blocks_.back().block = request.new_block();
    blocks_.back().members.clear();
    for (const pb::DatanodeId& node : request.new_nodes()) {
      blocks_.back().members.push_back(node.datanode_uuid());
    }
    return pb::UpdatePipelineResponse();
  });
  namenode_.on<pb::GetAdditionalDatanodeRequest>(
      [this](const pb::GetAdditionalDatanodeRequest& request) {
        const std::lock_guard lock(mutex_);
        std::vector<std::string> members;
        std::set<std::string> excluded;
        for (const pb::DatanodeInfo& node : request.existings()) {
          members.push_back(node.id().datanode_uuid());
          excluded.insert(members.back());
        }
        for (const pb::DatanodeInfo& node : request.excludes()) {
          excluded.insert(node.id().datanode_uuid());
        }
        const auto added = choose(1, excluded);
        if (has_no_spare_ || added.empty()) {
          throw RpcError{RpcErrorCode::application, "java.io.IOException", "no datanode is left"};
        }
        members.push_back(added.front());
        pb::GetAdditionalDatanodeResponse response;
        *response.mutable_block() = located_block(request.blk(), 0, endpoints(members));
        return response;
      });
}

}  // namespace tracebed::hdfs::test
