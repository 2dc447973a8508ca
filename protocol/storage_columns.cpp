#include "protocol/storage_columns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "storage_inputs_generated.h"

namespace tracebed::log {
namespace {

using Column = flatbuffers::Vector<std::uint8_t>;

constexpr auto state_max = static_cast<std::int64_t>(ReportedState::waiting_to_be_recovered);

ReplicaRow row_of(const ReportedReplica& replica) {
  return {std::bit_cast<std::int64_t>(replica.block_id), replica.generation_stamp, replica.length,
          static_cast<std::int64_t>(replica.state)};
}

ReportedReplica replica_of(const ReplicaRow& row) {
  return {std::bit_cast<std::uint64_t>(row.block_id),
          static_cast<std::uint32_t>(row.generation_stamp), row.length,
          static_cast<ReportedState>(row.state)};
}

NodeId node_of(std::int64_t number) {
  return NodeId(static_cast<std::uint32_t>(number));
}

bool is_sound(const DatanodeRow& row) {
  return is_word(row.node);
}
bool is_sound(const UsageRow& row) {
  return is_word(row.node) && is_word(row.transfers);
}
bool is_sound(const ReportRow& row) {
  return is_word(row.node) && is_word(row.replicas);
}
bool is_sound(const ReplicaRow& row) {
  return is_word(row.generation_stamp) && row.state >= 0 && row.state <= state_max;
}
bool is_sound(const ChangeRow& row) {
  return is_sound(row.replica) && (row.is_deleted == 0 || row.is_deleted == 1);
}

template <class Row>
bool all_sound(const std::vector<Row>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const Row& row) { return is_sound(row); });
}

std::uint64_t replicas_of(const std::vector<ReportRow>& reports) {
  std::uint64_t sum = 0;
  for (const ReportRow& row : reports) sum += static_cast<std::uint64_t>(row.replicas);
  return sum;
}

std::span<const std::uint8_t> bytes_of(const Column& column) {
  return {column.data(), column.size()};
}

template <class Row>
bool unpack_column(const Column& column, std::vector<Row>& rows) {
  rows.clear();
  return unpack_rows(bytes_of(column), rows);
}

template <class Value>
bool read_values(const fb::StorageValues& values, std::vector<Value>& list) {
  list.clear();
  std::vector<ValueRow> numbers;
  if (!unpack_rows(bytes_of(*values.numbers()), numbers)) return false;
  ValueReader reader(numbers, bytes_of(*values.text()));
  while (reader.is_sound() && !reader.is_at_end()) reader.read(list.emplace_back());
  return reader.is_sound();
}

}  // namespace

void StorageInputWriter::add(const DatanodeRegistered& input) {
  registered_.add({input.node.value()});
}

void StorageInputWriter::add(const DatanodeGone& input) {
  gone_.add({input.node.value()});
}

void StorageInputWriter::add(const DatanodeHeartbeat& input) {
  const DatanodeUsage& usage = input.usage;
  heartbeats_.add(
      {input.node.value(), usage.capacity, usage.used, usage.remaining, usage.transfers});
}

void StorageInputWriter::add(const FullBlockReport& input) {
  full_reports_.add({input.node.value(), static_cast<std::int64_t>(input.replicas.size())});
  for (const ReportedReplica& replica : input.replicas) replicas_.add(row_of(replica));
}

void StorageInputWriter::add(const IncrementalBlockReport& input) {
  incremental_reports_.add({input.node.value(), static_cast<std::int64_t>(input.changes.size())});
  for (const ReplicaChange& change : input.changes) {
    changes_.add({row_of(change.replica), change.is_deleted ? 1 : 0});
  }
}

std::size_t StorageInputWriter::bytes() const {
  return registered_.bytes().size() + gone_.bytes().size() + heartbeats_.bytes().size() +
         full_reports_.bytes().size() + replicas_.bytes().size() +
         incremental_reports_.bytes().size() + changes_.bytes().size() + calls_.bytes() +
         files_.bytes();
}

