#include "coordinator/config/sweep_range.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace tracebed {
namespace {

// A number as it is written: 0.25 is 25 at 2 decimals. The unit is what follows in a text.
struct WrittenNumber {
  double value = 0;
  int decimals = 0;
  std::string unit;
  bool is_text = false;
};

constexpr int decimals_max = 9;

std::optional<WrittenNumber> read_number(const std::string& text) {
  WrittenNumber number;
  const char* const end = text.data() + text.size();
  const auto [rest, error] =
      std::from_chars(text.data(), end, number.value, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(number.value)) return std::nullopt;
  const std::string digits(text.data(), rest);
  const std::size_t dot = digits.find('.');
  if (dot != std::string::npos) number.decimals = static_cast<int>(digits.size() - dot - 1);
  number.unit.assign(rest, end);
  if (number.decimals > decimals_max) return std::nullopt;
  return number;
}

WrittenNumber number_at(const TomlValue& range, std::string_view key) {
  const toml::node* const node = range.table().get(key);
  if (node == nullptr) fail_missing_key(range.table(), range.key(), key);
  const TomlValue value(*node, join_key(range.key(), key));
  std::optional<WrittenNumber> number;
  if (node->is_number() || node->is_string()) number = read_number(value.scalar_as_text());
  const bool is_good = number && node->is_string() != number->unit.empty();
  if (!is_good) {
    value.fail_expected(fmt::format(
        "a number of at most {} decimals, or a text of one with its unit such as \"10s\"",
        decimals_max));
  }
  number->is_text = node->is_string();
  return *number;
}

std::string written(double value, int decimals, const WrittenNumber& like) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  if (text == "-0") text = "0";
  return like.is_text ? fmt::format("\"{}{}\"", text, like.unit) : text;
}

// How often the step or factor leads from one bound to the other.
std::size_t count_steps(const TomlValue& range, double steps, std::size_t count_max) {
  constexpr double tolerance = 1e-9;
  const double whole = std::round(steps);
  if (!std::isfinite(steps) || whole < 0 ||
      std::abs(steps - whole) > tolerance * std::max(1.0, whole)) {
    range.fail("expected a whole number of steps from `from` to `to`");
  }
  if (whole >= static_cast<double>(count_max)) {
    range.fail(fmt::format("expected at most {} values, got {:.0f}", count_max, whole + 1));
  }
  return static_cast<std::size_t>(whole);
}

}  // namespace

bool is_sweep_range(const toml::table& table) {
  return table.contains("from") &&
         (table.contains("to") || table.contains("step") || table.contains("factor"));
}

std::vector<std::string> sweep_range(const TomlValue& range, std::size_t count_max) {
  constexpr std::array<std::string_view, 4> known{"from", "to", "step", "factor"};
  for (const auto& [key, node] : range.table()) {
    if (std::find(known.begin(), known.end(), key.str()) == known.end()) {
      fail_unknown_key(node, range.key(), key.str(), known);
    }
  }
  const bool has_factor = range.table().contains("factor");
  if (has_factor == range.table().contains("step")) {
    range.fail("expected either `step` or `factor` beside `from` and `to`");
  }
  const WrittenNumber from = number_at(range, "from");
  const WrittenNumber to = number_at(range, "to");
  const WrittenNumber by = number_at(range, has_factor ? "factor" : "step");
  if (from.unit != to.unit || by.unit != (has_factor ? "" : from.unit)) {
    range.fail(has_factor ? "expected one unit in `from` and `to`, and none in `factor`"
                          : "expected one unit in `from`, `to` and `step`");
  }
  std::vector<std::string> values;
  if (has_factor) {
    if (from.value <= 0 || to.value <= 0 || by.value <= 0 || by.value == 1) {
      range.fail("expected bounds above 0, and a factor above 0 that is not 1");
    }
    const double steps = std::log(to.value / from.value) / std::log(by.value);
    const std::size_t count = count_steps(range, steps, count_max);
    for (std::size_t i = 0; i <= count; ++i) {
      const double value = from.value * std::pow(by.value, static_cast<double>(i));
      values.push_back(written(value, decimals_max, from));
    }
  } else {
    const int decimals = std::max({from.decimals, to.decimals, by.decimals});
    const std::size_t count = count_steps(range, (to.value - from.value) / by.value, count_max);
    for (std::size_t i = 0; i <= count; ++i) {
      values.push_back(written(from.value + by.value * static_cast<double>(i), decimals, from));
    }
  }
  return values;
}

}  // namespace tracebed
