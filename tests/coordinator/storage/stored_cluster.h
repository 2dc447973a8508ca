// The namenode's parts over datanodes that execute every command, for tests.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "coordinator/storage/block_manager.h"
#include "support/at_seconds.h"

namespace tracebed::test {

class StoredCluster {
 public:
  // `sizes`: the datanodes of each rack, numbered rack after rack.
  explicit StoredCluster(const std::vector<unsigned>& sizes, const RedundancyOptions& options = {},
                         std::uint64_t seed = 1)
      : manager_(blocks_, datanodes_, topology_, *placement_, {}, options, seed) {
    unsigned number = 0;
    for (unsigned rack = 0; rack < sizes.size(); ++rack) {
      for (unsigned i = 0; i < sizes[rack]; ++i, ++number) {
        racks_.emplace_back(rack);
        start(NodeId(number));
      }
    }
  }

  // A complete block of three good replicas, or as many as given.
  BlockIndex block(std::initializer_list<unsigned> nodes, std::uint32_t expected = 3) {
    const BlockIndex block = blocks_.allocate(InodeId(1u), first_generation_stamp);
    blocks_.set_length(block, 100, first_generation_stamp);
    blocks_.complete(block);
    for (const unsigned node : nodes) {
      blocks_.put_replica(block, NodeId(node), ReplicaState::finalized);
      held_[NodeId(node)].insert(block);
    }
    manager_.expect(block, expected, now_);
    return block;
  }

  void start(NodeId node) {
    topology_.add(node, racks_[node.index()]);
    datanodes_.register_datanode(node, racks_[node.index()], now_);
    datanodes_.heartbeat(node, {.capacity = 1'000'000, .remaining = 1'000'000}, now_);
    std::vector<ReportedReplica> report;
    for (const BlockIndex block : held_[node]) {
      report.push_back({id_of(block), first_generation_stamp, 100, ReportedState::finalized});
    }
    for (const BlockIndex added : blocks_.compare(node, report).added) {
      manager_.replica_stored(added, node, now_);
    }
  }
  void stop(NodeId node) {
    if (!datanodes_.declare_dead(node)) return;
    topology_.remove(node);
    manager_.datanode_died(node, now_);
  }
  bool is_alive(NodeId node) const { return datanodes_.find(node)->is_alive; }

  void set_time(int second) { now_ = at_seconds(second); }
  void beat(NodeId node, std::int64_t remaining = 1'000'000) {
    datanodes_.heartbeat(node, {.capacity = 1'000'000, .remaining = remaining}, now_);
  }
  std::vector<TransferReplica> plan() { return manager_.plan_transfers(now_); }
  // The targets store it and report it.
  void finish(const TransferReplica& transfer) {
    for (const NodeId target : transfer.targets) {
      if (!is_alive(target)) continue;
      held_[target].insert(transfer.block);
      manager_.replica_stored(transfer.block, target, now_);
    }
  }
  // It deletes all that it is commanded to, and reports it.
  std::vector<BlockIndex> delete_on(NodeId node) {
    const std::vector<BlockIndex> blocks = manager_.take_deletions(node);
    for (const BlockIndex block : blocks) {
      held_[node].erase(block);
      manager_.replica_missing(block, node, now_);
    }
    return blocks;
  }

  BlockMap blocks_;
  Datanodes datanodes_{DatanodeIntervals(), at_seconds(0)};
  DatanodeTopology topology_;
  std::unique_ptr<ReplicaPlacement> placement_ = *make_replica_placement("default");
  BlockManager manager_;
  std::vector<RackId> racks_;
  std::map<NodeId, std::set<BlockIndex>> held_;  // really
  TraceTime now_ = at_seconds(0);
};

}  // namespace tracebed::test
