// The messages between coordinator and datanode as plain structs, beside those of wire_messages.h.
// A datanode is reached by the key of its machine's agent; its node is that agent's.
//
// The conversation. A datanode opens with DatanodeHello, under a session number that it never used
// before, and is answered with DatanodeWelcome or Refuse. It then sends all its replicas in
// BlockReportParts, which a TriggerBlockReport asks of it again, and after that DatanodeHeartbeats
// and IncrementalReports. Each heartbeat is answered with DatanodeOrders, which may come in several
// messages, and each whole report and incremental one with a ReportAnswer. DatanodeCalls,
// StoreOrders and AdministrationOrders have numbers, which their answers name. Shutdown ends the
// run; DatanodeGoodbye, which the datanode sends before it leaves, has its last counts.
//
// Repeats and losses are treated as with agents: a receiver drops a message whose sequence is not
// greater than the last. On a gap, on silence and when it is ordered to register, a datanode sends
// Hello again under a new session, which is a new registration (DatanodeProtocol.registerDatanode)
// and is followed by a full report; so whatever was lost, both sides agree again. A coordinator
// that detects a gap orders to register. Store orders that are not answered are sent again in the
// new session: replicas that are there already are well. Calls that are not answered are sent
// again, too; the namenode answers what it has done already as it answers a late repeat.
//
// A datanode is started for one run or is long-running, as its agent: then it opens with Hello of
// `no_run`, Welcome names the run that it serves, and after Shutdown it says Hello of `no_run`
// again. Runs without storage do not answer it.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/datanode_messages.h"
#include "core/datanode_options.h"
#include "core/datanode_orders.h"
#include "core/ids.h"
#include "core/kernel_work.h"
#include "core/replica_store_kind.h"
#include "core/storage_call.h"
#include "core/storage_failure.h"
#include "protocol/protocol_version.h"

namespace tracebed::wire {

// Where clients and other datanodes reach a datanode.
struct DatanodeAddress {
  NodeId node;
  std::string name;     // of its machine
  std::string address;  // IPv4, of all its ports
  std::string rack;
  std::uint16_t transfer_port = 0;
  std::uint16_t http_port = 0;  // WebHDFS

  bool operator==(const DatanodeAddress&) const = default;
};

// A machine of the run, by which clients' addresses have a distance.
struct MachineAddress {
  std::string address;
  std::string rack;

  bool operator==(const MachineAddress&) const = default;
};

// ---- from datanodes ----

struct DatanodeHello {
  std::uint32_t protocol_version = wire::protocol_version;
  std::string agent;  // the name of its machine's
  std::string address;
  std::uint16_t transfer_port = 0;
  std::uint16_t http_port = 0;
  std::string software = "unknown";  // its version of Tracebed
  std::string host = "unknown";      // distinguishes two machines that claim one name

  bool operator==(const DatanodeHello&) const = default;
};

// By distance from the datanode to its client: same node, same rack, off rack. Bytes.
inline constexpr std::size_t transfer_distances = 3;
struct TransferSums {
  std::uint64_t transfers = 0;
  std::uint64_t errors = 0;
  std::array<std::uint64_t, transfer_distances> bytes_read{};
  std::array<std::uint64_t, transfer_distances> bytes_written{};

