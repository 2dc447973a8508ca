// A datanode's side of the conversation with its coordinator (protocol/wire_datanodes.h), as a
// state machine: messages and what the datanode reports go in with the time, messages and orders to
// the datanode come out. No sockets and no clock, so it is tested in simulated time.
//
// It sends Hello with a new session whenever the two sides may disagree: at the start, when a
// message of the coordinator is missing, when nothing was received from it for `silence_max`, and
// when it is ordered to register. A full report follows each Welcome, so changes are only reported
// in between.
//
// A session for one run ends with it. A long-running one serves one run after another.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/datanode_messages.h"
#include "core/result.h"
#include "protocol/wire_messages.h"

namespace tracebed {

// For Hello.
struct DatanodeIdentity {
  std::string run;    // wire::no_run if the datanode is long-running
  std::string agent;  // of its machine
  std::string address;
  std::uint16_t transfer_port = 0;
  std::uint16_t http_port = 0;
  std::string software = "unknown";
  std::string host = "unknown";

  bool is_long_running() const { return run == wire::no_run; }
};

class CoordinatorSession {
 public:
  using SteadyTime = std::chrono::steady_clock::time_point;
  struct Now {
    SteadyTime steady;
    wire::WallTime wall;
  };

  // What the datanode states of itself, asked for when it is sent.
  struct Sources {
    std::function<DatanodeUsage()> usage;
    std::function<std::vector<ReportedReplica>()> replicas;  // of a full report
    std::function<wire::TransferReport()> transfers;
  };

  // To the datanode, in this order. After a Welcome of another run than before its replicas are
  // asked for.
  using Order = std::variant<wire::DatanodeWelcome, wire::MachineNews, wire::DatanodeOrders,
                             wire::ReportAnswer, wire::StoreOrder, wire::AdministrationOrder>;

  // The conversation is over, or a run: a long-running one calls leave_run() then.
  struct End {
    enum class Kind : std::uint8_t { refused, run_over };
    Kind kind = Kind::run_over;
    std::string reason;
  };

  CoordinatorSession(DatanodeIdentity identity, Sources sources);

  // ---- of the datanode ----
  void report(const ReplicaChange& change);
  using Call = std::variant<ReportBadBlocks, CommitBlockSynchronization>;
  void call(Call call, Now now);
  void stored(std::uint64_t order, const Status& result);
  void administered(std::uint64_t order, const Status& result);
  // What it has logged. It is lost where there is no session.
  void send_log(wire::LogLines log);
  // Before it ends of its own accord, or because its run is over: tells the coordinator its last
  // counts.
  void send_goodbye(const std::string& reason);
  // The datanode of the run is gone: the next Hello is of no run.
  void leave_run(Now now);

  // ---- of the coordinator ----
  void take(const wire::Message& message, Now now);

  // Does what is due.
  void tick(Now now);
  SteadyTime next_tick() const;

  std::vector<wire::Message> take_messages() { return std::exchange(messages_, {}); }
  std::vector<Order> take_orders() { return std::exchange(orders_, {}); }
  const std::optional<End>& end() const { return end_; }
  bool is_welcome() const { return welcome_.has_value(); }
  // The run that it serves; wire::no_run while there is none.
  const std::string& run() const { return run_; }
  // Why the coordinator refuses this long-running datanode; empty if it does not.
  const std::string& refusal() const { return refusal_; }

  struct Counters {
    std::uint64_t misplaced = 0;
    std::uint64_t repeats = 0;
    std::uint64_t gaps = 0;
    std::uint64_t hellos = 0;
    std::uint64_t calls_lost = 0;  // too many waited
  };
  const Counters& counters() const { return counters_; }

 private:
  void handle(const wire::DatanodeWelcome& welcome, Now now);
  void handle(const wire::DatanodeOrders& orders, Now now);
  void handle(const wire::DatanodeCallAnswer& answer, Now now);
  void handle(const wire::Shutdown& shutdown, Now now);
  void handle(const wire::Refuse& refuse, Now now);
  bool is_for_us(const wire::Message& message) const;
  void dispatch(const wire::Body& body, Now now);
  void dispatch(const wire::ToDatanode& message, Now now);
  void send_hello(Now now);
  void send_heartbeat(Now now);
  void send_full_report(Now now);
  void send_changes();
  void send_calls_that_are_due(Now now);
  void send(wire::FromDatanode message);

  DatanodeIdentity identity_;
  Sources sources_;
  std::string run_;
  std::string refusal_;
  std::vector<wire::Message> messages_;
  std::vector<Order> orders_;
  std::optional<End> end_;
  Counters counters_;

  struct UnansweredCall {
    Call call;
    SteadyTime due{};  // to be sent, first or again
  };
  std::map<std::uint64_t, UnansweredCall> calls_;  // by number
  std::uint64_t last_call_ = 0;

  // Of the session.
  std::uint64_t session_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
  std::uint64_t epoch_ = 0;
  std::optional<wire::DatanodeWelcome> welcome_;
  std::vector<ReplicaChange> changes_;  // since the last incremental report
  std::uint64_t unanswered_heartbeat_ = 0;
  wire::TransferReport told_transfers_;
  SteadyTime next_hello_{};
  std::chrono::seconds hello_pause_{};
  SteadyTime next_heartbeat_{};
  SteadyTime next_report_{};
  SteadyTime next_transfers_{};
  SteadyTime last_heard_{};
};

}  // namespace tracebed
