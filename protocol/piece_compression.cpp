#include "protocol/piece_compression.h"

#include <string>
#include <zstd.h>

#include "core/check.h"

namespace tracebed {
namespace {

// Rounds of a real run are pieces of their own, and mostly too short to gain anything.
constexpr std::size_t compressed_piece_bytes_min = 512;

}  // namespace

PieceCompressor::PieceCompressor() : context_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
  TRACEBED_CHECK(context_ != nullptr, "zstd has a context");
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, 1);
}

PieceCompressor::~PieceCompressor() = default;

std::span<const std::byte> PieceCompressor::compress(std::span<const std::byte> piece) {
  if (piece.size() < compressed_piece_bytes_min || piece.size() > compressed_piece_bytes_max) {
    return {};
  }
  frame_.resize(ZSTD_compressBound(piece.size()));
  const std::size_t size =
      ZSTD_compress2(context_.get(), frame_.data(), frame_.size(), piece.data(), piece.size());
  TRACEBED_CHECK(ZSTD_isError(size) == 0, "zstd compresses any bytes");
  if (size >= piece.size()) return {};
  return std::span(frame_).first(size);
}

PieceDecompressor::PieceDecompressor() : context_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
  TRACEBED_CHECK(context_ != nullptr, "zstd has a context");
}

PieceDecompressor::~PieceDecompressor() = default;

Status PieceDecompressor::decompress(std::span<const std::byte> frame,
                                     std::vector<std::byte>& piece) {
  const unsigned long long bytes = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (bytes == ZSTD_CONTENTSIZE_ERROR || bytes == ZSTD_CONTENTSIZE_UNKNOWN) {
    return Error{"expected a zstd frame that states the size of its contents"};
  }
  if (bytes > compressed_piece_bytes_max) {
    return Error{"expected a zstd frame of at most " + std::to_string(compressed_piece_bytes_max) +
                 " bytes, got one of " + std::to_string(bytes)};
  }
  piece.resize(static_cast<std::size_t>(bytes));
  const std::size_t size =
      ZSTD_decompressDCtx(context_.get(), piece.data(), piece.size(), frame.data(), frame.size());
  if (ZSTD_isError(size) != 0) {
    return Error{std::string("the zstd frame is damaged: ") + ZSTD_getErrorName(size)};
  }
  if (size != piece.size()) return Error{"the zstd frame is shorter than it states"};
  return success();
}

}  // namespace tracebed
