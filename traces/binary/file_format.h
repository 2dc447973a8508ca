// The bytes of Tracebed's own binary trace, around its chunks (protocol/trace_codec.h):
//
//   prologue  mark "\x89TBTRACE", format version, zero, XXH3 of all of these
//   chunks    kind, number, length, XXH3 of the payload, XXH3 of these four; then the payload,
//             and zeros up to a multiple of eight
//   epilogue  mark "TBTR.END", chunks, jobs, tasks, length of the file, XXH3 of all of these
//
// The first chunk is the origin's, machines follow if the trace has any, then the jobs in the order
// of their submit times. Numbers are little-endian; a hash is XXH3's with 64 bits. The prologue is
// the same in every version, so that a program can report that a file is newer than itself. The
// epilogue shows that a file was cut off without reading what is before it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <xxhash.h>

namespace tracebed::binary {

static_assert(std::endian::native == std::endian::little, "files are written as memory is");

inline constexpr std::string_view mark = "\x89TBTRACE";
inline constexpr std::string_view end_mark = "TBTR.END";
inline constexpr std::uint32_t format_version = 2;
// Since then only optional columns were added: in 2 deadlines.
inline constexpr std::uint32_t oldest_readable_version = 1;
inline constexpr std::size_t alignment = 8;
// FlatBuffers' own limit.
inline constexpr std::uint64_t payload_bytes_max = (std::uint64_t{1} << 31) - 64;

enum class ChunkKind : std::uint32_t { origin = 1, machines = 2, jobs = 3 };

inline std::uint64_t checksum(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

// Each ends in the checksum of what is before it.
template <class Header>
std::uint64_t own_checksum(const Header& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, header_checksum)));
}

struct Prologue {
  std::array<char, 8> mark{};
  std::uint32_t version = format_version;
  std::uint32_t zero = 0;
  std::uint64_t header_checksum = 0;
};
static_assert(sizeof(Prologue) == 24);

struct ChunkHeader {
  ChunkKind kind{};
  std::uint32_t number = 0;  // from 0
  std::uint64_t bytes = 0;   // of the payload, without the zeros after it
  std::uint64_t payload_checksum = 0;
  std::uint64_t header_checksum = 0;
};
static_assert(sizeof(ChunkHeader) == 32);

struct Epilogue {
  std::array<char, 8> mark{};
  std::uint64_t chunks = 0;
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t header_checksum = 0;
};
static_assert(sizeof(Epilogue) == 48);

inline std::uint64_t padded(std::uint64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace tracebed::binary
