// The part of a BlockWriter that mends its pipeline
// (org.apache.hadoop.hdfs.DataStreamer.setupPipelineForAppendOrRecovery).
#include <algorithm>
#include <utility>

#include "hdfs_client/block_writer.h"

namespace tracebed::hdfs {
namespace {

using SetupStage = pb::OpWriteBlock::BlockConstructionStage;

constexpr unsigned replacements_max = 3;  // DataStreamer.addDatanode2ExistingPipeline

}  // namespace

bool replaces_datanode(ReplaceDatanodePolicy policy, std::uint32_t replication,
                       std::size_t datanodes_left, bool is_appended_or_flushed) {
  if (datanodes_left == 0 || datanodes_left >= replication) return false;
  switch (policy) {
    case ReplaceDatanodePolicy::never:
      return false;
    case ReplaceDatanodePolicy::always:
      return true;
    case ReplaceDatanodePolicy::standard:
      return replication >= 3 && (datanodes_left <= replication / 2 || is_appended_or_flushed);
  }
  return false;
}

ClientStatus BlockWriter::recover(PipelineFailure failure) {
  while (true) {
    pipeline_.reset();
    sent_ = 0;
    if (failure.failure.kind == ClientFailureKind::interrupted) return failure.failure;
    if (const ClientStatus left_out = leave_out(failure); !left_out) return left_out;
    if (const ClientStatus replaced = replace_datanode_if_wanted(); !replaced) return replaced;
    const SetupStage stage =
        stage_ == Stage::setting_up_append ? pb::OpWriteBlock::PIPELINE_SETUP_APPEND_RECOVERY
        : stage_ == Stage::closing         ? pb::OpWriteBlock::PIPELINE_CLOSE_RECOVERY
                                           : pb::OpWriteBlock::PIPELINE_SETUP_STREAMING_RECOVERY;
    const ClientResult<PipelineStatus> pipeline = set_up_again(stage);
    if (!pipeline) return pipeline.error();
    if (*pipeline) break;
    failure = pipeline->error();
  }
  // A pipeline that is set up for a recovery of its close has finalized the replicas.
  if (stage_ == Stage::closing) packets_.clear();
  return client_success();
}

ClientStatus BlockWriter::leave_out(const PipelineFailure& failure) {
  const auto exhausted = [&](const std::string& reason) {
    return ClientFailure{
        ClientFailureKind::exhausted,
        file_.path + ": " + block_text(block_) + ": " + reason + "; " + failure.failure.message,
        {}};
  };
  if (++recoveries_ > options_.pipeline_recoveries_max) {
    return exhausted("the pipeline failed " + std::to_string(recoveries_) +
                     " times without progress");
  }
  if (datanodes_.size() <= 1) return exhausted("all datanodes of the pipeline are bad");
  const auto bad = datanodes_.begin() + static_cast<std::ptrdiff_t>(failure.bad_datanode);
  failed_.push_back(bad->info);
  datanodes_.erase(bad);
  return client_success();
}

ClientStatus BlockWriter::replace_datanode_if_wanted() {
  if (!replaces_datanode(options_.replace_datanode, file_.replication, datanodes_.size(),
                         is_appended_or_flushed_)) {
    return client_success();
  }
  const ClientStatus added = add_datanode();
  const bool is_fatal = !added && (added.error().kind == ClientFailureKind::interrupted ||
                                   !options_.replaces_best_effort);
  return is_fatal ? added : client_success();
}

// There is nothing to transfer to a datanode that joins while the block ends: it would be one
// replica more, which the namenode has made later.
ClientStatus BlockWriter::add_datanode() {
  if (stage_ == Stage::closing) return client_success();
  const PipelineDatanodes original = datanodes_;
  std::vector<pb::DatanodeInfo> excluded = failed_;
  ClientStatus last = client_success();
  for (unsigned tried = 0; tried < replacements_max; ++tried) {
    pb::GetAdditionalDatanodeRequest request;
    request.set_src(file_.path);
    request.set_file_id(file_.file_id);
    *request.mutable_blk() = block_;
    for (const PipelineDatanode& datanode : original) {
      *request.add_existings() = datanode.info;
      request.add_existing_storage_uuids(datanode.storage_id);
    }
    for (const pb::DatanodeInfo& datanode : excluded) *request.add_excludes() = datanode;
    request.set_num_additional_nodes(1);
    request.set_client_name(namenode_->client_name());
    const auto response = namenode_->call(request);
    if (!response) return response.error();
    const PipelineDatanodes located = pipeline_datanodes(response->block());
    const auto is_new = [&](const PipelineDatanode& datanode) {
      return std::none_of(original.begin(), original.end(), [&](const PipelineDatanode& other) {
        return other.info.id().datanode_uuid() == datanode.info.id().datanode_uuid();
      });
    };
    const auto added = std::find_if(located.begin(), located.end(), is_new);
    if (added == located.end() || located.size() != original.size() + 1) {
      return ClientFailure{ClientFailureKind::exhausted,
                           file_.path + ": " + block_text(block_) +
                               ": there is no other datanode to replace " +
                               transfer_address(failed_.back().id()),
                           {}};
    }
    const PipelineDatanode& source = original[tried % original.size()];
    last = transfer_replica(source, *added, response->block().block_token());
    if (last) {
      datanodes_ = located;
      return last;
    }
    if (last.error().kind == ClientFailureKind::interrupted) return last;
    excluded.push_back(added->info);
  }
  return last;
}

ClientStatus BlockWriter::transfer_replica(const PipelineDatanode& source,
                                           const PipelineDatanode& target,
                                           const pb::Token& token) const {
  ClientResult<DatanodeConnection> datanode =
      DatanodeConnection::open(source.info.id(), options_.connection);
  if (!datanode) return datanode.error();
  pb::OpTransferBlock operation;
  operation.mutable_header()->set_client_name(namenode_->client_name());
  *operation.mutable_header()->mutable_base_header()->mutable_block() = block_;
  *operation.mutable_header()->mutable_base_header()->mutable_token() = token;
  *operation.add_targets() = target.info;
  operation.add_target_storage_types(target.storage_type);
  operation.add_target_storage_ids(target.storage_id);
  const auto response = datanode->expect_success(operation, options_.connection.read_timeout);
  if (!response) return response.error();
  return client_success();
}

ClientResult<PipelineStatus> BlockWriter::set_up_again(SetupStage stage) {
  pb::UpdateBlockForPipelineRequest update;
  *update.mutable_block() = block_;
  update.set_client_name(namenode_->client_name());
  const auto updated = namenode_->call(update);
  if (!updated) return updated.error();
  const std::uint64_t generation_stamp = updated->block().b().generation_stamp();
  token_ = updated->block().block_token();
  PipelineResult<WritePipeline> pipeline = WritePipeline::open(
      operation(stage, generation_stamp), datanodes_, options_.connection, answer_timeout());
  if (!pipeline) return PipelineStatus(pipeline.error());
  pb::UpdatePipelineRequest request;
  request.set_client_name(namenode_->client_name());
  *request.mutable_old_block() = block_;
  block_.set_generation_stamp(generation_stamp);
  *request.mutable_new_block() = block_;
  for (const PipelineDatanode& datanode : datanodes_) {
    *request.add_new_nodes() = datanode.info.id();
    request.add_storage_ids(datanode.storage_id);
  }
  const auto accepted = namenode_->call(request);
  if (!accepted) return accepted.error();
  pipeline_ = *std::move(pipeline);
  return PipelineStatus(std::monostate{});
}

}  // namespace tracebed::hdfs
