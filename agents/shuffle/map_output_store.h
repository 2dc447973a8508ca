// The outputs of map tasks, each a file of one container in the folder of its job, and the runs
// that tasks have spilled, each a file in a folder of its container's there
// (org.apache.hadoop.mapred.MapOutputFile and IFile). An output appears when it is committed, whole
// or not at all, and stays until its job is removed, also for a later process of the same folder.
// Spills are outputs that their own task reads and drops; those of a task that was killed stay.
//
// A file has blocks of block_bytes with their CRC-32C after each, which every read verifies, and at
// its end the length and the checksum of all. It is not synced: outputs are lost with the machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>

#include "core/result.h"
#include "protocol/shuffle/shuffle_frames.h"
#include "system/file_descriptor.h"
#include "system/folder_lock.h"

namespace tracebed {

struct OutputName {
  std::uint32_t job = 0;
  std::uint32_t container = 0;
  std::uint32_t spill = shuffle::no_spill;
};

struct OutputFailure {
  shuffle::OutputStatus status = shuffle::OutputStatus::failed;  // not ok
  std::string message = {};
};
template <class T>
using OutputResult = Result<T, OutputFailure>;
using OutputDone = OutputResult<std::monostate>;

class MapOutputStore;

// An output that is being written, by one thread. The store outlives it.
class OutputDraft {
 public:
  OutputDraft(OutputDraft&&) noexcept;
  OutputDraft& operator=(OutputDraft&&) = delete;
  // Deletes it unless it was committed.
  ~OutputDraft();

  // After a failure only the destructor may be called.
  OutputDone write(shuffle::Bytes bytes);
  // From now on the output is there, instead of an earlier one of that name. Fails with `differs`
  // if it has another length or checksum, and with `unknown_output` if its job was removed.
  OutputDone commit(std::uint64_t length, std::uint32_t crc);

  std::uint64_t length() const { return length_; }

 private:
  friend class MapOutputStore;
  OutputDraft(MapOutputStore& store, OutputName name, std::filesystem::path path,
              FileDescriptor file);

  std::size_t free_bytes() const;
  void end_block();
  OutputDone flush();

  MapOutputStore* store_;
  OutputName name_;
  std::filesystem::path path_;  // empty once it is no longer there
  FileDescriptor file_;
  std::unique_ptr<std::byte[]> kept_;  // blocks with their checksums
  std::size_t kept_bytes_ = 0;
  std::size_t block_begin_ = 0;  // in kept_, of the block that is not full
  std::uint64_t length_ = 0;
  std::uint32_t crc_ = 0;
};

// An output to be read, by one thread. It can be read to its end when its job is removed.
class StoredOutput {
 public:
  std::uint64_t length() const { return length_; }
  // Of 1 to chunk_bytes_max bytes within the length (checked).
  OutputDone read(std::uint64_t offset, std::span<std::byte> out);

 private:
  friend class MapOutputStore;
  StoredOutput(FileDescriptor file, std::uint64_t length);

  FileDescriptor file_;
  std::uint64_t length_;
  std::unique_ptr<std::byte[]> blocks_;  // with their checksums
};

// Any thread may call its functions.
class MapOutputStore {
 public:
  static constexpr std::size_t block_bytes = 4'096;

  // Of one process at a time. The folder is made if it is missing; what was not committed in it is
  // deleted. Throws EnvironmentError.
  explicit MapOutputStore(std::filesystem::path folder);

  OutputResult<OutputDraft> create(OutputName name);
  OutputResult<StoredOutput> open(OutputName name) const;
  // Of a container. There may be none.
  void drop_spills(std::uint32_t job, std::uint32_t container);
  // Deletes its outputs and spills, and accepts no more of them.
  void remove_job(std::uint32_t job);

 private:
  friend class OutputDraft;
  OutputDone publish(const std::filesystem::path& draft, OutputName name);
  std::filesystem::path folder_of(std::uint32_t job) const;
  std::filesystem::path spills_of(std::uint32_t job, std::uint32_t container) const;
  std::filesystem::path path_of(OutputName name) const;
  bool is_removed(std::uint32_t job) const;

  const std::filesystem::path folder_;
  const std::filesystem::path drafts_;
  const FolderLock lock_;
  std::atomic<std::uint64_t> next_draft_ = 0;
  mutable std::mutex mutex_;  // guards what follows, and that nothing is published in what it names
  std::set<std::uint32_t> removed_;
};

}  // namespace tracebed
