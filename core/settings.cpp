#include "core/settings.h"

#include <charconv>
#include <optional>

#include "core/check.h"

namespace tracebed {
namespace {

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return number;
}

const SettingDescription* find(std::span<const SettingDescription> described,
                               std::string_view name) {
  for (const SettingDescription& setting : described) {
    if (setting.name == name) return &setting;
  }
  return nullptr;
}

// The number as a person writes it: 0.05, not 0.050000.
std::string short_text(double number) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), number);
  TRACEBED_CHECK(error == std::errc(), "32 characters hold the shortest form of any double");
  return std::string(text, end);
}

}  // namespace

SettingReader::SettingReader(std::string_view subject,
                             std::span<const SettingDescription> described,
                             const SettingValues& values)
    : subject_(subject), described_(described), values_(values) {
  for (const auto& [name, value] : values) {
    if (find(described, name) != nullptr) continue;
    std::string message = subject_ + " has no setting \"" + name + "\"";
    if (described.empty()) message += "; it has none at all";
    const char* separator = "; it has ";
    for (const SettingDescription& setting : described) {
      message += separator + std::string(setting.name);
      separator = ", ";
    }
    error_ = {std::move(message), name};
    return;
  }
}

std::int64_t SettingReader::integer(std::string_view name, std::int64_t low, std::int64_t high) {
  const auto number = parse<std::int64_t>(value_of(name));
  if (number && *number >= low && *number <= high) return *number;
  fail(name, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  return *parse<std::int64_t>(default_of(name));
}

double SettingReader::fraction(std::string_view name, double low, double high) {
  const auto number = parse<double>(value_of(name));
  if (number && *number >= low && *number <= high) return *number;
  fail(name, "a number from " + short_text(low) + " to " + short_text(high));
  return *parse<double>(default_of(name));
}

std::size_t SettingReader::choice(std::string_view name,
                                  std::initializer_list<std::string_view> choices) {
  const auto position = [&](std::string_view value) {
    std::size_t index = 0;
    for (std::string_view choice : choices) {
      if (choice == value) return index;
      ++index;
    }
    return choices.size();
  };
  const std::size_t chosen = position(value_of(name));
  if (chosen < choices.size()) return chosen;
  std::string expected = "one of ";
  const char* separator = "";
  for (std::string_view choice : choices) {
    expected += separator + std::string(choice);
    separator = ", ";
  }
  fail(name, expected);
  return position(default_of(name));
}

Duration SettingReader::milliseconds_of(std::string_view name, std::int64_t low,
                                        std::int64_t high) {
  return milliseconds(integer(name, low, high));
}

Status SettingReader::status() const {
  if (!error_.message.empty()) return error_;
  return success();
}

std::string_view SettingReader::value_of(std::string_view name) const {
  const auto given = values_.find(name);
  return given == values_.end() ? default_of(name) : std::string_view(given->second);
}

std::string_view SettingReader::default_of(std::string_view name) const {
  const SettingDescription* setting = find(described_, name);
  TRACEBED_CHECK(setting != nullptr, "only described settings are read");
  return setting->default_value;
}

void SettingReader::fail(std::string_view name, std::string_view expected) {
  TRACEBED_CHECK(values_.contains(name), "the default of a setting is one of its values");
  if (!error_.message.empty()) return;
  error_ = {subject_ + ", setting " + std::string(name) + ": expected " + std::string(expected) +
                ", got \"" + std::string(value_of(name)) + "\"",
            std::string(name)};
}

}  // namespace tracebed
