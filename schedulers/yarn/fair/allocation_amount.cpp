#include "schedulers/yarn/fair/allocation_amount.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "core/text.h"
#include "schedulers/yarn/configuration/letter_case.h"
#include "schedulers/yarn/configuration/resource_names.h"
#include "schedulers/yarn/resource_calculator.h"

namespace tracebed {
namespace {

constexpr const char* amounts_expected =
    "amounts as in \"2048 mb, 4 vcores\", \"50% memory, 25% cpu\", \"40%\" or \"memory-mb=2048, "
    "vcores=4\", none negative";

// The number that `text` begins with, which may be empty.
std::string_view number_in_front(std::string_view text) {
  return text.substr(0, std::min(text.find_first_not_of("0123456789."), text.size()));
}

}  // namespace

std::optional<AllocationAmount::Part> AllocationAmount::parse_part(std::string_view text) {
  Part part;
  part.is_percentage = text.ends_with('%');
  if (part.is_percentage) text = trimmed(text.substr(0, text.size() - 1));
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), part.value);
  const bool is_number = failure == std::errc() && end == text.data() + text.size();
  const bool is_in_range = part.value >= 0 && part.value <= static_cast<double>(unlimited_amount);
  return is_number && is_in_range ? std::optional(part) : std::nullopt;
}

bool AllocationAmount::exceeds(const AllocationAmount& other) const {
  for (std::size_t d = 0; d < parts_.size(); ++d) {
    const std::optional<Part>& own = parts_[d];
    const std::optional<Part>& most = other.parts_[d];
    if (own && most && own->is_percentage == most->is_percentage && own->value > most->value) {
      return true;
    }
  }
  return false;
}

bool AllocationAmount::state(std::size_t dimension, std::optional<Part> part) {
  if (!part || parts_[dimension]) return false;
  parts_[dimension] = part;
  return true;
}

Status AllocationAmount::parse_named(std::string_view text, const ResourceDimensions& dimensions) {
  const Error unexpected{amounts_expected};
  std::optional<bool> has_percentages;
  for (const std::string& entry : split_list(text)) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) return unexpected;
    const std::string_view name = trimmed(std::string_view(entry).substr(0, equals));
    const std::optional<std::size_t> dimension = named_dimension(name, dimensions);
    if (!dimension) return Error{expected_without(name, dimensions)};
    const std::optional<Part> part =
        parse_part(trimmed(std::string_view(entry).substr(equals + 1)));
    if (!state(*dimension, part)) return unexpected;
    if (has_percentages.value_or(part->is_percentage) != part->is_percentage) return unexpected;
    has_percentages = part->is_percentage;
  }
  return has_percentages ? success() : Status(unexpected);
}

bool AllocationAmount::parse_percentages(std::string_view text) {
  const std::vector<std::string> entries = split_list(text);
  if (entries.size() == 1) {
    const std::size_t sign = entries[0].find('%');
    const std::optional<Part> part = parse_part(std::string_view(entries[0]).substr(0, sign + 1));
    parts_.fill(part);
    return part.has_value();
  }
  for (const std::string_view entry : entries) {
    const bool is_memory = entry.ends_with("memory");
    if (!is_memory && !entry.ends_with("cpu")) return false;
    const std::size_t word = is_memory ? 6 : 3;
    const std::string_view number = trimmed(entry.substr(0, entry.size() - word));
    if (!number.ends_with('%')) return false;
    const std::size_t dimension =
        is_memory ? Resources::memory_dimension : Resources::vcores_dimension;
    if (!state(dimension, parse_part(number))) return false;
  }
  return parts_[0].has_value() && parts_[1].has_value();
}

bool AllocationAmount::parse_units(std::string_view text) {
  while (!text.empty()) {
    const std::string_view number = number_in_front(text);
    text = trimmed(text.substr(number.size()));
    const std::string_view unit =
        text.substr(0, std::min(text.find_first_of(", 0123456789"), text.size()));
    if (unit != "mb" && unit != "vcores") return false;
    const std::size_t dimension =
        unit == "mb" ? Resources::memory_dimension : Resources::vcores_dimension;
    if (!state(dimension, parse_part(number))) return false;
    text = trimmed(text.substr(unit.size()));
    if (text.starts_with(',')) text = trimmed(text.substr(1));
  }
  return parts_[0].has_value() && parts_[1].has_value();
}

bool AllocationAmount::names_one_of_all(std::string_view text) {
  text = trimmed(text);
  const std::size_t sign = text.find('%');
  return sign != std::string_view::npos && sign + 1 < text.size() &&
         text.find_first_of(",=") == std::string_view::npos;
}

Result<AllocationAmount> AllocationAmount::parse(std::string_view text, Missing missing,
                                                 const ResourceDimensions& dimensions) {
  AllocationAmount amount(missing);
  text = trimmed(text);
  // Names of resources have their case.
  if (text.find('=') != std::string_view::npos) {
    const Status status = amount.parse_named(text, dimensions);
    return status ? Result<AllocationAmount>(amount) : status.error();
  }
  const std::string lower = lower_case(text);
  const bool is_parsed = text.find('%') != std::string_view::npos ? amount.parse_percentages(lower)
                                                                  : amount.parse_units(lower);
  if (!is_parsed) return Error{amounts_expected};
  return amount;
}

Resources AllocationAmount::on(const Resources& cluster) const {
  Resources result;
  for (std::size_t d = 0; d < parts_.size(); ++d) {
    const std::int64_t unit = yarn_unit(d);
    if (!parts_[d]) {
      if (missing_ == Missing::unlimited) result[d] = unlimited_amount;
    } else if (parts_[d]->is_percentage) {
      const double units = static_cast<double>(cluster[d]) / static_cast<double>(unit);
      result[d] = static_cast<std::int64_t>(units * (parts_[d]->value / 100)) * unit;
    } else if (parts_[d]->value > 0) {
      result[d] = static_cast<std::int64_t>(parts_[d]->value) * unit;
    }
  }
  return result;
}

}  // namespace tracebed
