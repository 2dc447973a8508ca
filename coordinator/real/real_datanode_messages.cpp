// What datanodes send.
#include <fmt/format.h>

#include "coordinator/real/agent_roster.h"
#include "coordinator/real/real_datanodes.h"
#include "core/visit.h"

namespace tracebed {
namespace {

// Of one datanode's full report.
constexpr std::size_t report_replicas_max = std::size_t{1} << 22;
// Of one datanode, that are not answered.
constexpr std::size_t calls_max = 1'000;

void add(wire::TransferSums& sums, const wire::TransferSums& more) {
  sums.transfers += more.transfers;
  sums.errors += more.errors;
  for (std::size_t i = 0; i < wire::transfer_distances; ++i) {
    sums.bytes_read[i] += more.bytes_read[i];
    sums.bytes_written[i] += more.bytes_written[i];
  }
}

}  // namespace

void RealDatanodes::receive(const RouterSocket::Received& received, const wire::Envelope& envelope,
                            const wire::FromDatanode& message) {
  if (const auto* hello = std::get_if<wire::DatanodeHello>(&message)) {
    return handle(received, envelope, *hello);
  }
  DatanodeRecord* const record = sender_of(received, envelope);
  if (record == nullptr) return;
  visit_all(
      message, [&](const wire::DatanodeBeat& beat) { handle(*record, envelope.sequence, beat); },
      [&](const OneOf<wire::BlockReportPart, wire::IncrementalReport, wire::DatanodeCall,
                      wire::StoreAnswer, wire::AdministrationAnswer, wire::DatanodeGoodbye> auto&
              part) { handle(*record, part); },
      Ignore<wire::DatanodeHello>{});  // handled above
}

std::optional<std::string> RealDatanodes::take_log(const RouterSocket::Received& received,
                                                   const wire::Envelope& envelope) {
  const DatanodeRecord* const record = sender_of(received, envelope);
  if (record == nullptr) return std::nullopt;
  return datanode_log_name(record->address.name);
}

DatanodeRecord* RealDatanodes::sender_of(const RouterSocket::Received& received,
                                         const wire::Envelope& envelope) {
  const auto found = sessions_.find(envelope.session);
  const bool is_ours =
      found != sessions_.end() && envelope.run == options_.run && envelope.epoch == options_.epoch;
  // Sessions can be guessed; keys cannot.
  if (!is_ours ||
      (!received.user.empty() && received.user != records_[found->second.index()].address.name)) {
    ++counters_.misplaced;
    return nullptr;
  }
  DatanodeRecord& record = record_of(found->second);
  record.peer = received.peer;  // another one after its connection broke
  note_contact(record);
  if (envelope.sequence <= record.received) {
    ++counters_.repeats;
    return nullptr;
  }
  const bool has_gap = envelope.sequence != record.received + 1;
  record.received = envelope.sequence;
  if (!has_gap) return &record;
  ++counters_.gaps;
  order_to_register(record);
  return nullptr;
}

void RealDatanodes::note_contact(DatanodeRecord& record) const {
  record.last_contact = listening_.now();
  record.contact_at = std::chrono::steady_clock::now();
}

// ---- sessions ----

std::optional<std::string> RealDatanodes::reason_to_refuse(const wire::Envelope& envelope,
                                                           const wire::DatanodeHello& hello,
                                                           const std::string& user) const {
  if (auto reason = reason_to_refuse_peer(claim_of(hello), user)) return reason;
  const bool is_of_none = options_.are_long_running && envelope.run == wire::no_run;
  if (!is_of_none && envelope.run != options_.run) {
    return fmt::format("it was started for run {}, this is run {}", envelope.run, options_.run);
  }
  const auto found = nodes_by_name_.find(hello.agent);
  if (found == nodes_by_name_.end()) return "no machine of this run has its name";
  const DatanodeRecord& known = records_[found->second.index()];
  if (is_connected(known) && known.host != hello.host) {
    return fmt::format("another machine, at {}, has registered a datanode under that name",
                       known.address.address);
  }
  return std::nullopt;
}

void RealDatanodes::refuse(const RouterSocket::Received& received, const wire::Envelope& envelope,
                           const wire::DatanodeHello& hello, const std::string& reason) {
  ++counters_.refused;
  const std::string refusal =
      fmt::format("the datanode of {} was rejected: {}", hello.agent, reason);
  if (!options_.are_long_running && received.user == hello.agent) refusal_ = refusal;
  if (warned_of_.insert(refusal).second) warn_(refusal);
  const wire::Message answer{{envelope.run, options_.epoch, envelope.session, 1},
                             wire::Refuse{wire::protocol_version, hello.protocol_version, reason}};
  if (!socket_.send(received.peer, encoder_.encode(answer))) ++counters_.unsent;
}

void RealDatanodes::handle(const RouterSocket::Received& received, const wire::Envelope& envelope,
                           const wire::DatanodeHello& hello) {
  if (const auto reason = reason_to_refuse(envelope, hello, received.user)) {
    return refuse(received, envelope, hello, *reason);
  }
  DatanodeRecord& record = record_of(nodes_by_name_.at(hello.agent));
  // An old Hello that was under way for long, or the current one once more. From one that is silent
  // it may also be a new one of a machine whose clock was set back.
  const bool is_old = envelope.session == record.session ||
                      (envelope.session < record.session && is_connected(record));
  if (is_old && record.host == hello.host) {
    ++counters_.repeats;
    return;
  }
  if (sessions_.contains(envelope.session)) {
    // Another drew the same number; this one will try again when it gets no answer.
    ++counters_.misplaced;
    return;
  }
  open_session(record, received, envelope, hello);
  welcome(record);
  if (record.takes_part) inputs_.emplace_back(DatanodeRegistered{record.address.node});
}

void RealDatanodes::open_session(DatanodeRecord& record, const RouterSocket::Received& received,
                                 const wire::Envelope& envelope, const wire::DatanodeHello& hello) {
  const NodeId node = record.address.node;
  end_session(record, "the datanode registered again before it answered");
  sessions_.emplace(envelope.session, node);
  ++counters_.registrations;
  record.has_session = true;
  record.has_left = false;
  record.peer = received.peer;
  record.session = envelope.session;
  record.received = envelope.sequence;
  record.sent = 0;
  note_contact(record);
  record.host = hello.host;
  record.address.address = hello.address;
  record.address.transfer_port = hello.transfer_port;
  record.address.http_port = hello.http_port;
  record.report.clear();
  record.report_parts = 0;
  record.has_reported = record.owes_report = false;
  record.usage.reset();
  gate_.set_place(node, {record.address.name, record.address.address, record.address.transfer_port,
                         record.address.http_port, record.address.rack});
}

// It reports everything under a new session; what else it sends in this one does not count.
void RealDatanodes::order_to_register(DatanodeRecord& record) {
  HeartbeatReply orders;
  orders.must_register = true;
  tell(record, wire::DatanodeOrders{0, std::move(orders), {}});
  end_session(record, "the datanode has to register again before it answers");
}

void RealDatanodes::end_session(DatanodeRecord& record, const std::string& reason) {
  if (!record.has_session) return;
  sessions_.erase(record.session);
  record.has_session = false;
  fail_administration(record.address.node, reason);
}

// ---- heartbeats and reports ----

void RealDatanodes::handle(DatanodeRecord& record, std::uint64_t sequence,
                           const wire::DatanodeBeat& beat) {
  record.usage = beat.usage;
  if (beat.transfers) {
    // They fall where another process has begun to count.
    if (beat.transfers->total.transfers < record.transfers.total.transfers) {
      add(record.transfers_before.total, record.transfers.total);
    }
    record.transfers = *beat.transfers;
  }
  if (!record.takes_part || !has_started_ || is_over_) return send_orders(record, sequence, {});
  inputs_.emplace_back(DatanodeHeartbeat{record.address.node, beat.usage});
  record.questions.push_back({record.session, sequence});
}

void RealDatanodes::handle(DatanodeRecord& record, const wire::BlockReportPart& part) {
  if (part.part == 0) {
    record.report.clear();
    record.report_parts = 0;
  }
  const bool is_next = part.part == record.report_parts;
  if (!is_next || record.report.size() + part.replicas.size() > report_replicas_max) {
    ++counters_.misplaced;
    if (warned_of_.insert("report of " + record.address.name).second) {
      warn_(fmt::format("the datanode of {} sent a malformed block report", record.address.name));
    }
    return order_to_register(record);
  }
  ++record.report_parts;
  record.report.insert(record.report.end(), part.replicas.begin(), part.replicas.end());
  if (!part.is_last) return;
  record.report_parts = 0;
  take_report(record);
}

void RealDatanodes::take_report(DatanodeRecord& record) {
  record.has_reported = true;
  if (is_over_) return;
  // It is kept for admit().
  if (!record.takes_part) return tell(record, wire::ReportAnswer{});
  std::vector<ReportedReplica> replicas = std::exchange(record.report, {});
  // The namenode counts those that are being stored as stored; this report may have none of them.
  if (!has_started_ || !record.stores.empty()) {
    record.owes_report = true;
    return tell(record, wire::ReportAnswer{});
  }
  inputs_.emplace_back(FullBlockReport{record.address.node, std::move(replicas)});
  record.questions.push_back({record.session, 0});
}

void RealDatanodes::handle(DatanodeRecord& record, const wire::IncrementalReport& report) {
  if (is_over_) return;
  if (!record.takes_part || !has_started_) return tell(record, wire::ReportAnswer{});
  inputs_.emplace_back(IncrementalBlockReport{record.address.node, report.changes});
  record.questions.push_back({record.session, 0});
}

// ---- calls and answers ----

void RealDatanodes::handle(DatanodeRecord& record, const wire::DatanodeCall& call) {
  if (is_over_ || record.calls.contains(call.number)) return;  // repeated before it was answered
  if (!record.takes_part || !has_started_ || record.calls.size() >= calls_max) {
    const StorageFailure not_now{StorageFailureKind::retriable, "the namenode is busy"};
    return tell(record, wire::DatanodeCallAnswer{call.number, not_now});
  }
  const NodeId node = record.address.node;
  StorageCall made;
  made.caller = {.user = options_.storage.user,
                 .group = options_.storage.group,
                 .client = {},
                 .address = record.address.address,
                 .node = node,
                 .identity = {}};
  made.operation =
      std::visit([](const auto& operation) { return StorageOperation(operation); }, call.call);
  const std::uint64_t ticket = gate_.next_ticket();
  callers_[ticket] = {node, call.number};
  record.calls[call.number] = ticket;
  inputs_.emplace_back(StorageCalled{ticket, std::move(made)});
}

void RealDatanodes::handle(DatanodeRecord& record, const wire::StoreAnswer& answer) {
  if (record.stores.erase(answer.number) == 0) {
    ++counters_.repeats;
    return;
  }
  if (!answer.failure.empty() && store_failure_.empty()) {
    store_failure_ = fmt::format("the datanode of {} cannot store its part of the input files: {}",
                                 record.address.name, answer.failure);
  }
  if (has_started_) ask_for_owed_report(record);
}

void RealDatanodes::handle(DatanodeRecord& record, const wire::AdministrationAnswer& answer) {
  const auto found = administered_.find(answer.number);
  if (found == administered_.end() || found->second != record.address.node) {
    ++counters_.misplaced;
    return;
  }
  administered_.erase(found);
  orders_.finish(answer.number, answer.failure.empty() ? success() : Error{answer.failure});
}

void RealDatanodes::handle(DatanodeRecord& record, const wire::DatanodeGoodbye& goodbye) {
  if (goodbye.transfers.total.transfers < record.transfers.total.transfers) {
    add(record.transfers_before.total, record.transfers.total);
  }
  record.transfers = goodbye.transfers;
  record.has_left = true;
  if (!is_over_)
    warn_(fmt::format("the datanode of {} left: {}", record.address.name, goodbye.reason));
  end_session(record, "the datanode has left");
}

}  // namespace tracebed
