// Where a byte stands in a block of 64, as one bit for each: how lines are cut into columns and
// documents into brackets without a branch for every byte.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tracebed {

inline constexpr std::size_t mask_bytes = 64;

// Bit i is set where block[i] with the bits of `fold` set is `letter`: with fold 0x20, where it is
// '{' or '[' of '{'. All 64 bytes must be readable.
template <char fold = 0>
inline std::uint64_t mask_of(const char* block, char letter) {
  std::uint64_t mask = 0;
#ifdef __SSE2__
  const __m128i wanted = _mm_set1_epi8(letter);
  for (std::size_t part = 0; part < mask_bytes; part += sizeof(__m128i)) {
    __m128i bytes;
    __builtin_memcpy(&bytes, block + part, sizeof(bytes));
    if constexpr (fold != 0) bytes = _mm_or_si128(bytes, _mm_set1_epi8(fold));
    const int found = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted));
    mask |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(found)) << part;
  }
#else
  for (std::size_t i = 0; i < mask_bytes; ++i) {
    mask |= static_cast<std::uint64_t>((block[i] | fold) == letter) << i;
  }
#endif
  return mask;
}

// The first `count` bits, 0 to 64.
inline std::uint64_t low_bits(std::size_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace tracebed
