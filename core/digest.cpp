#include "core/digest.h"

namespace tracebed {
namespace {

// Spreads every input bit over the whole word, so that lanes differing in few bits look different.
std::uint64_t finish(std::uint64_t word) {
  word ^= word >> 32;
  word *= 0xD6E8FEB86659FD93u;
  word ^= word >> 29;
  word *= 0x94D049BB133111EBu;
  return word ^ (word >> 32);
}

void append_hex(std::string& text, std::uint64_t word) {
  static constexpr char digits[] = "0123456789abcdef";
  for (int shift = 60; shift >= 0; shift -= 4) text.push_back(digits[(word >> shift) & 15u]);
}

}  // namespace

std::string Digest::to_string() const {
  std::string text;
  append_hex(text, finish(low_ ^ std::rotl(words_, 17)));
  append_hex(text, finish(high_ + words_));
  return text;
}

}  // namespace tracebed
