// Whether something has come before, in memory that does not grow: a Bloom filter of four bits in
// one word (Putze, Sanders and Singler, Cache-, Hash- and Space-Efficient Bloom Filters, 2007). It
// may take what is new for something seen, more often the fuller it is, but never what was seen for
// new.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracebed {

class SeenFilter {
 public:
  // At a byte for each, three of a hundred new ones are taken for seen.
  explicit SeenFilter(std::size_t bytes)
      : words_(std::bit_floor(std::max<std::size_t>(bytes / sizeof(std::uint64_t), 1))) {}

  // Adds a hash, all of whose bits are well distributed. False if it is new.
  bool add(std::uint64_t hash) {
    const std::uint64_t bits = bits_of(hash);
    std::uint64_t& word = words_[place_of(hash)];
    const bool was_seen = (word & bits) == bits;
    word |= bits;
    return was_seen;
  }
  // Whether the hash was added, or is taken for one that was.
  bool contains(std::uint64_t hash) const {
    const std::uint64_t bits = bits_of(hash);
    return (words_[place_of(hash)] & bits) == bits;
  }
  // Prefetches the word for a later add(), since it is seldom in a cache.
  void expect(std::uint64_t hash) const { __builtin_prefetch(&words_[place_of(hash)], 1); }

 private:
  static std::uint64_t bits_of(std::uint64_t hash) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 4; ++i) bits |= std::uint64_t{1} << (hash >> 6 * i & 63);
    return bits;
  }
  std::size_t place_of(std::uint64_t hash) const { return hash >> 24 & (words_.size() - 1); }

  std::vector<std::uint64_t> words_;  // a power of two of them
};

}  // namespace tracebed
