// A namenode over datanodes that keep replicas and execute every order, for tests.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "coordinator/storage/namenode.h"
#include "support/at_seconds.h"

namespace tracebed::test {

class ServedNamenode {
 public:
  static NamenodeOptions options_for_tests(std::uint64_t seed = 1) {
    NamenodeOptions options;
    options.limits.block_size_min = 1;
    options.safe_mode.at_start = false;
    options.seed = seed;
    return options;
  }

  // Racks of three datanodes each.
  explicit ServedNamenode(unsigned nodes, const NamenodeOptions& options = options_for_tests())
      : namenode_(options, at_seconds(0)), disks_(nodes), is_up_(nodes, false) {
    for (unsigned i = 0; i < nodes; ++i) start(NodeId(i));
  }

  void start(NodeId node) {
    is_up_[node.index()] = true;
    namenode_.register_datanode(node, RackId(node.value() / 3), now_);
    std::vector<ReportedReplica> report;
    for (auto& [id, replica] : disks_[node.index()]) {
      // What was being written when it ended waits to be recovered.
      if (replica.state == ReportedState::being_written) {
        replica.state = ReportedState::waiting_to_be_recovered;
      }
      report.push_back(replica);
    }
    beat(node);
    namenode_.full_report(node, report, now_);
  }
  void stop(NodeId node) {
    is_up_[node.index()] = false;
    namenode_.datanode_gone(node, now_);
  }
  bool is_up(NodeId node) const { return is_up_[node.index()]; }

  void beat(NodeId node) {
    const HeartbeatReply reply = namenode_.heartbeat(
        node, {.capacity = 1'000'000'000, .used = 0, .remaining = 1'000'000'000}, now_);
    for (const DeletionOrder& order : reply.deletions) remove(node, order);
    for (const TransferOrder& order : reply.transfers) transfer(node, order);
    for (const RecoveryOrder& order : reply.recoveries) recover(order);
  }
  void pass(int seconds) {
    for (int i = 0; i < seconds; i += 3) {
      now_ += std::chrono::seconds(3);
      for (unsigned node = 0; node < disks_.size(); ++node) {
        if (is_up_[node]) beat(NodeId(node));
      }
      namenode_.advance(now_);
      namenode_.check_invariants();
    }
  }

  // The datanode has the replica now, and reports it.
  void store(NodeId node, const ReportedReplica& replica) {
    disks_[node.index()][replica.block_id] = replica;
    namenode_.incremental_report(node, {{replica, false}}, now_);
  }
  const ReportedReplica* replica_on(NodeId node, std::uint64_t block) const {
    const auto found = disks_[node.index()].find(block);
    return found == disks_[node.index()].end() ? nullptr : &found->second;
  }
  std::size_t nodes() const { return disks_.size(); }

  StorageReply call(const std::string& client, StorageOperation operation) {
    StorageReply reply = namenode_.call({{.user = "u",
                                          .group = {},
                                          .client = client,
                                          .address = "127.0.0.1",
                                          .node = {},
                                          .identity = {}},
                                         std::move(operation)},
                                        now_);
    namenode_.check_invariants();
    return reply;
  }
  // The blocks of a pipeline are finalized with this length.
  void finalize(const LocatedBlock& block, std::int64_t length) {
    for (const NodeId node : block.nodes) {
      store(node, {block.block.id, block.block.generation_stamp, length, ReportedState::finalized});
    }
  }

  Namenode namenode_;
  TraceTime now_ = at_seconds(0);

 private:
  void remove(NodeId node, const DeletionOrder& order) {
    auto& disk = disks_[node.index()];
    const auto found = disk.find(order.block_id);
    if (found == disk.end() || found->second.generation_stamp > order.generation_stamp) return;
    const ReportedReplica removed = found->second;
    disk.erase(found);
    namenode_.incremental_report(node, {{removed, true}}, now_);
  }
  void transfer(NodeId source, const TransferOrder& order) {
    const ReportedReplica* replica = replica_on(source, order.block.id);
    if (replica == nullptr || replica->generation_stamp != order.block.generation_stamp) return;
    const ReportedReplica copied = *replica;
    for (const NodeId target : order.targets) {
      if (is_up(target)) store(target, copied);
    }
  }
  // BlockRecoveryWorker.
  void recover(const RecoveryOrder& order) {
    std::vector<NodeId> with_replica;
    bool has_finalized = false;
    for (const NodeId node : order.nodes) {
      const ReportedReplica* replica = replica_on(node, order.block.id);
      const bool is_usable = is_up(node) && replica != nullptr &&
                             replica->generation_stamp >= order.block.generation_stamp &&
                             replica->length > 0;
      if (!is_usable) continue;
      has_finalized |= replica->state == ReportedState::finalized;
      with_replica.push_back(node);
    }
    const bool all_up = std::all_of(is_up_.begin(), is_up_.end(), [](bool up) { return up; });
    // Another that is down may have it.
    if (with_replica.empty() && !all_up) return;
    CommitBlockSynchronization done{.block = order.block,
                                    .new_generation_stamp = order.new_generation_stamp,
                                    .deletes_block = with_replica.empty(),
                                    .nodes = {}};
    std::int64_t length = -1;
    for (const NodeId node : with_replica) {
      const ReportedReplica& replica = *replica_on(node, order.block.id);
      if (has_finalized && replica.state != ReportedState::finalized) continue;
      length = length < 0 ? replica.length : std::min(length, replica.length);
    }
    for (const NodeId node : with_replica) {
      if (replica_on(node, order.block.id)->length >= length) done.nodes.push_back(node);
    }
    done.new_length = order.truncated_length.value_or(std::max<std::int64_t>(length, 0));
    for (const NodeId node : done.nodes) {
      store(node, {order.block.id, order.new_generation_stamp, done.new_length,
                   ReportedState::finalized});
    }
    call("", done);
  }

  std::vector<std::map<std::uint64_t, ReportedReplica>> disks_;
  std::vector<bool> is_up_;
};

}  // namespace tracebed::test
