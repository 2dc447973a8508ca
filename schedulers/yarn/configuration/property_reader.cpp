#include "schedulers/yarn/configuration/property_reader.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/text.h"
#include "schedulers/parts/quoted_value.h"
#include "schedulers/yarn/configuration/letter_case.h"

namespace tracebed {
namespace {

template <class Number>
std::optional<Number> parse(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number number{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

template <class Number>
std::string range(Number low, Number high) {
  const bool has_low = low != std::numeric_limits<Number>::lowest();
  const bool has_high = high != std::numeric_limits<Number>::max();
  const auto shown = [](Number number) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    return std::string(text.data(), end);
  };
  if (has_low && has_high) return " from " + shown(low) + " to " + shown(high);
  if (has_low) return " of at least " + shown(low);
  return has_high ? " of at most " + shown(high) : "";
}

}  // namespace

std::optional<std::string> PropertyReader::raw(std::string_view name) {
  read_.emplace(name);
  return properties_.find(name);
}

std::optional<std::string> PropertyReader::take(std::string_view name) {
  const std::optional<std::string> value = raw(name);
  if (!value || trimmed(*value).empty()) return std::nullopt;
  return std::string(trimmed(*value));
}

bool PropertyReader::has(std::string_view name) {
  return take(name).has_value();
}

std::int64_t PropertyReader::integer(std::string_view name, std::int64_t otherwise,
                                     std::int64_t low, std::int64_t high) {
  const std::optional<std::string> value = take(name);
  if (!value) return otherwise;
  const std::optional<std::int64_t> number = parse<std::int64_t>(*value);
  if (number && *number >= low && *number <= high) return *number;
  fail(name, "a whole number" + range(low, high));
  return otherwise;
}

template <class Number>
Number PropertyReader::decimal(std::string_view name, Number otherwise, Number low, Number high) {
  const std::optional<std::string> value = take(name);
  if (!value) return otherwise;
  const std::optional<Number> number = parse<Number>(*value);
  if (number && *number >= low && *number <= high) return *number;
  fail(name, "a number" + range(low, high));
  return otherwise;
}

float PropertyReader::fraction(std::string_view name, float otherwise, float low, float high) {
  return decimal<float>(name, otherwise, low, high);
}

double PropertyReader::number(std::string_view name, double otherwise, double low, double high) {
  return decimal<double>(name, otherwise, low, high);
}

bool PropertyReader::flag(std::string_view name, bool otherwise) {
  const std::optional<std::string> value = take(name);
  if (!value) return otherwise;
  const std::string word = lower_case(*value);
  if (word == "true" || word == "false") return word == "true";
  fail(name, "true or false");
  return otherwise;
}

std::string PropertyReader::text(std::string_view name, std::string_view otherwise) {
  return take(name).value_or(std::string(otherwise));
}

std::string PropertyReader::word(std::string_view name, std::string_view otherwise) {
  return lower_case(text(name, otherwise));
}

std::size_t PropertyReader::choice(std::string_view name, std::size_t otherwise,
                                   std::initializer_list<std::string_view> choices) {
  const std::optional<std::string> value = take(name);
  if (!value) return otherwise;
  const auto* const found = std::find(choices.begin(), choices.end(), *value);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  std::string expected;
  for (const std::string_view word : choices) {
    expected += (expected.empty() ? "" : word == *(choices.end() - 1) ? " or " : ", ");
    expected += word;
  }
  fail(name, expected);
  return otherwise;
}

std::vector<std::string> PropertyReader::list(std::string_view name) {
  return split_list(take(name).value_or(""));
}

void PropertyReader::fail(std::string_view name, std::string_view expected) {
  if (!error_.message.empty()) return;
  error_ = {properties_.place(name) + ": expected " + std::string(expected) + ", got " +
                quoted_value(properties_.find(name).value_or("")),
            properties_.setting_of(name)};
}

Status PropertyReader::status() const {
  return error_.message.empty() ? success() : Status(error_);
}

std::vector<std::string> PropertyReader::unread() const {
  std::vector<std::string> names;
  for (const auto& [name, property] : properties_.all()) {
    if (!read_.contains(name)) names.push_back(name);
  }
  return names;
}

}  // namespace tracebed
