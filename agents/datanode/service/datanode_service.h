// A datanode of one run (org.apache.hadoop.hdfs.server.datanode.DataNode): its replicas, the server
// of its clients, and what it does by order of the namenode. The connection to the namenode is
// somebody else's: see namenode_link.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/datanode/datanode_rates.h"
#include "agents/datanode/namenode_link.h"
#include "agents/datanode/neighbours.h"
#include "agents/datanode/replica_store.h"
#include "agents/datanode/service/block_recovery_worker.h"
#include "agents/datanode/service/work_queue.h"
#include "agents/datanode/transfer/block_transfer.h"
#include "agents/datanode/transfer/connection_server.h"
#include "agents/datanode/transfer_counters.h"

namespace tracebed {

struct DatanodeServiceOptions {
  std::string pool;              // the run's id: BlockPoolID
  std::filesystem::path folder;  // of this pool's replicas alone
  StoreOptions store;
  std::string address;              // IPv4: where it listens and connects from
  std::uint16_t transfer_port = 0;  // 0: a free one
  RateLimits disk;
  RateLimits network;
  std::chrono::nanoseconds seek_latency{};
  SharedLinks* links = nullptr;  // of a run whose machines are all on this one
  DataTransferOptions transfers;
};

// Any thread may call its functions; those of the link are called by one.
class DatanodeService {
 public:
  // Recovers its folder, and serves clients from now on. `link` outlives it. Throws
  // EnvironmentError if folder or port cannot be used.
  DatanodeService(const DatanodeServiceOptions& options, NamenodeLink& link);
  // Ends all transfers, within moments.
  ~DatanodeService();
  DatanodeService(const DatanodeService&) = delete;
  DatanodeService& operator=(const DatanodeService&) = delete;

  std::uint16_t transfer_port() const { return server_.port(); }

  // ---- what the link sends ----

  DatanodeUsage usage() const;
  // Of a full block report, ascending by block id.
  std::vector<ReportedReplica> replicas() const;
  const TransferCounters& counters() const { return counters_; }

  // ---- what the link receives ----

  // The namenode's number of this datanode, as reports of bad blocks name it.
  void set_node(NodeId node);
  void set_neighbours(std::span<const Neighbour> neighbours) { neighbours_.set(neighbours); }
  // Begins to carry them out. `peers` has the nodes that the orders name; an order with an unknown
  // one is dropped, and so are those beyond a bound: the namenode repeats what was not done.
  void execute(const HeartbeatReply& orders, std::span<const DatanodePeer> peers);
  // Of ReportReply::unknown.
  void remove_unknown(std::span<const std::uint64_t> block_ids);
  // Replicas that are to be there, whole. Those that are there already are well.
  // NamenodeLink::stored() is called once, after all of them or at the first failure.
  void store(std::uint64_t order, std::vector<OrderedReplica> replicas);

  // ---- administration ----

  // Bytes a second; none: unlimited.
  void set_rates(std::optional<std::uint64_t> disk, std::optional<std::uint64_t> network,
                 std::chrono::nanoseconds seek);
  // Inverts stored bytes of a finalized replica, not their checksums; twice undoes it.
  Status damage(std::uint64_t block_id, std::uint64_t offset, std::uint64_t bytes);

 private:
  void transfer(const TransferOrder& order, std::span<const DatanodePeer> peers);
  void remove(std::uint64_t block_id, std::uint64_t generation_stamp);
  Status store_now(std::span<const OrderedReplica> replicas);

  ReplicaStore store_;
  DatanodeRates rates_;
  TransferCounters counters_;
  Neighbours neighbours_;
  ReplicaReports reports_;
  NamenodeLink& link_;
  std::atomic<NodeId> node_;
  ActivePipelines pipelines_;
  OpenSockets sockets_;
  TransferEnvironment environment_;
  ConnectionServer server_;
  BlockRecoveryWorker recovery_;
  // Last: their threads use what is above.
  WorkQueue changes_;
  WorkQueue transfers_;
  WorkQueue recoveries_;
};

}  // namespace tracebed
