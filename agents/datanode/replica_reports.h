// Reports changes of replicas to the namenode (IncrementalBlockReportManager,
// DataNode.reportBadBlocks).
#pragma once

#include <mutex>

#include "agents/datanode/namenode_link.h"
#include "agents/datanode/replica_info.h"

namespace tracebed {

// As reports have it; the replica is not temporary (checked).
ReportedReplica reported_replica(const ReplicaInfo& info);
BlockName block_name(const ReplicaInfo& info);

// Any thread may call these.
class ReplicaReports {
 public:
  explicit ReplicaReports(NamenodeLink& link) : link_(link) {}

  // A replica that is new, or in another stage.
  void changed(const ReplicaInfo& info) { link_.report({reported_replica(info), false}); }
  void deleted(const ReplicaInfo& info);
  // It was found wrong. Kept until the datanode has its number.
  void corrupt(const ReplicaInfo& info);

  void set_node(NodeId node);

 private:
  void report_bad(const BlockName& block, NodeId node);

  NamenodeLink& link_;
  std::mutex mutex_;  // guards what follows
  NodeId node_;
  std::vector<BlockName> corrupt_;  // of different replicas of the store
};

}  // namespace tracebed
