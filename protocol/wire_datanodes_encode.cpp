#include <algorithm>
#include <span>

#include "core/check.h"
#include "protocol/wire_datanodes_codec.h"
#include "protocol/wire_parts.h"
#include "protocol/wire_replica_rows.h"

namespace tracebed::wire {
namespace {

using Builder = flatbuffers::FlatBufferBuilder;
using Offset = flatbuffers::Offset<void>;

void check_size(std::size_t size, std::size_t size_max) {
  TRACEBED_CHECK(size <= size_max, "a message of a datanode keeps to its bounds");
}

// A sentence is worth having without its tail.
auto cut_text(Builder& builder, std::string_view words) {
  const std::string_view cut = words.substr(0, text_bytes_max);
  return builder.CreateString(cut.data(), cut.size());
}

template <class Replicas>
auto packed(Builder& builder, const Replicas& replicas) {
  check_size(replicas.size(), replicas_max);
  log::RowPacker<ReplicaRow> packer;
  for (const auto& replica : replicas) packer.add(to_row(replica));
  return builder.CreateVector(packer.bytes().data(), packer.bytes().size());
}

auto node_ids(Builder& builder, const std::vector<NodeId>& nodes) {
  check_size(nodes.size(), order_targets_max);
  std::uint32_t* values = nullptr;
  const auto vector = builder.CreateUninitializedVector(nodes.size(), &values);
  std::transform(nodes.begin(), nodes.end(), values, [](NodeId node) { return node.value(); });
  return vector;
}

fb::Block block_of(const BlockName& block) {
  return {block.id, block.length, block.generation_stamp};
}

fb::TransferSums sums_of(const TransferSums& sums) {
  return fb::TransferSums(sums.transfers, sums.errors, flatbuffers::make_span(sums.bytes_read),
                          flatbuffers::make_span(sums.bytes_written));
}

auto transfer_report(Builder& builder, const TransferReport& report) {
  check_size(report.clients.size(), transfer_clients_max);
  std::vector<flatbuffers::Offset<fb::ClientTransferSums>> clients;
  for (const ClientTransferSums& client : report.clients) {
    const auto name = builder.CreateString(client.client);
    const fb::TransferSums sums = sums_of(client.sums);
    clients.push_back(fb::CreateClientTransferSums(builder, name, &sums));
  }
  const auto list = builder.CreateVector(clients);
  const fb::TransferSums total = sums_of(report.total);
  return fb::CreateTransferReport(builder, &total, list);
}

auto machine_list(Builder& builder, const std::vector<MachineAddress>& machines) {
  check_size(machines.size(), machines_max);
  std::vector<flatbuffers::Offset<fb::MachineAddress>> list;
  for (const MachineAddress& machine : machines) {
    const auto address = builder.CreateString(machine.address);
    const auto rack = builder.CreateSharedString(machine.rack);
    list.push_back(fb::CreateMachineAddress(builder, address, rack));
  }
  return builder.CreateVector(list);
}

// ---- from datanodes ----

Offset part(Builder& builder, const DatanodeHello& hello) {
  const auto agent = builder.CreateString(hello.agent);
  const auto address = builder.CreateString(hello.address);
  const auto software = builder.CreateString(hello.software);
  const auto host = builder.CreateString(hello.host);
  return fb::CreateDatanodeHello(builder, hello.protocol_version, agent, address,
                                 hello.transfer_port, hello.http_port, software, host)
      .Union();
}

Offset part(Builder& builder, const DatanodeBeat& beat) {
  flatbuffers::Offset<fb::TransferReport> transfers;
  if (beat.transfers) transfers = transfer_report(builder, *beat.transfers);
  return fb::CreateDatanodeBeat(builder, beat.usage.capacity, beat.usage.used, beat.usage.remaining,
                                beat.usage.transfers, transfers)
      .Union();
}

Offset part(Builder& builder, const BlockReportPart& report) {
  const auto rows = packed(builder, report.replicas);
  return fb::CreateBlockReportPart(builder, report.part, report.is_last,
                                   static_cast<std::uint32_t>(report.replicas.size()), rows)
      .Union();
}

Offset part(Builder& builder, const IncrementalReport& report) {
  const auto rows = packed(builder, report.changes);
  return fb::CreateIncrementalReport(builder, static_cast<std::uint32_t>(report.changes.size()),
                                     rows)
      .Union();
}

Offset part(Builder& builder, const ReportBadBlocks& call) {
  check_size(call.blocks.size(), call_blocks_max);
  std::vector<flatbuffers::Offset<fb::BadReplicas>> blocks;
  for (const auto& [name, nodes] : call.blocks) {
    const auto list = node_ids(builder, nodes);
    const fb::Block block = block_of(name);
    blocks.push_back(fb::CreateBadReplicas(builder, &block, list));
  }
  return fb::CreateReportBadBlocks(builder, builder.CreateVector(blocks)).Union();
}

Offset part(Builder& builder, const CommitBlockSynchronization& call) {
  const auto nodes = node_ids(builder, call.nodes);
  const fb::Block block = block_of(call.block);
  return fb::CreateCommitBlockSynchronization(builder, &block, call.new_generation_stamp,
                                              call.new_length, call.closes_file, call.deletes_block,
                                              nodes)
      .Union();
}

Offset part(Builder& builder, const DatanodeCall& call) {
  const Offset content = std::visit([&](const auto& c) { return part(builder, c); }, call.call);
  const auto tag = static_cast<fb::DatanodeCallBody>(call.call.index() + 1);
  return fb::CreateDatanodeCall(builder, call.number, tag, content).Union();
}

Offset part(Builder& builder, const StoreAnswer& answer) {
  return fb::CreateStoreAnswer(builder, answer.number, cut_text(builder, answer.failure)).Union();
}

Offset part(Builder& builder, const AdministrationAnswer& answer) {
  return fb::CreateAdministrationAnswer(builder, answer.number, cut_text(builder, answer.failure))
      .Union();
}

Offset part(Builder& builder, const DatanodeGoodbye& goodbye) {
  const auto reason = cut_text(builder, goodbye.reason);
  return fb::CreateDatanodeGoodbye(builder, reason, transfer_report(builder, goodbye.transfers))
      .Union();
}

// ---- to datanodes ----

Offset part(Builder& builder, const DatanodeWelcome& welcome) {
  const auto namenode = builder.CreateString(welcome.namenode);
  const auto machines = machine_list(builder, welcome.machines);
  const auto rates = rates_table(builder, welcome.rates);
  return fb::CreateDatanodeWelcome(builder, welcome.protocol_version, welcome.node.value(),
                                   welcome.heartbeat_period.count(), welcome.report_period.count(),
                                   welcome.silence_max.count(), namenode, machines,
                                   static_cast<std::uint8_t>(welcome.store), welcome.capacity,
                                   rates, welcome.socket_timeout.count())
      .Union();
}

Offset part(Builder& builder, const MachineNews& news) {
  return fb::CreateMachineNews(builder, machine_list(builder, news.machines)).Union();
}

auto address_list(Builder& builder, const std::vector<DatanodeAddress>& addresses) {
  check_size(addresses.size(), addresses_max);
  std::vector<flatbuffers::Offset<fb::DatanodeAddress>> list;
  for (const DatanodeAddress& address : addresses) {
    const auto name = builder.CreateString(address.name);
    const auto text = builder.CreateString(address.address);
    const auto rack = builder.CreateString(address.rack);
    list.push_back(fb::CreateDatanodeAddress(builder, address.node.value(), name, text, rack,
                                             address.transfer_port, address.http_port));
  }
  return builder.CreateVector(list);
}

Offset part(Builder& builder, const DatanodeOrders& message) {
  const HeartbeatReply& orders = message.orders;
  check_size(orders.transfers.size(), orders_max);
  check_size(orders.deletions.size(), orders_max);
  check_size(orders.recoveries.size(), orders_max);
  std::vector<flatbuffers::Offset<fb::TransferOrder>> transfers;
  for (const TransferOrder& order : orders.transfers) {
    const auto targets = node_ids(builder, order.targets);
    const fb::Block block = block_of(order.block);
    transfers.push_back(fb::CreateTransferOrder(builder, &block, targets));
  }
  std::vector<fb::DeletionOrder> deletions;
  for (const DeletionOrder& order : orders.deletions) {
    deletions.emplace_back(order.block_id, order.generation_stamp);
  }
  std::vector<flatbuffers::Offset<fb::RecoveryOrder>> recoveries;
  for (const RecoveryOrder& order : orders.recoveries) {
    const auto nodes = node_ids(builder, order.nodes);
    const fb::Block block = block_of(order.block);
    recoveries.push_back(fb::CreateRecoveryOrder(builder, &block, order.new_generation_stamp, nodes,
                                                 order.truncated_length.value_or(-1)));
  }
  const auto transfer_list = builder.CreateVector(transfers);
  const auto deletion_list = builder.CreateVectorOfStructs(deletions);
  const auto recovery_list = builder.CreateVector(recoveries);
  return fb::CreateDatanodeOrders(builder, message.heartbeat, orders.must_register, transfer_list,
                                  deletion_list, recovery_list,
                                  address_list(builder, message.addresses))
      .Union();
}

Offset part(Builder& builder, const ReportAnswer& answer) {
  check_size(answer.reply.unknown.size(), replicas_max);
  return fb::CreateReportAnswer(builder, answer.reply.must_register,
                                builder.CreateVector(answer.reply.unknown))
      .Union();
}

Offset part(Builder& builder, const TriggerBlockReport&) {
  return fb::CreateTriggerBlockReport(builder).Union();
}

Offset part(Builder& builder, const DatanodeCallAnswer& answer) {
  const StorageFailure failure = answer.failure.value_or(StorageFailure{});
  return fb::CreateDatanodeCallAnswer(builder, answer.number, answer.failure.has_value(),
                                      static_cast<std::uint8_t>(failure.kind),
                                      cut_text(builder, failure.message))
      .Union();
}

Offset part(Builder& builder, const StoreOrder& order) {
  const auto rows = packed(builder, order.blocks);
  std::vector<std::uint64_t> words;
  for (const BlockDataset& dataset : order.datasets) {
    words.insert(words.end(), {dataset.kernel, dataset.seed, dataset.offset});
  }
  const auto datasets = words.empty() ? flatbuffers::Offset<flatbuffers::Vector<std::uint64_t>>()
                                      : builder.CreateVector(words);
  return fb::CreateStoreOrder(builder, order.number,
                              static_cast<std::uint32_t>(order.blocks.size()), rows, datasets)
      .Union();
}

Offset part(Builder& builder, const SetDatanodeRates& rates) {
  return rates_table(builder, rates).Union();
}

Offset part(Builder& builder, const CorruptReplica& damage) {
  return fb::CreateCorruptReplica(builder, damage.block_id, damage.offset, damage.bytes).Union();
}

Offset part(Builder& builder, const StopDatanode&) {
  return fb::CreateStopDatanode(builder).Union();
}

Offset part(Builder& builder, const AdministrationOrder& order) {
  const Offset content = std::visit([&](const auto& w) { return part(builder, w); }, order.what);
  const auto tag = static_cast<fb::DatanodeOrder>(order.what.index() + 1);
  return fb::CreateAdministrationOrder(builder, order.number, tag, content).Union();
}

// The unions' tags stand in the order of the variants' alternatives, after NONE.
static_assert(static_cast<std::size_t>(fb::FromDatanodeBody::DatanodeGoodbye) ==
              std::variant_size_v<FromDatanode>);
static_assert(static_cast<std::size_t>(fb::ToDatanodeBody::AdministrationOrder) ==
              std::variant_size_v<ToDatanode>);
static_assert(static_cast<std::size_t>(fb::DatanodeOrder::StopDatanode) ==
              std::variant_size_v<DatanodeOrder>);

}  // namespace

Offset body(Builder& builder, const FromDatanode& from) {
  const Offset content = std::visit([&](const auto& b) { return part(builder, b); }, from);
  const auto tag = static_cast<fb::FromDatanodeBody>(from.index() + 1);
  return fb::CreateFromDatanode(builder, tag, content).Union();
}

Offset body(Builder& builder, const ToDatanode& to) {
  const Offset content = std::visit([&](const auto& b) { return part(builder, b); }, to);
  const auto tag = static_cast<fb::ToDatanodeBody>(to.index() + 1);
  return fb::CreateToDatanode(builder, tag, content).Union();
}

}  // namespace tracebed::wire