  bool operator==(const TransferSums&) const = default;
};
struct ClientTransferSums {
  std::string client;
  TransferSums sums;
  bool operator==(const ClientTransferSums&) const = default;
};
// Since the datanode was welcomed to the run first.
struct TransferReport {
  TransferSums total;
  std::vector<ClientTransferSums> clients;  // ascending; those that are left out are in the total
  bool operator==(const TransferReport&) const = default;
};

struct DatanodeBeat {
  DatanodeUsage usage;
  std::optional<TransferReport> transfers;  // now and then, if there is something new
  bool operator==(const DatanodeBeat&) const = default;
};

struct BlockReportPart {
  std::uint32_t part = 0;  // from 0
  bool is_last = true;
  std::vector<ReportedReplica> replicas;
  bool operator==(const BlockReportPart&) const = default;
};

struct IncrementalReport {
  std::vector<ReplicaChange> changes;
  bool operator==(const IncrementalReport&) const = default;
};

// To the namenode, of those that change its state.
struct DatanodeCall {
  std::uint64_t number = 0;  // from 1, ascending over all sessions of the datanode
  std::variant<ReportBadBlocks, CommitBlockSynchronization> call;
  bool operator==(const DatanodeCall&) const = default;
};

struct StoreAnswer {
  std::uint64_t number = 0;
  std::string failure;  // a sentence; empty if all are stored
  bool operator==(const StoreAnswer&) const = default;
};

struct AdministrationAnswer {
  std::uint64_t number = 0;
  std::string failure;  // likewise
  bool operator==(const AdministrationAnswer&) const = default;
};

struct DatanodeGoodbye {
  std::string reason;
  TransferReport transfers;
  bool operator==(const DatanodeGoodbye&) const = default;
};

using FromDatanode = std::variant<DatanodeHello, DatanodeBeat, BlockReportPart, IncrementalReport,
                                  DatanodeCall, StoreAnswer, AdministrationAnswer, DatanodeGoodbye>;

// ---- to datanodes ----

// Durations are wall time.
struct DatanodeWelcome {
  std::uint32_t protocol_version = wire::protocol_version;
  NodeId node;  // of a run; invalid between runs
  std::chrono::nanoseconds heartbeat_period{};
  std::chrono::nanoseconds report_period{};  // of full reports; 0: only when asked
  std::chrono::nanoseconds silence_max{};    // receiving nothing for longer: say Hello again
  std::string namenode;                      // ADDRESS:PORT of its RPC; empty if it has none
  std::vector<MachineAddress> machines;
  // What one that has no replicas of the run yet is to be like.
  ReplicaStoreKind store = ReplicaStoreKind::generated;
  std::int64_t capacity = 0;  // bytes
  std::chrono::milliseconds socket_timeout = default_datanode_socket_timeout;
  SetDatanodeRates rates;

  bool operator==(const DatanodeWelcome&) const = default;
};

// Of machines that came later, or to another address.
struct MachineNews {
  std::vector<MachineAddress> machines;
  bool operator==(const MachineNews&) const = default;
};

struct DatanodeOrders {
  std::uint64_t heartbeat = 0;  // the envelope sequence of the heartbeat answered
  HeartbeatReply orders;
  std::vector<DatanodeAddress> addresses;  // of the nodes that the orders name
  bool operator==(const DatanodeOrders&) const = default;
};

struct ReportAnswer {
  ReportReply reply;
  bool operator==(const ReportAnswer&) const = default;
};

struct TriggerBlockReport {
  bool operator==(const TriggerBlockReport&) const = default;
};

struct DatanodeCallAnswer {
  std::uint64_t number = 0;
  std::optional<StorageFailure> failure;
  bool operator==(const DatanodeCallAnswer&) const = default;
};

// These replicas are to be there, whole (core/storage_inputs.h, StoreReplicas).
struct StoreOrder {
  std::uint64_t number = 0;  // from 1, ascending over all sessions with the datanode
  std::vector<BlockName> blocks;
  std::vector<BlockDataset> datasets = {};  // of each block, or empty
  bool operator==(const StoreOrder&) const = default;
};

struct AdministrationOrder {
  std::uint64_t number = 0;  // as of a StoreOrder
  DatanodeOrder what;
  bool operator==(const AdministrationOrder&) const = default;
};

using ToDatanode =
    std::variant<DatanodeWelcome, MachineNews, DatanodeOrders, ReportAnswer, TriggerBlockReport,
                 DatanodeCallAnswer, StoreOrder, AdministrationOrder>;

// Bounds that a sender keeps and a receiver enforces.
inline constexpr std::size_t replicas_max = 65'536;  // of one message: reports, changes, orders
inline constexpr std::size_t transfer_clients_max = 256;
inline constexpr std::size_t client_name_bytes_max = 128;
inline constexpr std::size_t orders_max = 4'096;       // of one message, of each kind
inline constexpr std::size_t order_targets_max = 512;  // of one order, and of a call's block
inline constexpr std::size_t addresses_max = 4'096;    // of one message
inline constexpr std::size_t call_blocks_max = 1'024;  // of one call
inline constexpr std::size_t machines_max = 16'384;
inline constexpr std::int64_t replica_bytes_max = std::int64_t{1} << 53;

}  // namespace tracebed::wire
