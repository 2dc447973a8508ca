// Replicas in messages, as rows that are packed (protocol/packed_rows.h): reports of many thousand
// are a few bytes each. Private to the wire codec.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/datanode_messages.h"
#include "protocol/packed_rows.h"
#include "protocol/wire_datanodes.h"
#include "protocol/wire_reader.h"

namespace tracebed::wire {

struct ReplicaRow {
  std::int64_t block_id = 0;
  std::int64_t generation_stamp = 0;
  std::int64_t length = 0;
  std::int64_t state = 0;  // ReportedState; 3: deleted
};
inline constexpr std::int64_t deleted_row = 3;

inline ReplicaRow to_row(const ReportedReplica& replica) {
  return {static_cast<std::int64_t>(replica.block_id), replica.generation_stamp, replica.length,
          static_cast<std::int64_t>(replica.state)};
}
inline ReplicaRow to_row(const ReplicaChange& change) {
  ReplicaRow row = to_row(change.replica);
  if (change.is_deleted) row = {row.block_id, row.generation_stamp, row.length, deleted_row};
  return row;
}
inline ReplicaRow to_row(const BlockName& block) {
  return {static_cast<std::int64_t>(block.id), block.generation_stamp, block.length, 0};
}

// The rows, each within the bounds of its numbers; the state is at most `state_max`.
inline std::vector<ReplicaRow> read_replica_rows(Reader& reader,
                                                 const flatbuffers::Vector<std::uint8_t>& packed,
                                                 std::uint32_t count, std::int64_t state_max) {
  std::vector<ReplicaRow> rows;
  constexpr std::size_t row_bytes_max = log::row_header_bytes<ReplicaRow> + sizeof(ReplicaRow);
  reader.require(count <= replicas_max && packed.size() <= count * row_bytes_max, "replicas");
  if (!reader.ok()) return rows;
  rows.reserve(count);
  const bool is_whole = log::unpack_rows({packed.data(), packed.size()}, rows);
  reader.require(is_whole && rows.size() == count, "replicas");
  for (const ReplicaRow& row : rows) {
    reader.require(row.generation_stamp >= 0 && row.generation_stamp <= std::int64_t{UINT32_MAX},
                   "replica.generation_stamp");
    reader.require(row.length >= 0 && row.length <= replica_bytes_max, "replica.length");
    reader.require(row.state >= 0 && row.state <= state_max, "replica.state");
  }
  if (!reader.ok()) rows.clear();
  return rows;
}

inline ReportedReplica to_replica(const ReplicaRow& row) {
  // Of a deleted replica the state has no meaning.
  const std::int64_t state = row.state == deleted_row ? 0 : row.state;
  return {static_cast<std::uint64_t>(row.block_id),
          static_cast<std::uint32_t>(row.generation_stamp), row.length,
          static_cast<ReportedState>(state)};
}
inline BlockName to_block(const ReplicaRow& row) {
  return {static_cast<std::uint64_t>(row.block_id),
          static_cast<std::uint32_t>(row.generation_stamp), row.length};
}

}  // namespace tracebed::wire
