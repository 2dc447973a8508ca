#include "schedulers/yarn/capacity/configured_capacity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/text.h"
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

// The name and the value of a part of a list.
struct ListPart {
  std::size_t dimension = 0;
  std::string_view name;
  std::string_view value;
};

Result<ListPart> parse_part(std::string_view part, const ResourceDimensions& dimensions) {
  const std::size_t equals = part.find('=');
  if (equals == std::string_view::npos) {
    return Error{"a list of RESOURCE=AMOUNT, RESOURCE=PERCENT% and RESOURCE=WEIGHTw"};
  }
  const std::string_view name = trimmed(part.substr(0, equals));
  const std::size_t dimension =
      name == "memory-mb" ? Resources::memory_dimension : dimensions.find(name);
  if (dimension < dimensions.size()) {
    return ListPart{dimension, name, trimmed(part.substr(equals + 1))};
  }
  std::string known;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    known += (d == 0 ? "" : d + 1 == dimensions.size() ? " and " : ", ") + dimensions.name(d);
  }
  return Error{"resources of the machines, which are " + known + ", and not \"" +
               std::string(name) + "\""};
}

std::optional<Resources> parse_amounts(std::string_view text,
                                       const ResourceDimensions& dimensions) {
  Resources amounts;
  for (const std::string& each : split_list(text)) {
    const Result<ListPart> part = parse_part(each, dimensions);
    if (!part) return std::nullopt;
    const std::optional<std::int64_t> amount = parse_amount(part->value, part->dimension);
    if (!amount) return std::nullopt;
    amounts[part->dimension] = *amount;
  }
  return amounts;
}

Result<CapacityEntry> parse_entry(const ListPart& part) {
  using Unit = CapacityEntry::Unit;
  // Hadoop knows no bound.
  constexpr float share_max = 1e6F;
  const std::string_view number =
      part.value.substr(0, part.value.empty() ? 0 : part.value.size() - 1);
  std::optional<CapacityEntry> entry;
  if (part.value.ends_with('%') || part.value.ends_with('w')) {
    const std::optional<float> share = parse_number(number, share_max);
    const Unit unit = part.value.ends_with('%') ? Unit::percent : Unit::weight;
    if (share) entry = CapacityEntry{unit, *share};
  } else if (const auto amount = parse_amount(part.value, part.dimension)) {
    // A 32-bit float, as all values of the original's lists.
    const auto units = static_cast<float>(*amount / yarn_unit(part.dimension));
    entry = CapacityEntry{Unit::amount, units};
  }
  if (entry) return *entry;
  return Error{
      "behind " + std::string(part.name) + "= a whole amount" +
      (part.dimension == Resources::memory_dimension ? ", also with a unit such as Gi," : "") +
      " or a number of 0 or more with % or w"};
}

// QueueCapacityConfigParser.heterogeneousParser
Result<ConfiguredCapacity> parse_entries(std::string_view list,
                                         const ResourceDimensions& dimensions) {
  using Unit = CapacityEntry::Unit;
  ConfiguredCapacity capacity{ConfiguredCapacity::Form::absolute, 0, {}};
  capacity.entries.resize(dimensions.size());
  std::array<bool, Resources::dimensions_max> is_stated{};
  bool has_percent = false;
  for (const std::string& text : split_list(list)) {
    const Result<ListPart> part = parse_part(text, dimensions);
    if (!part) return part.error();
    const std::size_t d = part->dimension;
    if (is_stated[d]) return Error{"each resource once, and " + dimensions.name(d) + " twice"};
    is_stated[d] = true;
    const Result<CapacityEntry> entry = parse_entry(*part);
    if (!entry) return entry.error();
    capacity.entries[d] = *entry;
    has_percent |= entry->unit == Unit::percent;
    if (entry->unit == Unit::amount) {
      capacity.amount[d] = static_cast<std::int64_t>(entry->value) * yarn_unit(d);
    } else {
      capacity.form = ConfiguredCapacity::Form::per_resource;
    }
  }
  if (capacity.entries[Resources::memory_dimension].value == 0) {
    return Error{"memory above 0 in the list, without which Hadoop takes nothing of it"};
  }
  if (has_percent || capacity.amount.memory_mib() == 0) capacity.amount = {};
  if (capacity.form == ConfiguredCapacity::Form::absolute) capacity.entries.clear();
  return capacity;
}

