// Numbers as traces write them, read to exact integers: a decimal becomes millionths (so a time in
// seconds becomes microseconds) without passing through a double.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tracebed {

inline constexpr std::int64_t millionths_per_one = 1'000'000;
// The largest number read as millionths: 9 × 10^12, which as seconds is 285,000 years.
inline constexpr std::int64_t decimal_max = 9'000'000'000'000;

enum class NumberFault : std::uint8_t { none, not_a_number, out_of_range };

struct Decimal {
  std::int64_t millionths = 0;
  bool has_fraction = false;  // not a whole number
  NumberFault fault = NumberFault::none;
};

// The whole of `text` as a decimal: sign, digits, fraction, exponent. Digits after the sixth of the
// fraction round it, halves away from zero.
Decimal read_decimal(std::string_view text);

// Reads the decimal at `at`, which ends at a blank or at `end`, and moves `at` behind it. The plain
// forms are read in line; everything else takes the slower way through read_decimal.
inline Decimal scan_decimal(const char*& at, const char* end) {
  const char* p = at;
  const bool negative = p != end && *p == '-';
  if (negative) ++p;
  const char* first_digit = p;
  std::int64_t whole = 0;
  while (p != end && *p >= '0' && *p <= '9' && p - first_digit < 13) {
    whole = whole * 10 + (*p - '0');
    ++p;
  }
  const bool ended = p == end || *p == ' ' || *p == '\t';
  if (ended && p != first_digit && whole <= decimal_max) {
    at = p;
    const std::int64_t millionths = whole * millionths_per_one;
    return {negative ? -millionths : millionths, false, NumberFault::none};
  }
  while (p != end && *p != ' ' && *p != '\t') ++p;
  const std::string_view text(at, static_cast<std::size_t>(p - at));
  at = p;
  return read_decimal(text);
}

// The shortest decimal that is exactly so many millionths; they are not negative.
std::string decimal_text(std::int64_t millionths);

struct Whole {
  std::int64_t value = 0;
  NumberFault fault = NumberFault::none;
};
// The whole of `text` as a 64-bit integer.
Whole read_whole(std::string_view text);

}  // namespace tracebed
