// The datanodes of a run in the real worlds: their messages become inputs of the namenode, and what
// the namenode answers goes to them (protocol/wire_datanodes.h documents the conversation). It also
// brings the calls of HDFS clients to the run, and administrators' orders to datanodes. A part of
// RealFleet, whose thread makes all calls.
//
// A datanode that is silent is not lost by this: the namenode finds it dead by its heartbeats, as
// HDFS does.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "coordinator/real/datanode_order_queue.h"
#include "coordinator/real/datanode_record.h"
#include "coordinator/real/real_options.h"
#include "coordinator/real/router_socket.h"
#include "coordinator/real/storage_gate.h"
#include "core/fleet.h"
#include "core/machines.h"
#include "core/storage_inputs.h"
#include "protocol/wire_codec.h"
#include "system/listening_clock.h"

namespace tracebed {

// Durations are wall time.
struct DatanodeLinkOptions {
  std::string run;
  std::uint64_t epoch = 1;
  bool are_long_running = false;
  WallDuration heartbeat_period = std::chrono::seconds(3);
  WallDuration report_period = std::chrono::hours(6);
  WallDuration silence_max = std::chrono::seconds(10);
  SetDatanodeRates rates;
  RealStorage storage;
};

class RealDatanodes {
 public:
  // One datanode a machine. Gate, orders, socket and clock outlive this; `machines` are by node.
  RealDatanodes(DatanodeLinkOptions options, const std::vector<Machine>& machines,
                RouterSocket& socket, const ListeningClock& listening, Warn warn);

  // ---- what arrives ----
  void receive(const RouterSocket::Received& received, const wire::Envelope& envelope,
               const wire::FromDatanode& message);
  // Whether the session is one of a datanode, and the name of the daemon whose log's lines came in
  // it if the message is a new one.
  bool has_session(std::uint64_t session) const { return sessions_.contains(session); }
  std::optional<std::string> take_log(const RouterSocket::Received& received,
                                      const wire::Envelope& envelope);
  // An agent has registered, from this address.
  void note_machine(NodeId node, const std::string& address);
  // The shuffle server of the node listens at this port of its address; 0: there is none.
  void note_shuffle_server(NodeId node, std::uint16_t port);
  // The engine knows the node: its datanode takes part from now on.
  void admit(NodeId node);

  // ---- the start ----
  // The names of machines whose datanodes have not registered, sent their usage and reported, or
  // that lack a shuffle server which the run needs, with that in brackets.
  std::vector<std::string> missing() const;
  // Why one was refused, the last.
  const std::optional<std::string>& refusal() const { return refusal_; }
  // From now on messages are inputs; before, all but the first report of each datanode are answered
  // without the namenode.
  void start();
  // Whether all replicas that were ordered to be stored are. Throws EnvironmentError if a datanode
  // has failed to store them, or is silent.
  bool have_stored() const;

  // ---- rounds ----
  // What arrived, with the calls of clients; at most about `count` of these.
  std::vector<StorageInput> take_inputs(std::size_t calls_max);
  // Readable when calls or orders wait.
  std::vector<int> descriptors() const;
  void execute(const AnswerDatanode& command);
  void execute(const StoreReplicas& command);
  void execute(const AnswerStorageCall& command);
  void execute(const MapOutputReady& command);
  void execute(const RemoveMapOutputs& command);

  // ---- the end ----
  // Notifies all datanodes that the run is over. They leave, with their last counts.
  void announce_end(const std::string& reason);
  bool have_left() const;
  // The process of the node's datanode is known to have ended; for have_left().
  void forget(NodeId node);

  // By node; of one that never registered there is no address.
  const std::vector<DatanodeRecord>& records() const { return records_; }
  // Of all its processes; those of one that was killed lack what it counted last.
  wire::TransferSums transfers(NodeId node) const;
  bool is_connected(NodeId node) const;

  struct Counters {
    std::uint64_t misplaced = 0;
    std::uint64_t repeats = 0;
    std::uint64_t gaps = 0;
    std::uint64_t refused = 0;
    std::uint64_t unsent = 0;
    std::uint64_t registrations = 0;
  };
  const Counters& counters() const { return counters_; }

 private:
  // real_datanode_messages.cpp
  DatanodeRecord* sender_of(const RouterSocket::Received& received, const wire::Envelope& envelope);
  void handle(const RouterSocket::Received& received, const wire::Envelope& envelope,
              const wire::DatanodeHello& hello);
  void handle(DatanodeRecord& record, std::uint64_t sequence, const wire::DatanodeBeat& beat);
  void handle(DatanodeRecord& record, const wire::BlockReportPart& part);
  void handle(DatanodeRecord& record, const wire::IncrementalReport& report);
  void handle(DatanodeRecord& record, const wire::DatanodeCall& call);
  void handle(DatanodeRecord& record, const wire::StoreAnswer& answer);
  void handle(DatanodeRecord& record, const wire::AdministrationAnswer& answer);
  void handle(DatanodeRecord& record, const wire::DatanodeGoodbye& goodbye);
  void take_report(DatanodeRecord& record);
  void open_session(DatanodeRecord& record, const RouterSocket::Received& received,
                    const wire::Envelope& envelope, const wire::DatanodeHello& hello);
  std::optional<std::string> reason_to_refuse(const wire::Envelope& envelope,
                                              const wire::DatanodeHello& hello,
                                              const std::string& user) const;
  void refuse(const RouterSocket::Received& received, const wire::Envelope& envelope,
              const wire::DatanodeHello& hello, const std::string& reason);
  void note_contact(DatanodeRecord& record) const;
  void order_to_register(DatanodeRecord& record);
  void ask_for_owed_report(DatanodeRecord& record);
  void end_session(DatanodeRecord& record, const std::string& reason);

  // real_datanodes.cpp
  DatanodeRecord& record_of(NodeId node) { return records_[node.index()]; }
  bool is_connected(const DatanodeRecord& record) const;
  void send(DatanodeRecord& record, wire::Body body);
  void tell(DatanodeRecord& record, wire::ToDatanode message) {
    send(record, wire::Body(std::move(message)));
  }
  void welcome(DatanodeRecord& record);
  void send_orders(DatanodeRecord& record, std::uint64_t heartbeat, const HeartbeatReply& orders);
  void add_addresses(wire::DatanodeOrders& message) const;
  void send_administration();
  void fail_administration(NodeId node, const std::string& reason);

  DatanodeLinkOptions options_;
  StorageGate& gate_;
  DatanodeOrderQueue& orders_;
  RouterSocket& socket_;
  const ListeningClock& listening_;
  Warn warn_;
  wire::Encoder encoder_;
  std::vector<DatanodeRecord> records_;                    // by node
  std::vector<wire::MachineAddress> machines_;             // likewise; without address: unknown
  std::unordered_map<std::string, NodeId> nodes_by_name_;  // looked up, never iterated
  std::unordered_map<std::uint64_t, NodeId> sessions_;     // of those that have one; as above
  std::vector<StorageInput> inputs_;
  struct Caller {
    NodeId node;
    std::uint64_t number = 0;
  };
  std::map<std::uint64_t, Caller> callers_;       // of datanodes' calls, by ticket
  std::map<std::uint64_t, NodeId> administered_;  // orders that are not answered, by number
  bool has_started_ = false;
  bool is_over_ = false;
  std::optional<std::string> refusal_;
  std::string store_failure_;
  std::set<std::string> warned_of_;
  Counters counters_;
};

}  // namespace tracebed
