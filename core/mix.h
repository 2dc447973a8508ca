// A good mixer of 64 bits, for hashing small tuples to a draw: the output function of SplitMix64
// (Steele, Lea and Flood 2014). It is a bijection.
#pragma once

#include <cstdint>

namespace tracebed {

constexpr std::uint64_t mix(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
  return word ^ (word >> 31);
}

}  // namespace tracebed
