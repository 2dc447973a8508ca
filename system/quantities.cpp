#include "system/quantities.h"

#include <array>
#include <fmt/format.h>
#include <numeric>
#include <span>

namespace tracebed {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
};

constexpr std::array duration_units{
    Unit{"us", 1},         Unit{"ms", 1'000},        Unit{"s", 1'000'000},
    Unit{"m", 60'000'000}, Unit{"h", 3'600'000'000}, Unit{"d", 86'400'000'000},
};
constexpr std::array size_units{
    Unit{"B", 1},
    Unit{"KiB", std::int64_t{1} << 10},
    Unit{"MiB", std::int64_t{1} << 20},
    Unit{"GiB", std::int64_t{1} << 30},
    Unit{"TiB", std::int64_t{1} << 40},
    Unit{"kB", 1'000},
    Unit{"MB", 1'000'000},
    Unit{"GB", 1'000'000'000},
    Unit{"TB", 1'000'000'000'000},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The decimal number at the start of `text`, as digits and the power of ten they are divided by.
struct Decimal {
  std::int64_t digits = 0;
  std::int64_t divisor = 1;
  std::size_t length = 0;  // of the text; 0 if there is no such number
};

Decimal leading_decimal(std::string_view text) {
  constexpr std::int64_t digits_max = 1'000'000'000'000'000;
  Decimal decimal;
  std::size_t at = 0;
  bool after_point = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !after_point && at > 0) {
      after_point = true;
      continue;
    }
    if (!is_digit(text[at])) break;
    if (decimal.digits > digits_max) return {};
    decimal.digits = decimal.digits * 10 + (text[at] - '0');
    if (after_point) decimal.divisor *= 10;
  }
  if (at == 0 || !is_digit(text[at - 1])) return {};
  decimal.length = at;
  return decimal;
}

Result<std::int64_t> parse_quantity(std::string_view text, std::span<const Unit> units,
                                    std::int64_t maximum) {
  const Decimal number = leading_decimal(text);
  if (number.length == 0) return Error{"it does not start with a number"};
  std::string_view unit_name = text.substr(number.length);
  if (unit_name.starts_with(' ')) unit_name.remove_prefix(1);
  for (const Unit& unit : units) {
    if (unit.name != unit_name) continue;
    const std::int64_t common = std::gcd(unit.factor, number.divisor);
    const std::int64_t divisor = number.divisor / common;
    if (number.digits % divisor != 0) return Error{"it is finer than the smallest unit"};
    std::int64_t value = 0;
    const bool overflows =
        __builtin_mul_overflow(number.digits / divisor, unit.factor / common, &value);
    if (overflows || value > maximum) return Error{"it is too large"};
    return value;
  }
  if (unit_name.empty()) return Error{"its unit is missing"};
  return Error{"\"" + std::string(unit_name) + "\" is no known unit"};
}

std::string in_largest_unit(std::int64_t amount, std::span<const Unit> ascending,
                            std::string_view separator) {
  const Unit* unit = &ascending.front();
  for (const Unit& larger : ascending) {
    if (amount != 0 && amount % larger.factor == 0) unit = &larger;
  }
  return std::to_string(amount / unit->factor) + std::string(separator) + std::string(unit->name);
}

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
  constexpr std::int64_t days_max = 100'000;
  Result<std::int64_t> count = parse_quantity(text, duration_units, days_max * 86'400'000'000);
  if (!count) return count.error();
  return microseconds(*count);
}

Result<std::int64_t> parse_size(std::string_view text) {
  return parse_quantity(text, size_units, std::int64_t{1} << 60);
}

std::string duration_text(Duration duration) {
  return in_largest_unit(duration.count(), duration_units, "");
}

std::string size_text(std::int64_t bytes) {
  constexpr std::size_t binary_units = 5;
  return in_largest_unit(bytes, std::span(size_units).first(binary_units), " ");
}

std::string clock_text(Duration duration) {
  const std::int64_t all = duration.count() / 1'000;
  const std::int64_t seconds = all / 1'000;
  const std::int64_t minutes = seconds / 60;
  std::string text = minutes < 60
                         ? fmt::format("{}:{:02}", minutes, seconds % 60)
                         : fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, seconds % 60);
  if (all % 1'000 != 0) text += fmt::format(".{:03}", all % 1'000);
  return text;
}

}  // namespace tracebed
