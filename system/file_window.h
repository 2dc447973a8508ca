// A part of a regular file in memory, which moves over it: for readers that know where in the file
// they are, and for files that may be truncated while they are read, which mapped memory does not
// survive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "system/file_descriptor.h"

namespace tracebed {

class InputWitness;

class FileWindow {
 public:
  // `witness`, unless it is null, verifies the size and each block that is read; it outlives this.
  // Throws InputError if the file cannot be read or is not the one that was witnessed.
  FileWindow(const std::filesystem::path& path, InputWitness* witness);

  // Of the file when it was opened.
  std::uint64_t size() const { return size_; }

  // `count` bytes from `position` on, which are in the file; valid until the next call. They are
  // aligned in memory as they are in the file, to eight bytes. Throws InputError if they are no
  // longer there, or others.
  std::span<const std::byte> bytes(std::uint64_t position, std::size_t count);

 private:
  void read_block(std::span<std::byte> block, std::uint64_t position);

  std::string path_;
  InputWitness* witness_;
  FileDescriptor file_;
  std::uint64_t size_ = 0;
  // The whole blocks from begin_ on, of which the last of a file may be short. The vector is not
  // shrunk, as what grows is filled with zeros first.
  std::vector<std::byte> buffer_;
  std::uint64_t begin_ = 0;
  std::size_t filled_ = 0;
};

}  // namespace tracebed
