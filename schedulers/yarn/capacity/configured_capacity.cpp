#include "schedulers/yarn/capacity/configured_capacity.h"

#include <array>
#include <charconv>
#include <optional>

#include "core/text.h"
#include "schedulers/yarn/configuration/resource_names.h"
#include "schedulers/yarn/resource_calculator.h"

namespace tracebed {
namespace {

constexpr const char* capacity_expected =
    "a percentage from 0 to 100, a weight from 0 to 10000 with a w behind it, or amounts as in "
    "[memory=4096,vcores=8]";

std::optional<float> parse_number(std::string_view text, float high) {
  float number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = failure == std::errc() && end == text.data() + text.size();
  return is_number && number >= 0 && number <= high ? std::optional(number) : std::nullopt;
}

// In bytes; those of Hadoop's UnitsConversionUtil that memory is given in.
struct Unit {
  std::string_view name;
  std::int64_t bytes;
};
constexpr std::array<Unit, 9> units = {{{"", 1 << 20},
                                        {"K", 1'000},
                                        {"Ki", 1 << 10},
                                        {"M", 1'000'000},
                                        {"Mi", 1 << 20},
                                        {"G", 1'000'000'000},
                                        {"Gi", 1 << 30},
                                        {"T", 1'000'000'000'000},
                                        {"Ti", std::int64_t{1} << 40}}};

std::optional<std::int64_t> unit_bytes(std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return unit.bytes;
  }
  return std::nullopt;
}

// An amount of one dimension in the engine's unit.
std::optional<std::int64_t> parse_amount(std::string_view text, std::size_t dimension) {
  constexpr std::int64_t amount_max = std::int64_t{1} << 40;
  std::int64_t amount = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), amount);
  if (failure != std::errc() || amount < 0 || amount > amount_max) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (dimension != Resources::memory_dimension) {
    if (!unit.empty()) return std::nullopt;
    return amount * yarn_unit(dimension);
  }
  const std::optional<std::int64_t> bytes = unit_bytes(unit);
  constexpr std::int64_t mib = 1 << 20;
  if (!bytes || amount > (std::int64_t{1} << 60) / *bytes) return std::nullopt;
  return amount * *bytes / mib;
}

Result<Resources> parse_amounts(std::string_view text, const ResourceDimensions& dimensions) {
  Resources amounts;
  for (const std::string& part : split_list(text)) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) return Error{capacity_expected};
    const std::string_view name = trimmed(std::string_view(part).substr(0, equals));
    const std::optional<std::size_t> dimension = named_dimension(name, dimensions);
    if (!dimension) return Error{expected_without(name, dimensions)};
    const std::optional<std::int64_t> amount =
        parse_amount(trimmed(std::string_view(part).substr(equals + 1)), *dimension);
    if (!amount) return Error{capacity_expected};
    amounts[*dimension] = *amount;
  }
  return amounts;
}

}  // namespace

Result<ConfiguredCapacity> parse_capacity(std::string_view text,
                                          const ResourceDimensions& dimensions) {
  using Form = ConfiguredCapacity::Form;
  if (text.starts_with('[') && text.ends_with(']')) {
    const auto amounts = parse_amounts(text.substr(1, text.size() - 2), dimensions);
    if (!amounts) return amounts.error();
    return ConfiguredCapacity{Form::absolute, 0, *amounts};
  }
  if (text.ends_with('w')) {
    const auto weight = parse_number(text.substr(0, text.size() - 1), 10'000);
    if (weight) return ConfiguredCapacity{Form::weight, *weight, {}};
  } else if (const auto percent = parse_number(text, 100)) {
    return ConfiguredCapacity::of_percent(*percent);
  }
  return Error{capacity_expected};
}

}  // namespace tracebed
