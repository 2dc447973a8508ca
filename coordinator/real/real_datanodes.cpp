// What goes to datanodes, and from them to the run.
#include "coordinator/real/real_datanodes.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/check.h"
#include "core/input_error.h"
#include "core/visit.h"

namespace tracebed {

RealDatanodes::RealDatanodes(DatanodeLinkOptions options, const std::vector<Machine>& machines,
                             RouterSocket& socket, const ListeningClock& listening, Warn warn)
    : options_(std::move(options)),
      gate_(*options_.storage.gate),
      orders_(*options_.storage.orders),
      socket_(socket),
      listening_(listening),
      warn_(std::move(warn)),
      records_(machines.size()),
      machines_(machines.size()) {
  for (std::size_t i = 0; i < machines.size(); ++i) {
    nodes_by_name_.emplace(machines[i].name, NodeId(i));
    // As HDFS names racks (NetworkTopology).
    const std::string& rack = machines[i].rack;
    machines_[i].rack = rack.starts_with('/') ? rack : "/" + rack;
    records_[i].address.node = NodeId(i);
    records_[i].address.name = machines[i].name;
    records_[i].address.rack = machines_[i].rack;
  }
}

// ---- the start ----

std::vector<std::string> RealDatanodes::missing() const {
  std::vector<std::string> names;
  for (const DatanodeRecord& record : records_) {
    const bool lacks_shuffle = !options_.storage.shuffle_key.empty() && record.shuffle_port == 0;
    const bool has_joined = record.has_session && record.usage && record.has_reported;
    if (has_joined && !lacks_shuffle) continue;
    names.push_back(record.address.name + (has_joined ? " (its shuffle server)" : ""));
  }
  return names;
}

void RealDatanodes::start() {
  has_started_ = true;
  orders_.open();
  for (DatanodeRecord& record : records_) ask_for_owed_report(record);
}

void RealDatanodes::ask_for_owed_report(DatanodeRecord& record) {
  if (!record.owes_report || !record.stores.empty() || !record.has_session) return;
  record.owes_report = false;
  tell(record, wire::TriggerBlockReport{});
}

void RealDatanodes::admit(NodeId node) {
  DatanodeRecord& record = record_of(node);
  if (record.takes_part) return;
  record.takes_part = true;
  if (!record.has_session) return;
  if (!record.usage || !record.has_reported) return order_to_register(record);
  inputs_.emplace_back(DatanodeRegistered{node});
  inputs_.emplace_back(DatanodeHeartbeat{node, *record.usage});
  record.questions.push_back({0, 0});
  inputs_.emplace_back(FullBlockReport{node, std::exchange(record.report, {})});
  record.questions.push_back({0, 0});
}

bool RealDatanodes::have_stored() const {
  if (!store_failure_.empty()) throw EnvironmentError(store_failure_);
  for (const DatanodeRecord& record : records_) {
    if (record.stores.empty()) continue;
    if (!is_connected(record)) {
      throw EnvironmentError(fmt::format(
          "the datanode of {} is silent, and has not stored its part of the input files",
          record.address.name));
    }
    return false;
  }
  return true;
}

void RealDatanodes::note_machine(NodeId node, const std::string& address) {
  wire::MachineAddress& machine = machines_[node.index()];
  if (machine.address == address) return;
  machine.address = address;
  for (DatanodeRecord& record : records_) {
    if (record.has_session) tell(record, wire::MachineNews{{machine}});
  }
}

void RealDatanodes::note_shuffle_server(NodeId node, std::uint16_t port) {
  DatanodeRecord& record = record_of(node);
  const wire::MachineAddress& machine = machines_[node.index()];
  if (port == 0 || machine.address.empty() || record.shuffle_port == port) return;
  record.shuffle_port = port;
  gate_.map_outputs().set_server(node, {machine.address, port, machine.rack});
}

// ---- rounds ----

std::vector<int> RealDatanodes::descriptors() const {
  return {gate_.descriptor(), orders_.descriptor()};
}

std::vector<StorageInput> RealDatanodes::take_inputs(std::size_t calls_max) {
  send_administration();
  std::vector<StorageInput> inputs = std::exchange(inputs_, {});
  for (StorageCalled& call : gate_.take_calls(calls_max)) inputs.emplace_back(std::move(call));
  return inputs;
}

void RealDatanodes::send_administration() {
  for (DatanodeOrderQueue::Waiting& waiting : orders_.take()) {
    const bool is_known = waiting.node.is_valid() && waiting.node.index() < records_.size();
    if (!is_known) {
      orders_.finish(waiting.number, Error{"the run has no such datanode"});
    } else if (!is_connected(record_of(waiting.node))) {
      orders_.finish(waiting.number, Error{"the datanode is not connected"});
    } else {
      administered_[waiting.number] = waiting.node;
      tell(record_of(waiting.node),
           wire::AdministrationOrder{waiting.number, std::move(waiting.order)});
    }
  }
}

// One that was under way may have been executed or not; to damage a replica twice is not to damage
// it, so none is sent again.
void RealDatanodes::fail_administration(NodeId node, const std::string& reason) {
  std::erase_if(administered_, [&](const auto& entry) {
    if (entry.second != node) return false;
    orders_.finish(entry.first, Error{reason});
    return true;
  });
}

void RealDatanodes::execute(const AnswerDatanode& command) {
  DatanodeRecord& record = record_of(command.node);
  TRACEBED_CHECK(!record.questions.empty(), "the namenode answers what a datanode has sent");
  const DatanodeQuestion question = record.questions.front();
  record.questions.pop_front();
  if (!record.has_session) return;
  // It has registered since.
  const bool is_of_before = question.session != 0 && question.session != record.session;
  visit_all(
      command.reply,
      [&](const HeartbeatReply& reply) {
        if (!reply.must_register) return send_orders(record, question.heartbeat, reply);
        if (!is_of_before) order_to_register(record);
      },
      [&](const ReportReply& reply) {
        if (reply.must_register && is_of_before) return;
        if (reply.must_register) return order_to_register(record);
        // Those that are left out are in the next report, and unknown again.
        wire::ReportAnswer answer{reply};
        if (answer.reply.unknown.size() > wire::replicas_max) {
          answer.reply.unknown.resize(wire::replicas_max);
        }
        tell(record, std::move(answer));
      });
}

void RealDatanodes::execute(const StoreReplicas& command) {
  DatanodeRecord& record = record_of(command.node);
  for (std::size_t begin = 0; begin < command.blocks.size(); begin += wire::replicas_max) {
    const std::size_t end = std::min(begin + wire::replicas_max, command.blocks.size());
    wire::StoreOrder order{++record.last_store,
                           {command.blocks.begin() + static_cast<std::ptrdiff_t>(begin),
                            command.blocks.begin() + static_cast<std::ptrdiff_t>(end)}};
    if (!command.datasets.empty()) {
      order.datasets.assign(command.datasets.begin() + static_cast<std::ptrdiff_t>(begin),
                            command.datasets.begin() + static_cast<std::ptrdiff_t>(end));
    }
    if (record.has_session) tell(record, order);
    record.stores.emplace(record.last_store, std::move(order));
  }
}

void RealDatanodes::execute(const AnswerStorageCall& command) {
  const auto found = callers_.find(command.ticket);
  if (found == callers_.end()) return gate_.answer(command);
  const Caller caller = found->second;
  callers_.erase(found);
  DatanodeRecord& record = record_of(caller.node);
  record.calls.erase(caller.number);
  if (!record.has_session) return;
  wire::DatanodeCallAnswer answer{caller.number, {}};
  const auto* failure = std::get_if<StorageFailure>(&command.reply);
  if (failure != nullptr) answer.failure = *failure;
  tell(record, std::move(answer));
}

void RealDatanodes::execute(const MapOutputReady& command) {
  gate_.map_outputs().add(command);
}

void RealDatanodes::execute(const RemoveMapOutputs& command) {
  gate_.map_outputs().remove(command.job);
}

// ---- the end ----

void RealDatanodes::announce_end(const std::string& reason) {
  is_over_ = true;
  orders_.close(reason);
  administered_.clear();
  for (DatanodeRecord& record : records_) {
    if (record.has_session) send(record, wire::Shutdown{reason});
  }
}

bool RealDatanodes::have_left() const {
  return std::none_of(records_.begin(), records_.end(),
                      [this](const DatanodeRecord& record) { return is_connected(record); });
}

void RealDatanodes::forget(NodeId node) {
  end_session(record_of(node), "its process has ended");
}

wire::TransferSums RealDatanodes::transfers(NodeId node) const {
  const DatanodeRecord& record = records_[node.index()];
  wire::TransferSums sums = record.transfers.total;
  const wire::TransferSums& before = record.transfers_before.total;
  sums.transfers += before.transfers;
  sums.errors += before.errors;
  for (std::size_t i = 0; i < wire::transfer_distances; ++i) {
    sums.bytes_read[i] += before.bytes_read[i];
    sums.bytes_written[i] += before.bytes_written[i];
  }
  return sums;
}

bool RealDatanodes::is_connected(NodeId node) const {
  return is_connected(records_[node.index()]);
}

bool RealDatanodes::is_connected(const DatanodeRecord& record) const {
  return record.has_session && listening_.now() < record.last_contact + options_.silence_max;
}

// ---- messages ----

// One that cannot be sent leaves a gap in the sequence, after which the datanode registers again.
void RealDatanodes::send(DatanodeRecord& record, wire::Body body) {
  const wire::Message message{{options_.run, options_.epoch, record.session, ++record.sent},
                              std::move(body)};
  if (!socket_.send(record.peer, encoder_.encode(message))) ++counters_.unsent;
}

void RealDatanodes::welcome(DatanodeRecord& record) {
  wire::DatanodeWelcome welcome;
  welcome.node = record.address.node;
  welcome.heartbeat_period = options_.heartbeat_period;
  welcome.report_period = options_.report_period;
  welcome.silence_max = options_.silence_max;
  welcome.namenode = options_.storage.namenode;
  welcome.store = options_.storage.datanodes.store;
  welcome.capacity = options_.storage.datanodes.capacity;
  welcome.socket_timeout = options_.storage.datanodes.socket_timeout;
  welcome.rates = options_.rates;
  for (const wire::MachineAddress& machine : machines_) {
    if (!machine.address.empty()) welcome.machines.push_back(machine);
  }
  tell(record, std::move(welcome));
  for (const auto& [number, order] : record.stores) tell(record, order);
}

// Split where one kind is more than a message holds.
void RealDatanodes::send_orders(DatanodeRecord& record, std::uint64_t heartbeat,
                                const HeartbeatReply& orders) {
  const auto part_of = [](const auto& list, std::size_t begin) {
    const std::size_t first = std::min(begin, list.size());
    const std::size_t last = std::min(begin + wire::orders_max, list.size());
    return std::vector(list.begin() + static_cast<std::ptrdiff_t>(first),
                       list.begin() + static_cast<std::ptrdiff_t>(last));
  };
  const std::size_t most =
      std::max({orders.transfers.size(), orders.deletions.size(), orders.recoveries.size()});
  for (std::size_t begin = 0; begin == 0 || begin < most; begin += wire::orders_max) {
    wire::DatanodeOrders message;
    message.heartbeat = heartbeat;
    message.orders.transfers = part_of(orders.transfers, begin);
    message.orders.deletions = part_of(orders.deletions, begin);
    message.orders.recoveries = part_of(orders.recoveries, begin);
    add_addresses(message);
    tell(record, std::move(message));
  }
}

void RealDatanodes::add_addresses(wire::DatanodeOrders& message) const {
  std::set<NodeId> nodes;
  for (const TransferOrder& order : message.orders.transfers) {
    nodes.insert(order.targets.begin(), order.targets.end());
  }
  for (const RecoveryOrder& order : message.orders.recoveries) {
    nodes.insert(order.nodes.begin(), order.nodes.end());
  }
  for (const NodeId node : nodes) {
    const wire::DatanodeAddress& address = records_[node.index()].address;
    if (address.transfer_port != 0) message.addresses.push_back(address);
  }
}

}  // namespace tracebed
