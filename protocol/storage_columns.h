// What arrived at a run's namenode to and from the columns of protocol/storage_inputs.fbs. Private
// to the round codec.
#pragma once

#include <cstddef>
#include <cstdint>
#include <flatbuffers/flatbuffers.h>
#include <vector>

#include "core/result.h"
#include "core/storage_inputs.h"
#include "protocol/packed_rows.h"
#include "protocol/storage_values.h"

namespace tracebed::log {

namespace fb {
struct StorageInputs;  // of flatc's output, which only this room's sources include
}

struct DatanodeRow {
  std::int64_t node = 0;
};
struct UsageRow {
  std::int64_t node = 0;
  std::int64_t capacity = 0;
  std::int64_t used = 0;
  std::int64_t remaining = 0;
  std::int64_t transfers = 0;
};
struct ReportRow {
  std::int64_t node = 0;
  std::int64_t replicas = 0;  // how many of the column's
};
// Datanodes report their replicas in the order of their ids, mostly: then a row takes few bytes.
struct ReplicaRow {
  std::int64_t block_id = 0;
  std::int64_t generation_stamp = 0;
  std::int64_t length = 0;
  std::int64_t state = 0;
};
struct ChangeRow {
  ReplicaRow replica;
  std::int64_t is_deleted = 0;
};

class StorageInputWriter {
 public:
  void add(const DatanodeRegistered& input);
  void add(const DatanodeHeartbeat& input);
  void add(const FullBlockReport& input);
  void add(const IncrementalBlockReport& input);
  void add(const DatanodeGone& input);
  void add(const StorageCalled& input) { calls_.add(input); }
  void add(const PreloadedFile& input) { files_.add(input); }

  bool is_empty() const { return bytes() == 0; }
  std::size_t bytes() const;
  flatbuffers::Offset<fb::StorageInputs> finish(flatbuffers::FlatBufferBuilder& builder) const;
  void clear();

 private:
  RowPacker<DatanodeRow> registered_;
  RowPacker<DatanodeRow> gone_;
  RowPacker<UsageRow> heartbeats_;
  RowPacker<ReportRow> full_reports_;
  RowPacker<ReplicaRow> replicas_;
  RowPacker<ReportRow> incremental_reports_;
  RowPacker<ChangeRow> changes_;
  ValueWriter calls_;
  ValueWriter files_;
};

// Hands out inputs of a kind in the order in which they were written.
class StorageInputReader {
 public:
  struct Counts {
    std::size_t registered = 0;
    std::size_t gone = 0;
    std::size_t heartbeats = 0;
    std::size_t full_reports = 0;
    std::size_t incremental_reports = 0;
    std::size_t calls = 0;
    std::size_t files = 0;
    bool operator==(const Counts&) const = default;
  };

  // Verifies everything: rows, counts, ranges of every number. Fails with words that complete "…
  // should have", and holds nothing usable then.
  Status load(const fb::StorageInputs& inputs);
  // Of those that were loaded.
  Counts counts() const;

  // Of a kind that is left.
  DatanodeRegistered take_registered();
  DatanodeGone take_gone();
  DatanodeHeartbeat take_heartbeat();
  FullBlockReport take_full_report();
  IncrementalBlockReport take_incremental_report();
  StorageCalled take_call() { return std::move(calls_[next_.calls++]); }
  PreloadedFile take_file() { return std::move(files_[next_.files++]); }

 private:
  Status unpack(const fb::StorageInputs& inputs);
  Status verify() const;

  std::vector<DatanodeRow> registered_;
  std::vector<DatanodeRow> gone_;
  std::vector<UsageRow> heartbeats_;
  std::vector<ReportRow> full_reports_;
  std::vector<ReplicaRow> replicas_;
  std::vector<ReportRow> incremental_reports_;
  std::vector<ChangeRow> changes_;
  std::vector<StorageCalled> calls_;
  std::vector<PreloadedFile> files_;
  Counts next_;
  std::size_t next_replica_ = 0;
  std::size_t next_change_ = 0;
};

}  // namespace tracebed::log