flatbuffers::Offset<fb::StorageInputs> StorageInputWriter::finish(
    flatbuffers::FlatBufferBuilder& builder) const {
  const auto column = [&](const auto& bytes) {
    return builder.CreateVector(bytes.data(), bytes.size());
  };
  const auto values = [&](const ValueWriter& writer) {
    const auto numbers = column(writer.numbers());
    const auto text = column(writer.text());
    return fb::CreateStorageValues(builder, numbers, text);
  };
  const auto registered = column(registered_.bytes());
  const auto gone = column(gone_.bytes());
  const auto heartbeats = column(heartbeats_.bytes());
  const auto full_reports = column(full_reports_.bytes());
  const auto replicas = column(replicas_.bytes());
  const auto incremental_reports = column(incremental_reports_.bytes());
  const auto changes = column(changes_.bytes());
  const auto calls = values(calls_);
  const auto files = values(files_);
  return fb::CreateStorageInputs(builder, registered, gone, heartbeats, full_reports, replicas,
                                 incremental_reports, changes, calls, files);
}

void StorageInputWriter::clear() {
  registered_.clear();
  gone_.clear();
  heartbeats_.clear();
  full_reports_.clear();
  replicas_.clear();
  incremental_reports_.clear();
  changes_.clear();
  calls_.clear();
  files_.clear();
}

Status StorageInputReader::load(const fb::StorageInputs& inputs) {
  *this = StorageInputReader();
  if (Status unpacked = unpack(inputs); !unpacked) return unpacked;
  return verify();
}

Status StorageInputReader::unpack(const fb::StorageInputs& inputs) {
  const bool are_whole = unpack_column(*inputs.registered(), registered_) &&
                         unpack_column(*inputs.gone(), gone_) &&
                         unpack_column(*inputs.heartbeats(), heartbeats_) &&
                         unpack_column(*inputs.full_reports(), full_reports_) &&
                         unpack_column(*inputs.replicas(), replicas_) &&
                         unpack_column(*inputs.incremental_reports(), incremental_reports_) &&
                         unpack_column(*inputs.changes(), changes_);
  if (!are_whole) return Error{"whole rows in its packed columns"};
  if (!read_values(*inputs.calls(), calls_) || !read_values(*inputs.files(), files_)) {
    return Error{"whole calls and files of the run's storage"};
  }
  return success();
}

Status StorageInputReader::verify() const {
  const bool are_all_sound = all_sound(registered_) && all_sound(gone_) && all_sound(heartbeats_) &&
                             all_sound(full_reports_) && all_sound(replicas_) &&
                             all_sound(incremental_reports_) && all_sound(changes_);
  if (!are_all_sound) return Error{"datanodes' messages whose numbers are in their ranges"};
  const bool has_all = replicas_of(full_reports_) == replicas_.size() &&
                       replicas_of(incremental_reports_) == changes_.size();
  if (!has_all) return Error{"as many replicas as its block reports count"};
  return success();
}

StorageInputReader::Counts StorageInputReader::counts() const {
  return {registered_.size(),          gone_.size(),  heartbeats_.size(), full_reports_.size(),
          incremental_reports_.size(), calls_.size(), files_.size()};
}

DatanodeRegistered StorageInputReader::take_registered() {
  return {node_of(registered_[next_.registered++].node)};
}

DatanodeGone StorageInputReader::take_gone() {
  return {node_of(gone_[next_.gone++].node)};
}

DatanodeHeartbeat StorageInputReader::take_heartbeat() {
  const UsageRow& row = heartbeats_[next_.heartbeats++];
  return {node_of(row.node),
          {row.capacity, row.used, row.remaining, static_cast<std::uint32_t>(row.transfers)}};
}

FullBlockReport StorageInputReader::take_full_report() {
  const ReportRow& row = full_reports_[next_.full_reports++];
  FullBlockReport report{.node = node_of(row.node), .replicas = {}};
  report.replicas.reserve(static_cast<std::size_t>(row.replicas));
  for (std::int64_t i = 0; i < row.replicas; ++i) {
    report.replicas.push_back(replica_of(replicas_[next_replica_++]));
  }
  return report;
}

IncrementalBlockReport StorageInputReader::take_incremental_report() {
  const ReportRow& row = incremental_reports_[next_.incremental_reports++];
  IncrementalBlockReport report{.node = node_of(row.node), .changes = {}};
  report.changes.reserve(static_cast<std::size_t>(row.replicas));
  for (std::int64_t i = 0; i < row.replicas; ++i) {
    const ChangeRow& change = changes_[next_change_++];
    report.changes.push_back({replica_of(change.replica), change.is_deleted == 1});
  }
  return report;
}

}  // namespace tracebed::log
