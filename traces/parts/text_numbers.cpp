#include "traces/parts/text_numbers.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <system_error>

namespace tracebed {
namespace {

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

// Digits, a point, digits, and at least one digit in all: exact.
Decimal read_plain(std::string_view digits, bool negative) {
  std::int64_t whole = 0;
  std::size_t i = 0;
  for (; i < digits.size() && is_digit(digits[i]); ++i) {
    whole = whole * 10 + (digits[i] - '0');
    if (whole > decimal_max) return {0, false, NumberFault::out_of_range};
  }
  std::int64_t millionths = whole * millionths_per_one;
  bool has_fraction = false;
  if (i < digits.size()) {
    ++i;  // the point
    std::int64_t unit = millionths_per_one;
    for (bool first_beyond = true; i < digits.size(); ++i) {
      const int digit = digits[i] - '0';
      has_fraction |= digit != 0;
      unit /= 10;
      if (unit > 0) {
        millionths += digit * unit;
      } else if (first_beyond) {
        first_beyond = false;
        if (digit >= 5) ++millionths;
      }
    }
  }
  return {negative ? -millionths : millionths, has_fraction, NumberFault::none};
}

}  // namespace

Decimal read_decimal(std::string_view text) {
  const Decimal not_a_number{0, false, NumberFault::not_a_number};
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::size_t digits = 0;
  std::size_t points = 0;
  bool plain = true;
  for (const char letter : text) {
    if (is_digit(letter)) {
      ++digits;
    } else if (letter == '.') {
      ++points;
    } else {
      plain = false;
    }
  }
  if (digits == 0 || points > 1) return not_a_number;
  if (plain) return read_plain(text, negative);

  if (!is_digit(text.front()) && text.front() != '.') return not_a_number;  // inf, nan, second sign
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return not_a_number;
  if (error == std::errc::result_out_of_range || !(value <= static_cast<double>(decimal_max))) {
    return {0, false, NumberFault::out_of_range};
  }
  if (error != std::errc()) return not_a_number;
  const auto millionths =
      static_cast<std::int64_t>(std::llround(value * static_cast<double>(millionths_per_one)));
  return {negative ? -millionths : millionths, millionths % millionths_per_one != 0,
          NumberFault::none};
}

std::string decimal_text(std::int64_t millionths) {
  std::string digits =
      fmt::format("{}.{:06}", millionths / millionths_per_one, millionths % millionths_per_one);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.pop_back();
  return digits;
}

Whole read_whole(std::string_view text) {
  Whole result;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, result.value);
  if (error == std::errc::invalid_argument || at != end) {
    result.fault = NumberFault::not_a_number;
  } else if (error == std::errc::result_out_of_range) {
    result.fault = NumberFault::out_of_range;
  }
  return result;
}

}  // namespace tracebed
