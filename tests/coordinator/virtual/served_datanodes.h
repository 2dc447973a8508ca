// A namenode and modelled datanodes that serve it, without jobs, for tests.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "coordinator/storage/datanode_service.h"
#include "coordinator/storage/namenode.h"
#include "coordinator/storage/namenode_queries.h"
#include "coordinator/virtual/virtual_datanodes.h"
#include "core/visit.h"

namespace tracebed::test {

class ServedDatanodes {
 public:
  // `sizes`: the datanodes of each rack, numbered rack after rack.
  ServedDatanodes(const std::vector<unsigned>& sizes, const NamenodeOptions& options,
                  const VirtualDatanodeOptions& virtual_options)
      : namenode_(options, TraceTime()), datanodes_(virtual_options, machines(sizes)) {
    for (unsigned rack = 0; rack < sizes.size(); ++rack) {
      racks_.insert(racks_.end(), sizes[rack], RackId(rack));
    }
    for (std::size_t i = 0; i < racks_.size(); ++i) start(NodeId(i));
  }

  void start(NodeId node) {
    Round round;
    datanodes_.join(node, round);
    take(round);
  }
  void stop(NodeId node) {
    Round round;
    datanodes_.leave(node, now_, round);
    take(round);
  }
  void preload(const PreloadedFile& file) {
    const auto placed = namenode_.preload(file, now_);
    TRACEBED_CHECK(static_cast<bool>(placed), placed.error().message);
    for (const LocatedBlock& block : *placed) {
      for (const NodeId node : block.nodes) datanodes_.execute(StoreReplicas{node, {block.block}});
    }
  }
  void decommission(NodeId node) {
    (void)namenode_.call({{.user = "hdfs"}, DecommissionDatanode{node}}, now_);
    datanodes_.expect_orders(datanodes_with_orders(namenode_.state()));
  }

  // Of a client that writes.
  StorageReply call(StorageOperation operation) {
    return namenode_.call({{.user = "ann", .client = "writer"}, std::move(operation)}, now_);
  }
  // The replica is there, whole, and is reported with the next advance.
  void store(NodeId node, const BlockName& block) { datanodes_.store(node, block); }

  void run_until(TraceTime end) {
    for (;;) {
      const TraceTime next = std::min(datanodes_.next_time(now_), namenode_.next_due());
      if (next > end) break;
      now_ = std::max(now_, next);
      Round round;
      datanodes_.advance(now_, round);
      for (StorageCall& call : datanodes_.take_calls()) {
        round.add_storage(StorageCalled{0, std::move(call)});
      }
      take(round);
    }
    now_ = end;
  }

  const Namenode& namenode() const { return namenode_; }
  const VirtualDatanodes& datanodes() const { return datanodes_; }
  TraceTime now() const { return now_; }
  // Of each block of the file, the nodes in ascending order.
  std::vector<std::vector<NodeId>> places(const std::string& path) const {
    std::vector<std::vector<NodeId>> all;
    const auto located =
        block_locations(namenode_.state(), path, 0, std::int64_t{1} << 60, {}, now_);
    if (!located) return all;
    for (const LocatedBlock& block : located->blocks) {
      all.push_back(block.nodes);
      std::sort(all.back().begin(), all.back().end());
    }
    return all;
  }
  // What the namenode takes for a replica is one.
  bool has_what_is_recorded(const std::string& path) const {
    const auto located =
        block_locations(namenode_.state(), path, 0, std::int64_t{1} << 60, {}, now_);
    if (!located) return false;
    return std::all_of(located->blocks.begin(), located->blocks.end(), [&](const auto& block) {
      return std::all_of(block.nodes.begin(), block.nodes.end(),
                         [&](NodeId node) { return datanodes_.replicas(node).has(block.block); });
    });
  }

 private:
  static std::vector<Machine> machines(const std::vector<unsigned>& sizes) {
    std::vector<Machine> all;
    for (std::size_t rack = 0; rack < sizes.size(); ++rack) {
      Machine machine;
      machine.rack = "/rack" + std::to_string(rack);
      all.insert(all.end(), sizes[rack], machine);
    }
    return all;
  }

  void take(const Round& round) {
    std::vector<AnswerDatanode> answers;
    for (const StorageInput& input : round.storage) {
      visit_all(
          input,
          [&](const DatanodeRegistered& one) {
            namenode_.register_datanode(one.node, racks_[one.node.index()], now_);
          },
          [&](const DatanodeHeartbeat& one) {
            answers.push_back({one.node, namenode_.heartbeat(one.node, one.usage, now_)});
          },
          [&](const FullBlockReport& one) {
            answers.push_back({one.node, namenode_.full_report(one.node, one.replicas, now_)});
          },
          [&](const IncrementalBlockReport& one) {
            answers.push_back(
                {one.node, namenode_.incremental_report(one.node, one.changes, now_)});
          },
          [&](const DatanodeGone& one) { namenode_.datanode_gone(one.node, now_); },
          [&](const StorageCalled& one) { (void)namenode_.call(one.call, now_); },
          [&](const PreloadedFile& one) { (void)namenode_.preload(one, now_); });
    }
    namenode_.advance(now_);
    for (const AnswerDatanode& answer : answers) datanodes_.execute(answer, now_);
    datanodes_.expect_orders(datanodes_with_orders(namenode_.state()));
  }

  Namenode namenode_;
  VirtualDatanodes datanodes_;
  std::vector<RackId> racks_;
  TraceTime now_{};
};

}  // namespace tracebed::test
