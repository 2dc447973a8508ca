// Reading TOML strictly: a table is read by a list of keys, each with the function that checks and
// stores its value. A key that is not in the list is an error. Every message begins with
// "file:line: key".
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

#include "core/time.h"

namespace tracebed {

// Throws InputError for a text that is not TOML, with the place; `label` is the file's name in
// messages.
toml::table parse_toml(std::string_view text, const std::string& label);
// Likewise; EnvironmentError if the file cannot be read or has more than 1 MiB.
toml::table parse_toml_file(const std::filesystem::path& file);

// One value and its place in the file. Accessors throw InputError, with the expected and the actual
// value, unless the value is of the right type and in the stated range (bounds included).
class TomlValue {
 public:
  TomlValue(const toml::node& node, std::string key) : node_(&node), key_(std::move(key)) {}

  bool boolean() const;
  std::string text() const;  // not empty, one line of at most 4096 bytes
  std::int64_t integer(std::int64_t low, std::int64_t high) const;
  double number(double low, double high) const;
  Duration duration(Duration low, Duration high) const;
  std::int64_t bytes(std::int64_t low, std::int64_t high) const;
  // A size that is a whole number of MiB, in MiB.
  std::int64_t mebibytes(std::int64_t low, std::int64_t high) const;
  // The index of the text in `choices`.
  std::size_t choice(std::span<const std::string_view> choices) const;
  const toml::table& table() const;
  std::vector<TomlValue> elements() const;     // of an array
  std::vector<std::string> text_list() const;  // of an array of texts
  // A text, number or boolean as text, for settings that another room checks.
  std::string scalar_as_text() const;

  bool is_table() const { return node_->is_table(); }
  bool is_text() const { return node_->is_string(); }
  const std::string& key() const { return key_; }
  std::string where() const;  // "file:line: key"
  // Throws InputError: "where: expected …, got …".
  [[noreturn]] void fail_expected(std::string_view expected) const;
  // Throws InputError: "where: message".
  [[noreturn]] void fail(std::string_view message) const;

 private:
  std::string shown() const;

  const toml::node* node_;
  std::string key_;
};

enum class Presence { optional, required };

template <class Target>
struct TomlKey {
  std::string_view name;
  void (*read)(const TomlValue& value, Target& target);
  Presence presence = Presence::optional;
  // The key's former name; an error names the new name then. Not an alias.
  std::string_view former_name = {};
};

// The functions that do not depend on the target type.
std::string join_key(std::string_view prefix, std::string_view key);
[[noreturn]] void fail_unknown_key(const toml::node& node, std::string_view prefix,
                                   std::string_view key, std::span<const std::string_view> known);
[[noreturn]] void fail_renamed_key(const toml::node& node, std::string_view prefix,
                                   std::string_view key, std::string_view new_name);
[[noreturn]] void fail_missing_key(const toml::node& table, std::string_view prefix,
                                   std::string_view key);

// Reads every key of `table` into `target`; `prefix` is the table's own key, empty for the root.
// Keys are visited in the order of `keys`, so a rule may use what an earlier one stored.
template <class Target>
void read_table(const toml::table& table, std::string_view prefix,
                std::span<const TomlKey<Target>> keys, Target& target) {
  std::vector<std::string_view> known;
  for (const TomlKey<Target>& key : keys) known.push_back(key.name);
  for (const auto& [key, node] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    for (const TomlKey<Target>& renamed : keys) {
      if (renamed.former_name == key.str()) {
        fail_renamed_key(node, prefix, key.str(), renamed.name);
      }
    }
    fail_unknown_key(node, prefix, key.str(), known);
  }
  for (const TomlKey<Target>& key : keys) {
    const toml::node* node = table.get(key.name);
    if (node != nullptr) {
      key.read(TomlValue(*node, join_key(prefix, key.name)), target);
    } else if (key.presence == Presence::required) {
      fail_missing_key(table, prefix, key.name);
    }
  }
}

}  // namespace tracebed
