// Reads a replica as it was when the reader was opened. It owns what it reads, so the replica may
// grow, be finalized or be deleted meanwhile.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "agents/datanode/generated_rows.h"
#include "agents/datanode/replica_files.h"
#include "kernels/dataset.h"

namespace tracebed {

class ReplicaReader {
 public:
  // Of files. `last_checksum`: of the last chunk, if a writer may write it again.
  ReplicaReader(const ReplicaInfo& info, ReplicaFiles files,
                std::optional<ChunkChecksum> last_checksum)
      : info_(info), files_(std::move(files)), last_checksum_(last_checksum) {}
  // Of a generated replica.
  ReplicaReader(const ReplicaInfo& info, std::vector<DamagedRange> damages);

  const ReplicaInfo& info() const { return info_; }

  // The bytes from `offset` on, which begins a chunk, up to an end that ends one or is the
  // replica's; and the checksums of these chunks, or none if there is no room for any (checked).
  // Bytes are not compared with checksums; their receiver does that. A damaged replica has the
  // checksums of what was damaged.
  StoreStatus read(std::uint64_t offset, std::span<std::byte> bytes,
                   std::span<std::byte> checksums) const;

  // Whether bytes of a generated replica's range were damaged.
  bool is_damaged(std::uint64_t offset, std::uint64_t bytes) const;

 private:
  void generate(std::uint64_t offset, std::span<std::byte> bytes,
                std::span<std::byte> checksums) const;

  ReplicaInfo info_;
  ReplicaFiles files_;
  std::optional<ChunkChecksum> last_checksum_;
  std::vector<DamagedRange> damages_;
  std::unique_ptr<kernels::Dataset> dataset_;  // of the bytes; null: they follow from the id
};

// Inverts the bits of what lies in the range, of the bytes from `offset` on.
void invert(const DamagedRange& range, std::uint64_t offset, std::span<std::byte> bytes);

}  // namespace tracebed
