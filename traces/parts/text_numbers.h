// Numbers as traces write them, read to exact integers: a decimal becomes millionths (so a time in
// seconds becomes microseconds) without passing through a double.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

// This many bytes after the end of scan_decimal's input must be readable; their contents are
// ignored: it reads eight bytes at once.
inline constexpr std::size_t decimal_slack = 16;

// Eight bytes of text as a number's digits, first digit in the lowest byte.
class DigitChunk {
 public:
  explicit DigitChunk(const char* at) {
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&digits_, at, sizeof(digits_));
    digits_ ^= every_byte * '0';
  }

  // How many of the first bytes are digits, at most eight.
  std::size_t count() const {
    // A byte above 9 reaches the top bit by adding 0x76, or has it. What that carries spoils only
    // the bytes after it.
    const std::uint64_t others = ((digits_ + every_byte * 0x76) | digits_) & every_byte * 0x80;
    return static_cast<std::size_t>(std::countr_zero(others)) / 8;
  }
  // The first `count` digits, 1 to 8, as a whole number.
  std::int64_t whole(std::size_t count) const { return value_of(digits_ << (8 - count) * 8); }
  // The first `count` digits, 0 to 8, behind a point, as millionths; halves are rounded up.
  std::int64_t millionths(std::size_t count) const {
    const std::uint64_t wanted =
        count == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << count * 8) - 1;
    return (value_of(digits_ & wanted) + 50) / 100;
  }
  // Whether one of the first `count` digits, 0 to 8, is not zero.
  bool any(std::size_t count) const {
    const std::uint64_t wanted =
        count == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << count * 8) - 1;
    return (digits_ & wanted) != 0;
  }

 private:
  static constexpr std::uint64_t every_byte = 0x0101010101010101;

  // Of eight digits: neighbours to pairs, pairs to fours, and these to one number.
  static std::int64_t value_of(std::uint64_t digits) {
    digits = digits * 10 + (digits >> 8);
    constexpr std::uint64_t pair = 0x000000FF000000FF;
    const std::uint64_t high = (digits & pair) * (100 + (std::uint64_t{1'000'000} << 32));
    const std::uint64_t low = (digits >> 16 & pair) * (1 + (std::uint64_t{10'000} << 32));
    return static_cast<std::int64_t>((high + low) >> 32);
  }

  std::uint64_t digits_ = 0;
};

// Reads the decimal at `at`, which ends at a blank or at `end`, and moves `at` behind it. The plain
// forms with up to eight digits, and eight behind the point, are read in line and without a branch
// for every digit; everything else takes the slower way through read_decimal.
inline Decimal scan_decimal(const char*& at, const char* end) {
  const auto ends_at = [end](const char* p) { return p == end || *p == ' ' || *p == '\t'; };
  const auto left = [end](const char* p) { return static_cast<std::size_t>(end - p); };
  const bool negative = at != end && *at == '-';
  const char* p = at + (negative ? 1 : 0);
  const DigitChunk digits(p);
  const std::size_t count = std::min(digits.count(), left(p));
  p += count;
  if (count > 0) {
    std::int64_t millionths = digits.whole(count) * millionths_per_one;
    if (ends_at(p)) {
      at = p;
      return {negative ? -millionths : millionths, false, NumberFault::none};
    }
    if (*p == '.') {
      ++p;
      const DigitChunk fraction(p);
      const std::size_t places = std::min(fraction.count(), left(p));
      p += places;
      if (ends_at(p)) {
        at = p;
        millionths += fraction.millionths(places);
        return {negative ? -millionths : millionths, fraction.any(places), NumberFault::none};
      }
    }
  }
  while (!ends_at(p)) ++p;
  const std::string_view text(at, static_cast<std::size_t>(p - at));
  at = p;
  return read_decimal(text);
}

// Reads up to 16 digits at `at`, and moves it behind them; false if there is none or if a digit
// follows. decimal_slack bytes behind `end` must be readable.
inline bool scan_digits(const char*& at, const char* end, std::int64_t& value) {
  const DigitChunk first(at);
  std::size_t count = std::min(first.count(), static_cast<std::size_t>(end - at));
  if (count == 0) return false;
  value = first.whole(count);
  at += count;
  if (count < 8 || at == end) return true;
  const DigitChunk second(at);
  count = std::min(second.count(), static_cast<std::size_t>(end - at));
  if (count == 0) return true;
  constexpr std::array<std::int64_t, 9> tens = {1,       10,        100,        1'000,      10'000,
                                                100'000, 1'000'000, 10'000'000, 100'000'000};
  value = value * tens[count] + second.whole(count);
  at += count;
  return count < 8 || at == end || *at < '0' || *at > '9';
}

// The same of a whole text, which has decimal_slack bytes readable behind it.
inline Decimal scan_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  const char* at = text.data() + (negative ? 1 : 0);
  const auto size = static_cast<std::size_t>(text.data() + text.size() - at);
  const DigitChunk digits(at);
  const std::size_t count = std::min(digits.count(), size);
  if (count > 0) {
    std::int64_t millionths = digits.whole(count) * millionths_per_one;
    if (count == size) return {negative ? -millionths : millionths, false, NumberFault::none};
    const DigitChunk fraction(at + count + 1);
    const std::size_t places = size - count - 1;
    if (at[count] == '.' && places <= fraction.count()) {
      millionths += fraction.millionths(places);
      return {negative ? -millionths : millionths, fraction.any(places), NumberFault::none};
    }
  }
  return read_decimal(text);
}

// Whether there is nothing in it but ASCII. The text has decimal_slack bytes readable behind it.
inline bool scan_is_ascii(std::string_view text) {
  constexpr std::uint64_t high = 0x8080808080808080;
  std::uint64_t eight = 0;
  std::size_t at = 0;
  for (; at + 8 < text.size(); at += 8) {
    std::memcpy(&eight, text.data() + at, sizeof(eight));
    if ((eight & high) != 0) return false;
  }
  if (text.empty()) return true;
  std::memcpy(&eight, text.data() + at, sizeof(eight));  // 1 to 8 of them are the text's
  return (eight << (8 - (text.size() - at)) * 8 & high) == 0;
}

// The shortest decimal that is exactly `millionths` millionths, which are not negative.
std::string decimal_text(std::int64_t millionths);

struct Whole {
  std::int64_t value = 0;
  NumberFault fault = NumberFault::none;
};
// The whole of `text` as a 64-bit integer.
Whole read_whole(std::string_view text);
// The same of a text that has decimal_slack bytes readable behind it.
inline Whole scan_whole(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  Whole read;
  if (scan_digits(at, end, read.value) && at == end) return read;
  return read_whole(text);
}

}  // namespace tracebed
