#include "system/toml_value.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fcntl.h>
#include <fmt/format.h>

#include "core/input_error.h"
#include "core/mebibyte.h"
#include "system/file_descriptor.h"
#include "system/files.h"
#include "system/near_match.h"
#include "system/quantities.h"
#include "system/toml_depth.h"

namespace tracebed {
namespace {

std::string location(const toml::node& node) {
  const toml::source_region& source = node.source();
  const std::string path = source.path ? *source.path : "experiment";
  if (source.begin.line == 0 || path.starts_with("--")) return path;
  return fmt::format("{}:{}", path, source.begin.line);
}

std::string place(const toml::node& node, std::string_view key) {
  return key.empty() ? location(node) : fmt::format("{}: {}", location(node), key);
}

template <class Amount>
std::string range_text(std::string_view what, Amount low, Amount high) {
  return fmt::format("{} from {} to {}", what, low, high);
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& label) {
  constexpr std::size_t words_max = 16;
  if (const std::size_t line = line_of_endless_key(text, words_max); line > 0) {
    throw InputError(fmt::format("{}:{}: unsupported TOML: expected keys of at most {} words",
                                 label, line, words_max));
  }
  try {
    return toml::parse(text, label);
  } catch (const toml::parse_error& error) {
    throw InputError(
        fmt::format("{}:{}: not TOML: {}", label, error.source().begin.line, error.description()));
  }
}

toml::table parse_toml_file(const std::filesystem::path& file) {
  constexpr std::size_t bytes_max = std::size_t{1} << 20;
  const auto text = read_kernel_file(AT_FDCWD, file.c_str(), bytes_max);
  if (!text) {
    throw EnvironmentError(fmt::format("{} cannot be read: {}", file.string(), error_text(errno)));
  }
  return parse_toml(*text, file.string());
}

std::string TomlValue::where() const {
  return place(*node_, key_);
}

std::string TomlValue::shown() const {
  constexpr std::size_t shown_max = 60;
  switch (node_->type()) {
    case toml::node_type::string: {
      std::string text = **node_->as_string();
      if (text.size() > shown_max) text = text.substr(0, shown_max) + "…";
      return fmt::format("\"{}\"", text);
    }
    case toml::node_type::integer:
    case toml::node_type::floating_point:
    case toml::node_type::boolean:
      return scalar_as_text();
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time:
      return "a date or time";
    case toml::node_type::none:
      break;
  }
  return "nothing";
}

void TomlValue::fail_expected(std::string_view expected) const {
  fail(fmt::format("expected {}, got {}", expected, shown()));
}

void TomlValue::fail(std::string_view message) const {
  throw InputError(fmt::format("{}: {}", where(), message));
}

bool TomlValue::boolean() const {
  if (!node_->is_boolean()) fail_expected("true or false");
  return **node_->as_boolean();
}

std::string TomlValue::text() const {
  constexpr std::size_t text_max = 4096;
  if (!node_->is_string()) fail_expected("a text");
  std::string text = **node_->as_string();
  const bool is_one_line =
      std::none_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; });
  if (text.empty() || text.size() > text_max || !is_one_line) {
    fail_expected("a text of one line, not empty");
  }
  return text;
}

std::int64_t TomlValue::integer(std::int64_t low, std::int64_t high) const {
  const bool fits =
      node_->is_integer() && **node_->as_integer() >= low && **node_->as_integer() <= high;
  if (!fits) fail_expected(range_text("a whole number", low, high));
  return **node_->as_integer();
}

double TomlValue::number(double low, double high) const {
  double value = std::nan("");
  if (node_->is_integer()) value = static_cast<double>(**node_->as_integer());
  if (node_->is_floating_point()) value = **node_->as_floating_point();
  const bool fits = value >= low && value <= high;  // false for a NaN, too
  if (!fits) fail_expected(range_text("a number", low, high));
  return value;
}

Duration TomlValue::duration(Duration low, Duration high) const {
  if (!node_->is_string()) fail_expected(duration_form);
  const Result<Duration> parsed = parse_duration(**node_->as_string());
  if (!parsed) {
    fail(fmt::format("expected {}, got {}: {}", duration_form, shown(), parsed.error().message));
  }
  if (*parsed < low || *parsed > high) {
    fail_expected(range_text("a duration", duration_text(low), duration_text(high)));
  }
  return *parsed;
}

std::int64_t TomlValue::bytes(std::int64_t low, std::int64_t high) const {
  if (!node_->is_string()) fail_expected(size_form);
  const Result<std::int64_t> parsed = parse_size(**node_->as_string());
  if (!parsed) {
    fail(fmt::format("expected {}, got {}: {}", size_form, shown(), parsed.error().message));
  }
  if (*parsed < low || *parsed > high) {
    fail_expected(range_text("a size", size_text(low), size_text(high)));
  }
  return *parsed;
}

std::int64_t TomlValue::mebibytes(std::int64_t low, std::int64_t high) const {
  const std::int64_t size = bytes(low * mebibyte, high * mebibyte);
  if (size % mebibyte != 0) fail_expected("a whole number of MiB");
  return size / mebibyte;
}

std::size_t TomlValue::choice(std::span<const std::string_view> choices) const {
  std::string list;
  for (const std::string_view name : choices) {
    if (!list.empty()) list += name == choices.back() ? " or " : ", ";
    list += fmt::format("\"{}\"", name);
  }
  if (!node_->is_string()) fail_expected(list);
  const std::string_view chosen = **node_->as_string();
  const auto found = std::find(choices.begin(), choices.end(), chosen);
  if (found == choices.end()) fail_expected(list);
  return static_cast<std::size_t>(found - choices.begin());
}

const toml::table& TomlValue::table() const {
  if (!node_->is_table()) fail_expected("a table");
  return *node_->as_table();
}

std::vector<TomlValue> TomlValue::elements() const {
  if (!node_->is_array()) fail_expected("an array");
  std::vector<TomlValue> elements;
  for (const toml::node& element : *node_->as_array()) {
    elements.emplace_back(element, fmt::format("{}[{}]", key_, elements.size()));
  }
  return elements;
}

std::vector<std::string> TomlValue::text_list() const {
  std::vector<std::string> texts;
  for (const TomlValue& element : elements()) texts.push_back(element.text());
  return texts;
}

std::string TomlValue::scalar_as_text() const {
  if (node_->is_string()) return **node_->as_string();
  if (node_->is_integer()) return fmt::format("{}", **node_->as_integer());
  if (node_->is_floating_point()) return fmt::format("{}", **node_->as_floating_point());
  if (node_->is_boolean()) return **node_->as_boolean() ? "true" : "false";
  fail_expected("a text, a number, true or false");
}

std::string join_key(std::string_view prefix, std::string_view key) {
  return prefix.empty() ? std::string(key) : fmt::format("{}.{}", prefix, key);
}

void fail_unknown_key(const toml::node& node, std::string_view prefix, std::string_view key,
                      std::span<const std::string_view> known) {
  throw InputError(
      fmt::format("{}: unknown key{}", place(node, join_key(prefix, key)), name_hint(key, known)));
}

void fail_renamed_key(const toml::node& node, std::string_view prefix, std::string_view key,
                      std::string_view new_name) {
  throw InputError(fmt::format("{}: unknown key; it was renamed to `{}`",
                               place(node, join_key(prefix, key)), new_name));
}

void fail_missing_key(const toml::node& table, std::string_view prefix, std::string_view key) {
  throw InputError(fmt::format("{}: this key is missing", place(table, join_key(prefix, key))));
}

}  // namespace tracebed
