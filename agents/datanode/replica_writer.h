// Writes one replica, and is the only one to do so until it ends or another takes over.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "agents/datanode/replica_store.h"

namespace tracebed {

// Used by one thread; the store outlives it. What was appended stays after the writer is gone: the
// replica is then being written without a writer, until it is resumed, recovered or removed.
class ReplicaWriter {
 public:
  // Bytes, and the checksums of the chunks from their first on.
  struct Part {
    std::span<const std::byte> bytes;
    std::span<const std::byte> checksums;
  };

  ReplicaWriter(ReplicaWriter&& other) noexcept;
  ReplicaWriter& operator=(ReplicaWriter&&) = delete;
  ~ReplicaWriter();

  std::uint64_t length() const { return length_; }

  // Bytes at `offset`, at most the length so far: what is there already is skipped, since clients
  // send a chunk that they began once more with the next packet (BlockReceiver). Readers see them
  // when it returns. On a failure, ENOSPC for one, nothing of them stays.
  StoreStatus append(std::uint64_t offset, std::span<const std::byte> bytes);
  // With the checksums of the chunks from `offset` on, which begins one (checked), as they came
  // with the bytes: they are stored as they are, so that wrong bytes do not get right checksums
  // here.
  StoreStatus append(std::uint64_t offset, std::span<const std::byte> bytes,
                     std::span<const std::byte> checksums);
  // Likewise of parts that follow each other from the length so far on, which begins a chunk, each
  // of whole chunks but the last (checked).
  StoreStatus append(std::span<const Part> parts);
  // For the thread that reads the acks of the pipeline, beside the one that writes.
  class Acknowledger {
   public:
    // All replicas of the pipeline have the first `length` bytes.
    void acknowledge(std::uint64_t length) const;

   private:
    friend class ReplicaWriter;
    Acknowledger(ReplicaStore& store, std::uint64_t block_id, std::uint64_t writer)
        : store_(store), block_id_(block_id), writer_(writer) {}

    ReplicaStore& store_;
    std::uint64_t block_id_;
    std::uint64_t writer_;
  };
  // Of a writer that has not ended (checked). Does nothing after that has ended.
  Acknowledger acknowledger() const;
  void acknowledge(std::uint64_t length);
  // What was appended is on disk (hsync).
  StoreStatus sync();
  // The replica is complete. The writer is at its end, whether it succeeds or not.
  StoreStatus finalize();
  // Likewise of a temporary replica that a pipeline is to resume (convertTemporaryToRbw).
  StoreStatus convert();

 private:
  friend class ReplicaStore;
  ReplicaWriter(ReplicaStore& store, std::uint64_t block_id, std::uint64_t writer,
                ReplicaFiles files, std::uint64_t length);

  StoreStatus load_last_chunk();
  // Of the chunks that the bytes, which follow what is there, change or add.
  std::vector<std::byte> checksums_with(std::span<const std::byte> bytes) const;
  StoreStatus append_new(std::span<const Part> parts);
  StoreStatus write(std::span<const Part> parts);
  void roll_back();
  ChunkChecksum last_checksum() const;

  ReplicaStore* store_;
  std::uint64_t block_id_;
  std::uint64_t writer_;  // its number with the store
  ReplicaFiles files_;
  std::uint64_t length_;
  std::vector<iovec> written_;                       // of one call
  std::array<std::byte, chunk_bytes> last_chunk_{};  // the bytes of it that are written
};

}  // namespace tracebed
