// All that a namenode holds: its parts, and what waits for heartbeats. The rules that change them
// are in the headers beside, each with the calls of one purpose; namenode.h is the way in.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "coordinator/storage/block_constructions.h"
#include "coordinator/storage/block_manager.h"
#include "coordinator/storage/leases.h"
#include "coordinator/storage/namenode_options.h"
#include "coordinator/storage/namespace_tree.h"
#include "coordinator/storage/retry_cache.h"
#include "coordinator/storage/safe_mode.h"
#include "core/names.h"

namespace tracebed {

struct NamenodeState {
  // The policy of the options exists.
  NamenodeState(const NamenodeOptions& given, TraceTime now);
  NamenodeState(const NamenodeState&) = delete;  // parts refer to each other
  NamenodeState& operator=(const NamenodeState&) = delete;

  std::uint32_t next_stamp() { return ++last_stamp; }
  SafeMode::Progress safe_progress() const;

  NamenodeOptions options;
  NameTable<OwnerId> owners;
  NameTable<GroupId> groups;
  NamespaceTree tree;
  Datanodes datanodes;
  DatanodeTopology topology;  // of those that are alive
  BlockMap blocks;
  std::unique_ptr<ReplicaPlacement> placement;
  BlockManager manager;
  BlockConstructions constructions;
  Leases leases;
  SafeMode safe_mode;
  RetryCache retries;
  Random placement_random;

  std::uint32_t last_stamp = first_generation_stamp - 1;
  std::size_t live_blocks = 0;  // that belong to a file
  std::size_t safe_blocks = 0;  // in safe mode at startup: with the fewest replicas that it awaits
  // To be given to the datanode with its next heartbeat.
  std::map<NodeId, std::vector<TransferReplica>> transfers;
  std::map<NodeId, std::set<BlockIndex>> recoveries;
  std::set<NodeId> decommissioning;
  // `never` while there is nothing to do.
  TraceTime next_redundancy_pass = never;
  TraceTime next_decommission_check = never;
};

}  // namespace tracebed
