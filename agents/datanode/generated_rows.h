// The generated replicas of a datanode, which have no files: a file with a row for each change of
// them, appended to, so that they are there after a restart. A row has a checksum; at the first
// wrong one, which is where a crash cut the file off, reading ends.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "agents/datanode/replica_folder.h"

namespace tracebed {

// Bytes that a reader gets with all their bits inverted.
struct DamagedRange {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  bool operator==(const DamagedRange&) const = default;
};

struct GeneratedReplica {
  std::uint64_t generation_stamp = 0;
  std::uint64_t length = 0;
  std::vector<DamagedRange> damages = {};
  BlockDataset dataset = {};
  bool operator==(const GeneratedReplica&) const = default;
};

struct GeneratedRow {
  // `damaged` adds a range to those of the replica; `added` replaces the replica if there is one.
  // `of_dataset` follows `added` where the bytes are a kernel's: its number is in the place of the
  // stamp, the seed in that of the bytes.
  enum class Change : std::uint64_t { added = 1, removed = 2, damaged = 3, of_dataset = 4 };
  Change change = Change::added;
  std::uint64_t block_id = 0;
  std::uint64_t generation_stamp = 0;
  std::uint64_t offset = 0;  // of the damage, or of the block in the dataset
  std::uint64_t bytes = 0;   // of the replica, or of the damage
};

GeneratedRow dataset_row(std::uint64_t block_id, const BlockDataset& dataset);

class GeneratedRows {
 public:
  // Reads what is there, cuts off what a crash left incomplete, and writes the file anew if most of
  // its rows are of replicas that are gone. The folder outlives it.
  static StoreResult<GeneratedRows> open(const ReplicaFolder& folder);

  // As they were when the file was opened.
  const std::map<std::uint64_t, GeneratedReplica>& found() const { return found_; }

  // All of them or none; after a crash meanwhile, those up to some row.
  StoreStatus append(std::span<const GeneratedRow> rows);

 private:
  GeneratedRows(FileDescriptor file, std::map<std::uint64_t, GeneratedReplica> found,
                std::uint64_t bytes)
      : file_(std::move(file)), found_(std::move(found)), bytes_(bytes) {}

  FileDescriptor file_;
  std::map<std::uint64_t, GeneratedReplica> found_;
  std::uint64_t bytes_;  // of whole rows
};

}  // namespace tracebed
