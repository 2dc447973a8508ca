// The bytes that enclose the pieces of a log file (protocol/log_file.h). Private to writer and
// reader.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <xxhash.h>

namespace tracebed::log {

static_assert(std::endian::native == std::endian::little, "log files are written as memory is");

inline constexpr std::array<char, 8> magic = {'T', 'R', 'A', 'C', 'E', 'B', 'E', 'D'};
inline constexpr std::uint32_t format_version = 17;
// Since then only kinds of arrivals, optional columns and compressed pieces were added.
inline constexpr std::uint32_t oldest_readable_version = 9;
inline constexpr std::uint32_t run_bytes_max = 1024;

// The lower half of XXH3's 64 bits.
inline std::uint32_t checksum(std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size()));
}

struct FileHeader {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t run_bytes;
};
static_assert(sizeof(FileHeader) == 16);

inline constexpr std::array<char, 4> piece_tag = {'P', 'I', 'E', 'C'};
inline constexpr std::array<char, 4> compressed_piece_tag = {'P', 'I', 'E', 'Z'};

struct PieceHeader {
  std::array<char, 4> tag = piece_tag;
  std::uint32_t bytes = 0;
  std::uint32_t checksum = 0;         // of these
  std::uint32_t header_checksum = 0;  // of the members above

  std::uint32_t own_checksum() const {
    return log::checksum(std::as_bytes(std::span(this, 1)).first(12));
  }
};
static_assert(sizeof(PieceHeader) == 16);

}  // namespace tracebed::log
