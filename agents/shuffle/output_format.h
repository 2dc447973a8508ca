// How the file of a map output is laid out; see output_files.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "agents/shuffle/output_files.h"

namespace tracebed {

inline constexpr std::size_t sum_bytes = sizeof(std::uint32_t);
inline constexpr std::size_t summed_block_bytes = output_block_bytes + sum_bytes;

// The last bytes of the file.
struct OutputTrailer {
  static constexpr std::array<char, 8> right_mark{'T', 'B', 's', 'h', 'u', 'f', 'f', '1'};

  std::array<char, 8> mark = right_mark;
  std::uint64_t length = 0;
  std::uint32_t crc = 0;      // of the whole output
  std::uint32_t own_crc = 0;  // of what is before it

  std::uint32_t right_own_crc() const;
};
static_assert(sizeof(OutputTrailer) == 24);

// Of an output's blocks and their checksums.
constexpr std::uint64_t blocks_bytes(std::uint64_t length) {
  const std::uint64_t blocks = (length + output_block_bytes - 1) / output_block_bytes;
  return length + blocks * sum_bytes;
}

// None if the file is no whole output.
std::optional<OutputTrailer> read_trailer(int file);

// What a failure of the system means to who puts or fetches.
OutputFailure output_failure(int error_number, const char* action);

}  // namespace tracebed