std::string entry_text(const CapacityEntry& entry) {
  std::array<char, 64> text{};
  const auto [end, failure] =
      std::to_chars(text.data(), text.data() + text.size(), static_cast<float>(entry.value),
                    std::chars_format::fixed);
  std::string number(text.data(), failure == std::errc() ? end : text.data());
  switch (entry.unit) {
    case CapacityEntry::Unit::amount:
      break;
    case CapacityEntry::Unit::percent:
      return number + "%";
    case CapacityEntry::Unit::weight:
      return number + "w";
  }
  return number;
}

}  // namespace

std::optional<CapacityEntry> ConfiguredCapacity::of(std::size_t dimension) const {
  switch (form) {
    case Form::percent:
      return CapacityEntry{CapacityEntry::Unit::percent, value};
    case Form::weight:
      return CapacityEntry{CapacityEntry::Unit::weight, value};
    case Form::absolute:
      return CapacityEntry{CapacityEntry::Unit::amount,
                           static_cast<float>(amount[dimension] / yarn_unit(dimension))};
    case Form::per_resource:
      return dimension < entries.size() ? entries[dimension] : CapacityEntry();
    case Form::none:
      break;
  }
  return std::nullopt;
}

bool ConfiguredCapacity::has_weight() const {
  return form == Form::weight ||
         std::any_of(entries.begin(), entries.end(), [](const CapacityEntry& entry) {
           return entry.unit == CapacityEntry::Unit::weight;
         });
}

std::string capacity_text(const ConfiguredCapacity& capacity,
                          const ResourceDimensions& dimensions) {
  using Form = ConfiguredCapacity::Form;
  if (capacity.form == Form::none) return "none";
  if (capacity.form == Form::percent || capacity.form == Form::weight) {
    return entry_text(*capacity.of(Resources::memory_dimension));
  }
  std::string text;
  const auto add = [&](std::size_t d) {
    const CapacityEntry entry = *capacity.of(d);
    if (entry == CapacityEntry() && d > Resources::memory_dimension) return;
    text += (text.empty() ? "[" : ",") + dimensions.name(d) + "=" + entry_text(entry);
  };
  add(Resources::memory_dimension);
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (d != Resources::memory_dimension) add(d);
  }
  return text + "]";
}

Result<ConfiguredCapacity> parse_capacity(std::string_view text,
                                          const ResourceDimensions& dimensions,
                                          CapacityForms forms) {
  using Form = ConfiguredCapacity::Form;
  const bool is_list = text.starts_with('[') && text.ends_with(']');
  if (is_list && forms == CapacityForms::any) {
    return parse_entries(text.substr(1, text.size() - 2), dimensions);
  }
  if (is_list) {
    const auto amounts = parse_amounts(text.substr(1, text.size() - 2), dimensions);
    if (amounts) return ConfiguredCapacity{Form::absolute, 0, *amounts};
  } else if (text.ends_with('w')) {
    const auto weight = parse_number(text.substr(0, text.size() - 1), 10'000);
    if (weight) return ConfiguredCapacity{Form::weight, *weight, {}};
  } else if (const auto percent = parse_number(text, 100)) {
    return ConfiguredCapacity::of_percent(*percent);
  }
  // What a list has with other units is not said of one that has a mistake anyway.
  const bool is_other_form = is_list && parse_entries(text.substr(1, text.size() - 2), dimensions);
  return Error{std::string(capacity_expected) +
               (is_other_form ? "; a unit for each resource needs "
                                "yarn.scheduler.capacity.legacy-queue-mode.enabled = false"
                              : "")};
}

}  // namespace tracebed
