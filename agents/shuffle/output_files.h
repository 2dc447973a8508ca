// Outputs as files, on a disk or in memory: while they are written, and when they are read.
//
// A file has blocks of output_block_bytes with their CRC-32C after each, which every read verifies,
// and at its end the length and the checksum of all. It is not synced: outputs are lost with the
// machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include "core/result.h"
#include "protocol/shuffle/shuffle_frames.h"
#include "system/file_descriptor.h"

namespace tracebed {

inline constexpr std::size_t output_block_bytes = 4'096;

struct OutputFailure {
  shuffle::OutputStatus status = shuffle::OutputStatus::failed;  // not ok
  std::string message = {};
};
template <class T>
using OutputResult = Result<T, OutputFailure>;
using OutputDone = OutputResult<std::monostate>;

// Where an output belongs. With it goes what was not published.
class OutputPlace {
 public:
  virtual ~OutputPlace() = default;
  // From now on the output is there, instead of an earlier one of that name. Once.
  virtual OutputDone publish(FileDescriptor file, std::uint64_t length) = 0;
};

// An output that is being written, by one thread.
class OutputDraft {
 public:
  // The file is empty.
  OutputDraft(std::unique_ptr<OutputPlace> place, FileDescriptor file);

  // After a failure only the destructor may be called.
  OutputDone write(shuffle::Bytes bytes);
  // Publishes it, once. Fails with `differs` if it has another length or checksum, and with
  // `unknown_output` if its job was removed.
  OutputDone commit(std::uint64_t length, std::uint32_t crc);

  std::uint64_t length() const { return length_; }

 private:
  std::size_t free_bytes() const;
  void end_block();
  OutputDone flush();

  std::unique_ptr<OutputPlace> place_;
  FileDescriptor file_;
  std::unique_ptr<std::byte[]> kept_;  // blocks with their checksums
  std::size_t kept_bytes_ = 0;
  std::size_t block_begin_ = 0;  // in kept_, of the block that is not full
  std::uint64_t length_ = 0;
  std::uint32_t crc_ = 0;
};

// An output to be read, by one thread. It can be read to its end when it is no longer there.
class StoredOutput {
 public:
  // `length` is what its draft had.
  StoredOutput(FileDescriptor file, std::uint64_t length);

  std::uint64_t length() const { return length_; }
  // Of 1 to chunk_bytes_max bytes within the length (checked).
  OutputDone read(std::uint64_t offset, std::span<std::byte> out);

 private:
  FileDescriptor file_;
  std::uint64_t length_;
  std::unique_ptr<std::byte[]> blocks_;  // with their checksums
};

}  // namespace tracebed
