// The positions of a byte in a block of 64, as one bit for each: how lines are cut into columns and
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

// Whether one of the 64 bytes is `letter`.
inline bool is_any(const char* block, char letter) {
#ifdef __SSE2__
  const __m128i wanted = _mm_set1_epi8(letter);
  __m128i found = _mm_setzero_si128();
  for (std::size_t part = 0; part < mask_bytes; part += sizeof(__m128i)) {
    __m128i bytes;
    __builtin_memcpy(&bytes, block + part, sizeof(bytes));
    found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes, wanted));
  }
  return _mm_movemask_epi8(found) != 0;
#else
  return mask_of(block, letter) != 0;
#endif
}

// How many of the 64 bytes are `letter`.
inline std::uint64_t count_of(const char* block, char letter) {
#ifdef __SSE2__
  const __m128i wanted = _mm_set1_epi8(letter);
  __m128i counts = _mm_setzero_si128();  // by place, negative
  for (std::size_t part = 0; part < mask_bytes; part += sizeof(__m128i)) {
    __m128i bytes;
    __builtin_memcpy(&bytes, block + part, sizeof(bytes));
    counts = _mm_add_epi8(counts, _mm_cmpeq_epi8(bytes, wanted));
  }
  const __m128i sums = _mm_sad_epu8(_mm_sub_epi8(_mm_setzero_si128(), counts), _mm_setzero_si128());
  return static_cast<std::uint64_t>(_mm_cvtsi128_si32(sums)) +
         static_cast<std::uint64_t>(_mm_extract_epi16(sums, 4));
#else
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < mask_bytes; ++i) count += block[i] == letter ? 1 : 0;
  return count;
#endif
}

// Bits set. Without the instruction for it, which not every machine has, std::popcount is a call.
inline std::uint64_t count_of(std::uint64_t bits) {
  constexpr std::uint64_t every_second = 0x5555555555555555;
  constexpr std::uint64_t every_pair = 0x3333333333333333;
  constexpr std::uint64_t every_four = 0x0F0F0F0F0F0F0F0F;
  bits -= bits >> 1 & every_second;
  bits = (bits & every_pair) + (bits >> 2 & every_pair);
  return ((bits + (bits >> 4)) & every_four) * 0x0101010101010101 >> 56;
}

// The first `count` bits, 0 to 64.
inline std::uint64_t low_bits(std::size_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace tracebed
