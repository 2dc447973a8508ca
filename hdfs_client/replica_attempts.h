// Which replicas of one block a reader has tried, and what became of them.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "hdfs_client/dead_datanodes.h"
#include "hdfs_client/namenode_client.h"

namespace tracebed::hdfs {

class ReplicaAttempts {
 public:
  // The first that has not been given up, in the block's order; datanodes that failed elsewhere
  // come after all others. None: all have been given up.
  const pb::DatanodeInfo* choose(const pb::LocatedBlock& block, const DeadDatanodes& dead) const;
  std::size_t untried(const pb::LocatedBlock& block) const;

  void give_up(const pb::DatanodeInfo& datanode, const ClientFailure& failure);
  // Each may be tried again.
  void begin_again() { given_up_.clear(); }

  // What is to be reported to the namenode: replicas whose bytes were wrong. Nothing if all of the
  // block's several replicas were: the fault may be the reader's own
  // (org.apache.hadoop.hdfs.DFSInputStream.reportCheckSumFailure).
  std::vector<pb::DatanodeInfo> corrupt_replicas(const pb::LocatedBlock& block) const;

  // "; " and the last failure, for each replica that had one.
  std::string text() const;

 private:
  std::set<std::string> given_up_;               // uuids
  std::map<std::string, std::string> failures_;  // by uuid
  std::map<std::string, pb::DatanodeInfo> corrupt_;
};

}  // namespace tracebed::hdfs
