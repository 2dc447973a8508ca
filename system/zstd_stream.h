// Files that are compressed by Zstandard, written and read from front to back with bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/input_error.h"
#include "system/file_window.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace tracebed {

// One frame, with a checksum of its content.
class ZstdCompressor {
 public:
  // Gets what is compressed, a piece at a time.
  using Write = std::function<void(std::string_view)>;

  explicit ZstdCompressor(Write write);
  ~ZstdCompressor();
  ZstdCompressor(const ZstdCompressor&) = delete;
  ZstdCompressor& operator=(const ZstdCompressor&) = delete;

  // All of `bytes` is written before this returns: a reader of what is there then gets them.
  void add(std::string_view bytes);
  void finish();

 private:
  void compress(std::string_view bytes, bool is_last);

  Write write_;
  std::unique_ptr<ZSTD_CCtx_s, std::size_t (*)(ZSTD_CCtx_s*)> context_;
  std::vector<char> out_;
};

// The file ends within a frame: whoever wrote it did not finish it.
class TruncatedFile : public InputError {
 public:
  using InputError::InputError;
};

class ZstdFile {
 public:
  // `witness`, unless it is null, verifies the compressed bytes; it outlives this. Throws
  // InputError.
  ZstdFile(const std::filesystem::path& path, InputWitness* witness);

  // Fills the front of `room` and returns how many bytes came: 0 at the end alone. Throws,
  // naming the file, InputError for damaged data, and TruncatedFile behind the last byte of one.
  std::size_t read(std::span<char> room);

 private:
  std::string path_;
  FileWindow file_;
  std::uint64_t position_ = 0;  // in the file, of what is not decompressed yet
  bool is_frame_done_ = true;
  std::unique_ptr<ZSTD_DCtx_s, std::size_t (*)(ZSTD_DCtx_s*)> context_;
};

}  // namespace tracebed
