// Views of bytes, and numbers in them. Keys of map outputs are ordered as strings of unsigned bytes
// (org.apache.hadoop.io.WritableComparator.compareBytes), so that numbers in keys are big-endian;
// everywhere else they are little-endian.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace tracebed::kernels {

using Bytes = std::span<const std::byte>;
using Buffer = std::vector<std::byte>;

static_assert(std::endian::native == std::endian::little, "numbers are stored as they are");

inline std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline Bytes bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

inline void append(Buffer& buffer, Bytes bytes) {
  buffer.insert(buffer.end(), bytes.begin(), bytes.end());
}

inline std::strong_ordering compare_bytes(Bytes left, Bytes right) {
  const std::size_t common = std::min(left.size(), right.size());
  const int order = common == 0 ? 0 : std::memcmp(left.data(), right.data(), common);
  if (order != 0) return order <=> 0;
  return left.size() <=> right.size();
}

// The caller has checked that the number is within its bytes.
template <class Number>
Number load(const std::byte* from) {
  Number number;
  std::memcpy(&number, from, sizeof(number));
  return number;
}
template <class Number>
void store(std::byte* to, Number number) {
  std::memcpy(to, &number, sizeof(number));
}
template <class Number>
void append_number(Buffer& buffer, Number number) {
  append(buffer, std::as_bytes(std::span(&number, 1)));
}

// Big-endian to native and back.
constexpr std::uint64_t swap_bytes(std::uint64_t word) {
  return __builtin_bswap64(word);
}
constexpr std::uint32_t swap_bytes(std::uint32_t word) {
  return __builtin_bswap32(word);
}

// Up to seven bytes as a number; missing ones are zero. Loads that overlap are faster than a copy
// whose size is known only when it runs.
inline std::uint64_t load_few(Bytes bytes) {
  const std::byte* const from = bytes.data();
  const std::size_t size = bytes.size();
  if (size >= sizeof(std::uint32_t)) {
    const std::uint64_t last = load<std::uint32_t>(from + size - sizeof(std::uint32_t));
    return load<std::uint32_t>(from) | last << (8 * (size - sizeof(std::uint32_t)));
  }
  if (size >= sizeof(std::uint16_t)) {
    const std::uint64_t last = load<std::uint16_t>(from + size - sizeof(std::uint16_t));
    return load<std::uint16_t>(from) | last << (8 * (size - sizeof(std::uint16_t)));
  }
  return size == 0 ? 0 : std::to_integer<std::uint64_t>(*from);
}

// The first eight bytes of a key as a number that is ordered as they are; missing ones are zero.
inline std::uint64_t key_prefix(Bytes key) {
  if (key.size() >= sizeof(std::uint64_t)) return swap_bytes(load<std::uint64_t>(key.data()));
  return swap_bytes(load_few(key));
}

}  // namespace tracebed::kernels
