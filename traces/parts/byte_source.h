// The bytes of a trace: a file or memory, plain, gzip or Zstandard. The kind is determined by its
// first bytes, never by its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tracebed {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills the front of `room` and returns how many bytes came; 0 at the end, and from a defect on.
  virtual std::size_t read(std::span<char> room) = 0;
  // The defect of the bytes ("the gzip data ends early"), empty if there is none so far.
  virtual const std::string& defect() const = 0;
  // "none", "gzip" or "zstd".
  virtual std::string_view compression() const { return "none"; }
};

// The file's raw bytes; "-" is standard input. Throws InputError when it cannot be opened or is a
// directory.
std::unique_ptr<ByteSource> open_file(const std::string& path);
// Bytes that the caller keeps alive and unchanged.
std::unique_ptr<ByteSource> bytes_in_memory(std::string_view bytes);

// Whether no text begins as `head` does: with control characters, or with the mark of compressed
// data in which a byte is wrong.
bool is_no_text(std::string_view head);

// `source`, decompressed if its first bytes show that it is compressed. Memory does not grow with
// the output.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source);

}  // namespace tracebed
