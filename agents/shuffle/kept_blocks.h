// Blocks of input that the executors of a machine keep in its memory between their tasks, each of
// which is a process of its own (applications/executors). What an executor of a job keeps, and what
// it drops for it, is decided by the rules of core/memory_store.h, as its master decides it.
//
// A block is a file in memory (memfd_create). It stays until its executor drops it or its job is
// removed, and is lost with this process.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "agents/shuffle/output_files.h"
#include "core/memory_store.h"
#include "protocol/shuffle/shuffle_frames.h"

namespace tracebed {

// Any thread may call its functions.
class KeptBlocks {
 public:
  // Of all executors, whatever they may keep: each block is an open file.
  static constexpr std::size_t blocks_max = 4'096;

  // `bytes_max` is of all executors, drafts included; 0: nothing is kept.
  explicit KeptBlocks(std::uint64_t bytes_max) : bytes_max_(bytes_max) {}

  // Fails with `no_space` if it would not be kept. Outlives the draft.
  OutputResult<OutputDraft> create(const shuffle::Keep& keep);
  // Of any executor that has kept it for the job.
  OutputResult<StoredOutput> open(std::uint32_t job, const shuffle::InputBlock& block);
  // Deletes its blocks, and accepts no more of them.
  void remove_job(std::uint32_t job);

  // With those of drafts.
  std::uint64_t bytes() const;

 private:
  class Place;

  struct BlockOfFile {
    std::uint64_t input = 0;  // the file's inode id
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    auto operator<=>(const BlockOfFile&) const = default;
  };
  using Executor = std::pair<std::uint32_t, std::uint32_t>;  // its job, and its number there
  struct Key {
    std::uint32_t job = 0;
    BlockOfFile block;
    std::uint32_t executor = 0;
    auto operator<=>(const Key&) const = default;
  };
  struct Kept {
    FileDescriptor file;
    std::uint64_t length = 0;  // of the block, and of what is behind it
  };

  static BlockOfFile of_file(const shuffle::InputBlock& block) {
    return {block.file, block.offset, block.length};
  }

  OutputDone publish(const shuffle::Keep& keep, FileDescriptor file, std::uint64_t length);
  void drop(const Key& key);
  // Of a draft that has ended.
  void give_back(std::uint64_t bytes);

  const std::uint64_t bytes_max_;
  mutable std::mutex mutex_;  // guards what follows
  std::map<Executor, MemoryStore<BlockOfFile>> stores_;
  std::map<Key, Kept> blocks_;
  std::uint64_t bytes_ = 0;
  std::size_t drafts_ = 0;
  std::set<std::uint32_t> removed_;
};

}  // namespace tracebed
