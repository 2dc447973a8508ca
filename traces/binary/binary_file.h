// Tracebed's own binary trace as verified chunks. Nothing is read from a chunk before its checksum
// was verified, and the file's beginning and end are checked when it is opened, so that one of
// another kind, of a newer version or cut off is refused at once. Every refusal is an InputError
// that names the file, the place and the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/machines.h"
#include "core/resources.h"
#include "protocol/trace_codec.h"
#include "system/file_window.h"
#include "traces/binary/file_format.h"

namespace tracebed {

// Whether the bytes begin like a binary trace of any version.
bool is_binary_trace(std::string_view head);
// Of a file. Throws InputError if it cannot be read.
bool is_binary_trace_file(const std::string& path);

// Amounts of the file's dimensions as those of the run; dimensions that the run does not have are
// dropped.
Resources translated(const Resources& amounts, const std::vector<std::string>& file_dimensions,
                     const ResourceDimensions& run_dimensions);

class BinaryTraceFile {
 public:
  // `witness`, unless it is null, verifies whatever is read, and outlives this.
  BinaryTraceFile(const std::string& path, InputWitness* witness);
  // From bytes in memory, which begin at a multiple of eight and outlive this.
  BinaryTraceFile(std::string name, std::span<const std::byte> bytes);

  const TraceOrigin& origin() const { return origin_; }
  const std::vector<Machine>& machines() const { return machines_; }
  const std::vector<MachineChange>& changes() const { return changes_; }

  // The payload of the next chunk of jobs, which stays valid until the next call; none at the end.
  std::optional<std::span<const std::byte>> next_jobs();
  // Refuses the file because of the chunk that next_jobs() returned last.
  [[noreturn]] void refuse_chunk(std::string_view why) const;
  // Refuses it unless its epilogue states the same numbers of jobs and tasks.
  void check_counts(std::uint64_t jobs, std::uint64_t tasks) const;

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }

 private:
  void open();
  [[noreturn]] void refuse(std::string_view why) const;
  void read_prologue();
  void read_epilogue();
  // Valid until the next call.
  std::span<const std::byte> bytes(std::uint64_t position, std::size_t count);
  template <class Header>
  Header header_at(std::uint64_t position);
  std::uint64_t end_of_chunks() const { return size_ - sizeof(binary::Epilogue); }
  binary::ChunkHeader peek_header();
  std::span<const std::byte> take_chunk();

  std::string name_;
  std::optional<FileWindow> file_;
  std::span<const std::byte> memory_;  // without a file
  std::uint64_t size_ = 0;
  std::uint64_t position_ = 0;  // of the next chunk
  std::uint64_t chunk_at_ = 0;  // of the last one
  std::uint32_t chunks_read_ = 0;
  binary::Epilogue epilogue_;
  TraceOrigin origin_;
  std::vector<Machine> machines_;
  std::vector<MachineChange> changes_;
};

}  // namespace tracebed
