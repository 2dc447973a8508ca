#include <algorithm>
#include <limits>

#include "core/datanode_options.h"
#include "protocol/wire_datanodes_codec.h"
#include "protocol/wire_replica_rows.h"

namespace tracebed::wire {
namespace {

std::vector<NodeId> read_nodes(Reader& reader, const flatbuffers::Vector<std::uint32_t>& values,
                               std::string_view field) {
  std::vector<NodeId> nodes;
  if (!reader.list(&values, order_targets_max, field)) return nodes;
  nodes.reserve(values.size());
  for (const std::uint32_t value : values) nodes.push_back(reader.id<NodeId>(value, field));
  return nodes;
}

std::int64_t read_length(Reader& reader, std::int64_t length, std::string_view field) {
  reader.require(length >= 0 && length <= replica_bytes_max, field);
  return length;
}

BlockName read_block(Reader& reader, const fb::Block& block) {
  return {block.id(), block.generation_stamp(),
          read_length(reader, block.length(), "block.length")};
}

std::uint64_t read_number(Reader& reader, std::uint64_t number) {
  reader.require(number > 0, "number");
  return number;
}

TransferSums read_sums(const fb::TransferSums& sums) {
  TransferSums result{sums.transfers(), sums.errors(), {}, {}};
  for (flatbuffers::uoffset_t i = 0; i < transfer_distances; ++i) {
    result.bytes_read[i] = sums.bytes_read()->Get(i);
    result.bytes_written[i] = sums.bytes_written()->Get(i);
  }
  return result;
}

TransferReport read_transfers(Reader& reader, const fb::TransferReport& report) {
  TransferReport result;
  result.total = read_sums(*report.total());
  if (!reader.list(report.clients(), transfer_clients_max, "transfers.clients")) return result;
  for (const fb::ClientTransferSums* client : *report.clients()) {
    reader.require(client->client()->size() <= client_name_bytes_max, "transfers.client");
    if (!reader.ok()) return result;
    result.clients.push_back({client->client()->str(), read_sums(*client->sums())});
  }
  return result;
}

std::vector<MachineAddress> read_machines(
    Reader& reader, const flatbuffers::Vector<flatbuffers::Offset<fb::MachineAddress>>& list) {
  std::vector<MachineAddress> machines;
  if (!reader.list(&list, machines_max, "machines")) return machines;
  machines.reserve(list.size());
  for (const fb::MachineAddress* machine : list) {
    machines.push_back({reader.name(machine->address(), "machine.address"),
                        reader.name(machine->rack(), "machine.rack")});
  }
  return machines;
}

// ---- from datanodes ----

FromDatanode read_part(Reader& reader, const fb::DatanodeHello& hello) {
  DatanodeHello result;
  result.protocol_version = hello.protocol_version();
  result.agent = reader.name(hello.agent(), "agent");
  result.software = reader.name(hello.software(), "software");
  // Of another version, only what is needed to refuse it in words.
  if (result.protocol_version != protocol_version) return result;
  result.address = reader.name(hello.address(), "address");
  reader.require(hello.transfer_port() > 0, "transfer_port");
  result.transfer_port = hello.transfer_port();
  result.http_port = hello.http_port();
  result.host = reader.name(hello.host(), "host");
  return result;
}

FromDatanode read_part(Reader& reader, const fb::DatanodeBeat& beat) {
  DatanodeBeat result;
  result.usage.capacity = reader.amount(beat.capacity(), "capacity");
  result.usage.used = reader.amount(beat.used(), "used");
  result.usage.remaining = reader.amount(beat.remaining(), "remaining");
  result.usage.transfers = beat.active_transfers();
  if (beat.transfers() != nullptr) result.transfers = read_transfers(reader, *beat.transfers());
  return result;
}

FromDatanode read_part(Reader& reader, const fb::BlockReportPart& report) {
  BlockReportPart result;
  result.part = report.part();
  result.is_last = report.is_last();
  const auto rows = read_replica_rows(reader, *report.rows(), report.count(), deleted_row - 1);
  result.replicas.reserve(rows.size());
  for (const ReplicaRow& row : rows) result.replicas.push_back(to_replica(row));
  return result;
}

FromDatanode read_part(Reader& reader, const fb::IncrementalReport& report) {
  IncrementalReport result;
  const auto rows = read_replica_rows(reader, *report.rows(), report.count(), deleted_row);
  result.changes.reserve(rows.size());
  for (const ReplicaRow& row : rows) {
    result.changes.push_back({to_replica(row), row.state == deleted_row});
  }
  return result;
}

ReportBadBlocks read_call(Reader& reader, const fb::ReportBadBlocks& call) {
  ReportBadBlocks result;
  if (!reader.list(call.blocks(), call_blocks_max, "blocks")) return result;
  for (const fb::BadReplicas* bad : *call.blocks()) {
    result.blocks.push_back(
        {read_block(reader, *bad->block()), read_nodes(reader, *bad->nodes(), "block.nodes")});
  }
  return result;
}

CommitBlockSynchronization read_call(Reader& reader, const fb::CommitBlockSynchronization& call) {
  CommitBlockSynchronization result;
  result.block = read_block(reader, *call.block());
  result.new_generation_stamp = call.new_generation_stamp();
  result.new_length = read_length(reader, call.new_length(), "new_length");
  result.closes_file = call.closes_file();
  result.deletes_block = call.deletes_block();
  result.nodes = read_nodes(reader, *call.nodes(), "nodes");
  return result;
}

FromDatanode read_part(Reader& reader, const fb::DatanodeCall& call) {
  DatanodeCall result;
  result.number = read_number(reader, call.number());
  switch (call.call_type()) {
    case fb::DatanodeCallBody::ReportBadBlocks:
      result.call = read_call(reader, *call.call_as_ReportBadBlocks());
      break;
    case fb::DatanodeCallBody::CommitBlockSynchronization:
      result.call = read_call(reader, *call.call_as_CommitBlockSynchronization());
      break;
    case fb::DatanodeCallBody::NONE:
      reader.require(false, "the kind of call");
      break;
  }
  return result;
}

FromDatanode read_part(Reader& reader, const fb::StoreAnswer& answer) {
  return StoreAnswer{read_number(reader, answer.number()),
                     reader.text(answer.failure(), "failure")};
}

FromDatanode read_part(Reader& reader, const fb::AdministrationAnswer& answer) {
  return AdministrationAnswer{read_number(reader, answer.number()),
                              reader.text(answer.failure(), "failure")};
}

FromDatanode read_part(Reader& reader, const fb::DatanodeGoodbye& goodbye) {
  return DatanodeGoodbye{reader.text(goodbye.reason(), "reason"),
                         read_transfers(reader, *goodbye.transfers())};
}

FromDatanode read_from(Reader& reader, const fb::FromDatanode& from) {
  switch (from.body_type()) {
    case fb::FromDatanodeBody::DatanodeHello:
      return read_part(reader, *from.body_as_DatanodeHello());
    case fb::FromDatanodeBody::DatanodeBeat:
      return read_part(reader, *from.body_as_DatanodeBeat());
    case fb::FromDatanodeBody::BlockReportPart:
      return read_part(reader, *from.body_as_BlockReportPart());
    case fb::FromDatanodeBody::IncrementalReport:
      return read_part(reader, *from.body_as_IncrementalReport());
    case fb::FromDatanodeBody::DatanodeCall:
      return read_part(reader, *from.body_as_DatanodeCall());
    case fb::FromDatanodeBody::StoreAnswer:
      return read_part(reader, *from.body_as_StoreAnswer());
    case fb::FromDatanodeBody::AdministrationAnswer:
      return read_part(reader, *from.body_as_AdministrationAnswer());
    case fb::FromDatanodeBody::DatanodeGoodbye:
      return read_part(reader, *from.body_as_DatanodeGoodbye());
    case fb::FromDatanodeBody::NONE:
      break;
  }
  reader.require(false, "the kind of message");
  return DatanodeGoodbye{};
}

// ---- to datanodes ----

ToDatanode read_part(Reader& reader, const fb::DatanodeWelcome& welcome) {
  DatanodeWelcome result;
  result.protocol_version = welcome.protocol_version();
  result.node = NodeId(welcome.node());
  result.heartbeat_period = reader.duration(welcome.heartbeat_period_ns(), "heartbeat_period");
  reader.require(result.heartbeat_period > WallDuration::zero(), "heartbeat_period");
  result.report_period = reader.duration(welcome.report_period_ns(), "report_period");
  result.silence_max = reader.duration(welcome.silence_max_ns(), "silence_max");
  reader.require(result.silence_max > WallDuration::zero(), "silence_max");
  result.namenode = reader.name(welcome.namenode(), "namenode");
  result.machines = read_machines(reader, *welcome.machines());
  reader.require(welcome.store() <= static_cast<std::uint8_t>(ReplicaStoreKind::disk), "store");
  if (reader.ok()) result.store = static_cast<ReplicaStoreKind>(welcome.store());
  result.capacity = reader.amount(welcome.capacity(), "capacity");
  result.rates = reader.rates(*welcome.rates());
  reader.require(welcome.socket_timeout_ms() > 0 &&
                     welcome.socket_timeout_ms() <= datanode_socket_timeout_max.count(),
                 "socket_timeout");
  result.socket_timeout = std::chrono::milliseconds(welcome.socket_timeout_ms());
  return result;
}

ToDatanode read_part(Reader& reader, const fb::MachineNews& news) {
  return MachineNews{read_machines(reader, *news.machines())};
}

DatanodeAddress read_address(Reader& reader, const fb::DatanodeAddress& address) {
  reader.require(address.transfer_port() > 0, "address.transfer_port");
  return {reader.id<NodeId>(address.node(), "address.node"),
          reader.name(address.name(), "address.name"),
          reader.name(address.address(), "address.address"),
          reader.name(address.rack(), "address.rack"),
          address.transfer_port(),
          address.http_port()};
}

RecoveryOrder read_recovery(Reader& reader, const fb::RecoveryOrder& order) {
  RecoveryOrder result{read_block(reader, *order.block()),
                       order.new_generation_stamp(),
                       read_nodes(reader, *order.nodes(), "recovery.nodes"),
                       {}};
  if (order.truncated_length() == -1) return result;
  result.truncated_length = read_length(reader, order.truncated_length(), "truncated_length");
  return result;
}

ToDatanode read_part(Reader& reader, const fb::DatanodeOrders& message) {
  DatanodeOrders result;
  result.heartbeat = message.heartbeat();
  HeartbeatReply& orders = result.orders;
  orders.must_register = message.must_register();
  if (reader.list(message.transfers(), orders_max, "transfers")) {
    for (const fb::TransferOrder* order : *message.transfers()) {
      orders.transfers.push_back({read_block(reader, *order->block()),
                                  read_nodes(reader, *order->targets(), "transfer.targets")});
    }
  }
  if (reader.list(message.deletions(), orders_max, "deletions")) {
    for (const fb::DeletionOrder* order : *message.deletions()) {
      orders.deletions.push_back({order->block_id(), order->generation_stamp()});
    }
  }
  if (reader.list(message.recoveries(), orders_max, "recoveries")) {
    for (const fb::RecoveryOrder* order : *message.recoveries()) {
      orders.recoveries.push_back(read_recovery(reader, *order));
    }
  }
  if (reader.list(message.addresses(), addresses_max, "addresses")) {
    for (const fb::DatanodeAddress* address : *message.addresses()) {
      result.addresses.push_back(read_address(reader, *address));
    }
  }
  return result;
}

ToDatanode read_part(Reader& reader, const fb::ReportAnswer& answer) {
  ReportAnswer result;
  result.reply.must_register = answer.must_register();
  if (!reader.list(answer.unknown(), replicas_max, "unknown")) return result;
  result.reply.unknown.assign(answer.unknown()->begin(), answer.unknown()->end());
  return result;
}

ToDatanode read_part(Reader& reader, const fb::DatanodeCallAnswer& answer) {
  DatanodeCallAnswer result;
  result.number = read_number(reader, answer.number());
  reader.require(answer.kind() <= static_cast<std::uint8_t>(StorageFailureKind::io), "kind");
  std::string message = reader.text(answer.message(), "message");
  reader.require(answer.has_failed() || message.empty(), "message");
  if (!answer.has_failed() || !reader.ok()) return result;
  result.failure = {static_cast<StorageFailureKind>(answer.kind()), std::move(message)};
  return result;
}

std::vector<BlockDataset> read_datasets(Reader& reader, const fb::StoreOrder& order,
                                        const std::vector<BlockName>& blocks) {
  constexpr std::uint32_t words_of_one = 3;
  const auto& words = *order.datasets();
  std::vector<BlockDataset> datasets;
  if (words.size() != words_of_one * blocks.size()) {
    reader.require(false, "datasets");
    return datasets;
  }
  for (std::uint32_t i = 0; i < words.size(); i += words_of_one) {
    const auto length = static_cast<std::uint64_t>(blocks[i / words_of_one].length);
    const bool is_of_kernel = is_kernel(words[i]);
    const auto end_max =
        is_of_kernel
            ? static_cast<std::uint64_t>(kernel_input_bytes_max(static_cast<KernelKind>(words[i])))
            : static_cast<std::uint64_t>(task_amount_max);
    reader.require((words[i] == 0 || is_of_kernel) &&
                       words[i + 1] <= static_cast<std::uint64_t>(task_amount_max) &&
                       words[i + 2] <= end_max &&
                       (words[i] == 0 || length <= end_max - words[i + 2]),
                   "a dataset");
    datasets.push_back({static_cast<std::uint8_t>(words[i]), words[i + 1], words[i + 2]});
  }
  return datasets;
}

ToDatanode read_part(Reader& reader, const fb::StoreOrder& order) {
  StoreOrder result;
  result.number = read_number(reader, order.number());
  const auto rows = read_replica_rows(reader, *order.rows(), order.count(), 0);
  result.blocks.reserve(rows.size());
  for (const ReplicaRow& row : rows) result.blocks.push_back(to_block(row));
  if (order.datasets() != nullptr) result.datasets = read_datasets(reader, order, result.blocks);
  return result;
}

ToDatanode read_part(Reader& reader, const fb::AdministrationOrder& order) {
  AdministrationOrder result;
  result.number = read_number(reader, order.number());
  switch (order.what_type()) {
    case fb::DatanodeOrder::SetDatanodeRates:
      result.what = reader.rates(*order.what_as_SetDatanodeRates());
      break;
    case fb::DatanodeOrder::CorruptReplica: {
      const fb::CorruptReplica& damage = *order.what_as_CorruptReplica();
      constexpr auto bytes_max = static_cast<std::uint64_t>(replica_bytes_max);
      reader.require(damage.offset() <= bytes_max && damage.bytes() <= bytes_max, "damage");
      result.what = CorruptReplica{damage.block_id(), damage.offset(), damage.bytes()};
      break;
    }
    case fb::DatanodeOrder::StopDatanode:
      result.what = StopDatanode{};
      break;
    case fb::DatanodeOrder::NONE:
      reader.require(false, "the kind of order");
      break;
  }
  return result;
}

ToDatanode read_to(Reader& reader, const fb::ToDatanode& to) {
  switch (to.body_type()) {
    case fb::ToDatanodeBody::DatanodeWelcome:
      return read_part(reader, *to.body_as_DatanodeWelcome());
    case fb::ToDatanodeBody::MachineNews:
      return read_part(reader, *to.body_as_MachineNews());
    case fb::ToDatanodeBody::DatanodeOrders:
      return read_part(reader, *to.body_as_DatanodeOrders());
    case fb::ToDatanodeBody::ReportAnswer:
      return read_part(reader, *to.body_as_ReportAnswer());
    case fb::ToDatanodeBody::TriggerBlockReport:
      return TriggerBlockReport{};
    case fb::ToDatanodeBody::DatanodeCallAnswer:
      return read_part(reader, *to.body_as_DatanodeCallAnswer());
    case fb::ToDatanodeBody::StoreOrder:
      return read_part(reader, *to.body_as_StoreOrder());
    case fb::ToDatanodeBody::AdministrationOrder:
      return read_part(reader, *to.body_as_AdministrationOrder());
    case fb::ToDatanodeBody::NONE:
      break;
  }
  reader.require(false, "the kind of message");
  return TriggerBlockReport{};
}

}  // namespace

Body read(Reader& reader, const fb::FromDatanode& from) {
  return read_from(reader, from);
}

Body read(Reader& reader, const fb::ToDatanode& to) {
  return read_to(reader, to);
}

}  // namespace tracebed::wire
