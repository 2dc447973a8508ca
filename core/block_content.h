// The bytes of a generated block: a function of the block's id and the offset, so that a reader can
// verify each byte, and a replica needs no disk. Byte i of a block is byte i % 8, least significant
// first, of the word mix(mix(block id) ^ (i / 8)). Since mix() is a bijection, the words of two
// blocks at the same offset differ, and no word occurs twice in a block.
//
// The simulated datanode of Hadoop (SimulatedFSDataset.simulatedByte) returns the low byte of block
// id + offset, in which an offset that is wrong by a multiple of 256 goes unnoticed.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/mix.h"

namespace tracebed {

class BlockContent {
 public:
  constexpr explicit BlockContent(std::uint64_t block_id) : key_(mix(block_id)) {}

  constexpr std::uint64_t word(std::uint64_t index) const { return mix(key_ ^ index); }

  // The bytes of the block from `offset` on.
  void fill(std::uint64_t offset, std::span<std::byte> bytes) const {
    if (bytes.empty()) return;
    std::uint64_t index = offset / word_bytes;
    std::byte* to = bytes.data();
    std::size_t left = bytes.size();
    if (const std::size_t skipped = offset % word_bytes; skipped != 0) {
      const std::size_t count = std::min(left, word_bytes - skipped);
      std::memcpy(to, bytes_of(index++).data() + skipped, count);
      to += count;
      left -= count;
    }
    for (; left >= word_bytes; left -= word_bytes, to += word_bytes) {
      const Word whole = bytes_of(index++);
      std::memcpy(to, whole.data(), word_bytes);
    }
    if (left > 0) std::memcpy(to, bytes_of(index).data(), left);
  }

  // How many of the bytes, from the first on, are those of the block from `offset` on:
  // `bytes.size()` if all are.
  std::size_t count_matching(std::uint64_t offset, std::span<const std::byte> bytes) const {
    std::array<std::byte, 4'096> expected;  // stays in the innermost cache
    for (std::size_t begin = 0; begin < bytes.size(); begin += expected.size()) {
      const auto part = bytes.subspan(begin, std::min(expected.size(), bytes.size() - begin));
      const auto right = std::span(expected).first(part.size());
      fill(offset + begin, right);
      if (std::memcmp(part.data(), right.data(), part.size()) == 0) continue;
      const auto wrong = std::mismatch(part.begin(), part.end(), right.begin()).first;
      return begin + static_cast<std::size_t>(wrong - part.begin());
    }
    return bytes.size();
  }

 private:
  static constexpr std::size_t word_bytes = sizeof(std::uint64_t);
  using Word = std::array<std::byte, word_bytes>;

  Word bytes_of(std::uint64_t index) const {
    static_assert(std::endian::native == std::endian::little, "words are stored as they are");
    return std::bit_cast<Word>(word(index));
  }

  std::uint64_t key_;
};

}  // namespace tracebed
