#include "agents/datanode/service/datanode_service.h"

#include <algorithm>

#include "agents/datanode/transfer/data_xceiver.h"

namespace tracebed {
namespace {

// The namenode orders at most two transfers at a time of a datanode, and four of the highest
// priority (dfs.namenode.replication.max-streams-hard-limit).
constexpr std::size_t transfer_threads = 4;
constexpr std::size_t recovery_threads = 2;
constexpr std::size_t waiting_max = 16'384;

const DatanodePeer* find_peer(std::span<const DatanodePeer> peers, NodeId node) {
  const auto found = std::find_if(peers.begin(), peers.end(),
                                  [&](const DatanodePeer& peer) { return peer.node == node; });
  return found == peers.end() ? nullptr : &*found;
}

// In the order of the nodes; none if one is not among them.
std::optional<std::vector<DatanodePeer>> peers_of(std::span<const NodeId> nodes,
                                                  std::span<const DatanodePeer> peers) {
  std::vector<DatanodePeer> found;
  for (const NodeId node : nodes) {
    const DatanodePeer* peer = find_peer(peers, node);
    if (peer == nullptr) return std::nullopt;
    found.push_back(*peer);
  }
  if (found.empty()) return std::nullopt;
  return found;
}

}  // namespace

DatanodeService::DatanodeService(const DatanodeServiceOptions& options, NamenodeLink& link)
    : store_(options.folder, options.store),
      rates_(options.disk, options.network, options.seek_latency, options.links, options.address),
      neighbours_(options.address),
      reports_(link),
      link_(link),
      environment_{options.pool, options.address, store_,     rates_,   counters_,
                   neighbours_,  reports_,        pipelines_, sockets_, options.transfers},
      server_({.place = {options.address, options.transfer_port},
               .connections_max = options.transfers.connections_max,
               .purpose = "data transfers"},
              sockets_,
              [this](TransferSocket& socket) { DataXceiver(environment_, socket).run(); }),
      recovery_(environment_, link),
      changes_(1, waiting_max),
      transfers_(transfer_threads, waiting_max),
      recoveries_(recovery_threads, waiting_max) {
  for (const ReplicaInfo& info : store_.list()) {
    if (info.is_corrupt) reports_.corrupt(info);
  }
}

DatanodeService::~DatanodeService() {
  // What work of the queues waits for. Sockets first: work that fails for want of rates could not
  // tell that this datanode ends, and would blame others.
  sockets_.end();
  rates_.stop();
}

DatanodeUsage DatanodeService::usage() const {
  const StoreFigures figures = store_.figures();
  const std::uint64_t taken = std::min(figures.capacity, figures.used + figures.reserved);
  return {.capacity = static_cast<std::int64_t>(figures.capacity),
          .used = static_cast<std::int64_t>(figures.used),
          .remaining = static_cast<std::int64_t>(figures.capacity - taken),
          .transfers = static_cast<std::uint32_t>(server_.connections())};
}

std::vector<ReportedReplica> DatanodeService::replicas() const {
  std::vector<ReportedReplica> reported;
  for (const ReplicaInfo& info : store_.list()) {
    if (info.stage != ReplicaStage::temporary) reported.push_back(reported_replica(info));
  }
  return reported;
}

void DatanodeService::set_node(NodeId node) {
  node_ = node;
  reports_.set_node(node);
}

void DatanodeService::execute(const HeartbeatReply& orders, std::span<const DatanodePeer> peers) {
  for (const TransferOrder& order : orders.transfers) {
    if (auto targets = peers_of(order.targets, peers)) {
      transfers_.add([this, order, targets = std::move(*targets)] { transfer(order, targets); });
    }
  }
  if (!orders.deletions.empty()) {
    changes_.add([this, deletions = orders.deletions] {
      for (const DeletionOrder& order : deletions) remove(order.block_id, order.generation_stamp);
    });
  }
  for (const RecoveryOrder& order : orders.recoveries) {
    if (auto members = peers_of(order.nodes, peers)) {
      recoveries_.add([this, order, members = std::move(*members)] {
        // The namenode orders another one if this does not succeed.
        (void)recovery_.recover(order, node_, members);
      });
    }
  }
}

// DataNode.transferBlock
void DatanodeService::transfer(const TransferOrder& order, std::span<const DatanodePeer> targets) {
  const auto length = static_cast<std::uint64_t>(order.block.length);
  const auto info = store_.find(order.block.id);
  if (!info || info->stage != ReplicaStage::finalized ||
      info->generation_stamp != order.block.generation_stamp) {
    return;
  }
  if (info->length < length) {
    reports_.corrupt(*info);
    return;
  }
  ReplicaTransfer transfer{.block_id = order.block.id,
                           .generation_stamp = order.block.generation_stamp,
                           .length = length};
  for (const DatanodePeer& target : targets) transfer.targets.push_back(datanode_info(target));
  // The namenode orders it again, of this one or another, if the target does not report it in time.
  (void)send_replica(environment_, transfer);
}

void DatanodeService::remove(std::uint64_t block_id, std::uint64_t generation_stamp) {
  const auto info = store_.find(block_id);
  if (!info || info->stage == ReplicaStage::temporary) return;
  if (!store_.remove(block_id, generation_stamp)) return;
  pipelines_.interrupt(block_id);
  reports_.deleted(*info);
}

void DatanodeService::remove_unknown(std::span<const std::uint64_t> block_ids) {
  changes_.add([this, ids = std::vector(block_ids.begin(), block_ids.end())] {
    for (const std::uint64_t id : ids) remove(id, ~std::uint64_t{0});
  });
}

void DatanodeService::store(std::uint64_t order, std::vector<OrderedReplica> replicas) {
  const bool is_added = changes_.add(
      [this, order, replicas = std::move(replicas)] { link_.stored(order, store_now(replicas)); });
  if (!is_added) link_.stored(order, Error{"the datanode has too much to do"});
}

Status DatanodeService::store_now(std::span<const OrderedReplica> replicas) {
  std::vector<OrderedReplica> missing;
  for (const OrderedReplica& replica : replicas) {
    const auto info = store_.find(replica.block_id);
    const bool exists = info && info->stage == ReplicaStage::finalized &&
                        info->generation_stamp == replica.generation_stamp &&
                        info->length == replica.length;
    if (!exists) missing.push_back(replica);
  }
  const StoreStatus stored = store_.add(missing);
  return stored ? success() : Status(Error{stored.error().message});
}

void DatanodeService::set_rates(std::optional<std::uint64_t> disk,
                                std::optional<std::uint64_t> network,
                                std::chrono::nanoseconds seek) {
  rates_.set_disk(disk, seek);
  rates_.set_network(network);
}

Status DatanodeService::damage(std::uint64_t block_id, std::uint64_t offset, std::uint64_t bytes) {
  const StoreStatus damaged = store_.damage(block_id, offset, bytes);
  return damaged ? success() : Status(Error{damaged.error().message});
}

}  // namespace tracebed
