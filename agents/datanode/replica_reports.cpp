#include "agents/datanode/replica_reports.h"

#include <algorithm>

#include "core/check.h"

namespace tracebed {
namespace {

ReportedState reported_state_of(ReplicaStage stage) {
  switch (stage) {
    case ReplicaStage::being_written:
      return ReportedState::being_written;
    case ReplicaStage::waiting_to_be_recovered:
      return ReportedState::waiting_to_be_recovered;
    case ReplicaStage::finalized:
      return ReportedState::finalized;
    case ReplicaStage::temporary:
      break;
  }
  TRACEBED_CHECK(false, "a temporary replica is not reported");
  return ReportedState::finalized;
}

}  // namespace

BlockName block_name(const ReplicaInfo& info) {
  return {info.block_id, static_cast<std::uint32_t>(info.generation_stamp),
          static_cast<std::int64_t>(info.length)};
}

ReportedReplica reported_replica(const ReplicaInfo& info) {
  const BlockName block = block_name(info);
  return {block.id, block.generation_stamp, block.length, reported_state_of(info.stage)};
}

void ReplicaReports::deleted(const ReplicaInfo& info) {
  link_.report({reported_replica(info), true});
}

void ReplicaReports::corrupt(const ReplicaInfo& info) {
  const BlockName block = block_name(info);
  NodeId node;
  {
    const std::lock_guard lock(mutex_);
    node = node_;
    if (!node.is_valid() && std::find(corrupt_.begin(), corrupt_.end(), block) == corrupt_.end()) {
      corrupt_.push_back(block);
    }
  }
  if (node.is_valid()) report_bad(block, node);
}

void ReplicaReports::set_node(NodeId node) {
  std::vector<BlockName> corrupt;
  {
    const std::lock_guard lock(mutex_);
    node_ = node;
    if (node.is_valid()) corrupt = std::exchange(corrupt_, {});
  }
  for (const BlockName& block : corrupt) report_bad(block, node);
}

void ReplicaReports::report_bad(const BlockName& block, NodeId node) {
  ReportBadBlocks bad;
  bad.blocks.push_back({block, {node}});
  link_.call(std::move(bad));
}

}  // namespace tracebed
