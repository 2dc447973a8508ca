#include "system/zstd_stream.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <zstd.h>

#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr std::size_t input_bytes = std::size_t{256} << 10;

}  // namespace

ZstdCompressor::ZstdCompressor(Write write)
    : write_(std::move(write)),
      context_(ZSTD_createCCtx(), ZSTD_freeCCtx),
      out_(ZSTD_CStreamOutSize()) {
  TRACEBED_CHECK(context_ != nullptr, "zstd can start a stream");
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, 1);
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
}

ZstdCompressor::~ZstdCompressor() = default;

void ZstdCompressor::add(std::string_view bytes) {
  compress(bytes, /*is_last=*/false);
}

void ZstdCompressor::finish() {
  compress({}, /*is_last=*/true);
}

void ZstdCompressor::compress(std::string_view bytes, bool is_last) {
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::size_t left = 0;
  do {
    ZSTD_outBuffer out{out_.data(), out_.size(), 0};
    left = ZSTD_compressStream2(context_.get(), &out, &in, is_last ? ZSTD_e_end : ZSTD_e_flush);
    TRACEBED_CHECK(ZSTD_isError(left) == 0, "zstd compresses any bytes");
    if (out.pos > 0) write_({out_.data(), out.pos});
  } while (left > 0 || in.pos < in.size);
}

ZstdFile::ZstdFile(const std::filesystem::path& path, InputWitness* witness)
    : path_(path.string()), file_(path, witness), context_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
  // The default window limit of 128 MiB stays: memory is bounded whatever the frame asks for.
  TRACEBED_CHECK(context_ != nullptr, "zstd can start a stream");
}

std::size_t ZstdFile::read(std::span<char> room) {
  ZSTD_outBuffer out{room.data(), room.size(), 0};
  while (out.pos == 0) {
    const std::uint64_t there = file_.size() - position_;
    if (there == 0 && is_frame_done_) break;
    const auto bytes = file_.bytes(
        position_, static_cast<std::size_t>(std::min<std::uint64_t>(there, input_bytes)));
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    const std::size_t outcome = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(outcome) != 0) {
      throw InputError(fmt::format("{}: the zstd data is damaged in the {} bytes from {} on: {}",
                                   path_, bytes.size(), position_, ZSTD_getErrorName(outcome)));
    }
    position_ += in.pos;
    is_frame_done_ = outcome == 0;
    if (there == 0 && out.pos == 0) {
      throw TruncatedFile(
          fmt::format("{}: the zstd data ends early: the file is truncated", path_));
    }
  }
  return out.pos;
}

}  // namespace tracebed
