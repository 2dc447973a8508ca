// What the operations of a datanode's clients share.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "agents/datanode/datanode_rates.h"
#include "agents/datanode/neighbours.h"
#include "agents/datanode/replica_reports.h"
#include "agents/datanode/replica_store.h"
#include "agents/datanode/transfer/active_pipelines.h"
#include "agents/datanode/transfer/open_sockets.h"

namespace tracebed {

struct DataTransferOptions {
  // Further connections are closed at once (dfs.datanode.max.transfer.threads).
  std::size_t connections_max = 4'096;
  // For what a peer is to send next, and for connections to other datanodes
  // (dfs.client.socket-timeout).
  std::chrono::milliseconds read_timeout = std::chrono::seconds(60);
  // More of it for each further datanode of a pipeline (HdfsConstants.READ_TIMEOUT_EXTENSION).
  std::chrono::milliseconds read_timeout_extension = std::chrono::seconds(5);
  // For a peer to take what it is sent (dfs.datanode.socket.write.timeout).
  std::chrono::milliseconds write_timeout = std::chrono::seconds(480);
  // Between two operations (dfs.datanode.socket.reuse.keepalive).
  std::chrono::milliseconds keepalive = std::chrono::seconds(4);
  // For a peer to take note of an error and to close the connection.
  std::chrono::milliseconds drain_timeout = std::chrono::seconds(3);
};

// All parts outlive the operations, and may be used by any thread.
struct TransferEnvironment {
  std::string pool;
  std::string address;  // from which other datanodes are reached
  ReplicaStore& store;
  DatanodeRates& rates;
  TransferCounters& counters;
  const Neighbours& neighbours;
  ReplicaReports& reports;
  ActivePipelines& pipelines;
  OpenSockets& sockets;
  DataTransferOptions options;
};

}  // namespace tracebed
