// Pieces of a log that are compressed by Zstandard, each in a frame of its own with the size of its
// contents: what a log has is readable up to its last whole piece, compressed or not.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/result.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace tracebed {

// Larger pieces are not compressed, so that a reader's memory has a bound whatever a frame claims.
inline constexpr std::size_t compressed_piece_bytes_max = std::size_t{64} << 20;

class PieceCompressor {
 public:
  PieceCompressor();
  ~PieceCompressor();
  PieceCompressor(const PieceCompressor&) = delete;
  PieceCompressor& operator=(const PieceCompressor&) = delete;

  // Empty if the piece is better kept as it is. Valid until the next call.
  std::span<const std::byte> compress(std::span<const std::byte> piece);

 private:
  std::unique_ptr<ZSTD_CCtx_s, std::size_t (*)(ZSTD_CCtx_s*)> context_;
  std::vector<std::byte> frame_;
};

class PieceDecompressor {
 public:
  PieceDecompressor();
  ~PieceDecompressor();
  PieceDecompressor(const PieceDecompressor&) = delete;
  PieceDecompressor& operator=(const PieceDecompressor&) = delete;

  // Fills `piece`. Fails with what is wrong with the frame.
  Status decompress(std::span<const std::byte> frame, std::vector<std::byte>& piece);

 private:
  std::unique_ptr<ZSTD_DCtx_s, std::size_t (*)(ZSTD_DCtx_s*)> context_;
};

}  // namespace tracebed
