#include "coordinator/config/overrides.h"

#include <charconv>
#include <fmt/format.h>
#include <sstream>
#include <vector>

#include "coordinator/config/scheduler_tables.h"
#include "core/input_error.h"
#include "system/near_match.h"
#include "system/toml_value.h"

namespace tracebed {
namespace {

// The document of an override's value as a node that knows its flag, or file and line, as its
// source.
toml::table parse_override(const Override& given) {
  const std::string lines_before(given.line - 1, '\n');
  try {
    toml::table table = toml::parse(lines_before + "value = " + given.value + "\n", given.flag);
    if (table.size() == 1) return table;
  } catch (const toml::parse_error&) {
    // not TOML, so a text without quotes, as people type it
  }
  std::string quoted = lines_before + "value = \"";
  for (const char c : given.value) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return parse_toml(quoted + "\"\n", given.flag);
}

[[noreturn]] void refuse(const Override& given, const std::string& message) {
  const bool is_in_file = !given.flag.starts_with("--");
  throw InputError(is_in_file ? fmt::format("{}:{}: {}", given.flag, given.line, message)
                              : fmt::format("{}: {}", given.flag, message));
}

// Takes "scheduler.LABEL." off the key: labels may have dots, so the longest that fits is meant.
toml::table& scheduler_of(const Override& given, std::string_view& key, toml::table& root) {
  spell_out_schedulers(root);
  toml::array* const tables = root["scheduler"].as_array();
  toml::table* found = nullptr;
  std::size_t length = 0;
  std::vector<std::string> labels;
  if (tables != nullptr) {
    if (tables->size() > schedulers_max) {
      refuse(given, fmt::format("scheduler: expected at most {} schedulers, got {}", schedulers_max,
                                tables->size()));
    }
    for (toml::node& node : *tables) {
      if (!node.is_table()) continue;
      const std::string label = labels.emplace_back(label_of(*node.as_table()));
      const bool fits = key.starts_with(label) && key.substr(label.size()).starts_with('.');
      if (label.empty() || !fits || label.size() < length) continue;
      found = node.as_table();
      length = label.size();
    }
  }
  if (found == nullptr) {
    const std::vector<std::string_view> known(labels.begin(), labels.end());
    refuse(given, fmt::format("scheduler.{}: expected scheduler.LABEL.KEY with the label of a "
                              "scheduler of the experiment{}",
                              key, name_hint(key.substr(0, key.find('.')), known)));
  }
  key.remove_prefix(length + 1);
  return *found;
}

// Takes the number of a table off the key.
toml::table& numbered_table(const Override& given, std::string_view list, std::string_view& key,
                            toml::array& tables) {
  const std::string_view word = key.substr(0, key.find('.'));
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool is_number = error == std::errc() && end == word.data() + word.size();
  const bool exists = is_number && number >= 1 && number <= tables.size();
  if (!exists || !tables[number - 1].is_table() || word.size() == key.size()) {
    refuse(given, fmt::format("{}: expected the number of one of its {} tables and a key, such as "
                              "{}.1.KEY, got {}.{}",
                              list, tables.size(), list, list, key));
  }
  key.remove_prefix(word.size() + 1);
  return *tables[number - 1].as_table();
}

toml::table& table_below(const Override& given, std::string_view part, std::string_view& key,
                         toml::table& table) {
  if (!table.contains(part)) {
    toml::table made = toml::parse("value = {}", given.flag);
    table.insert(part, std::move(*made.get("value")));
  }
  toml::node& node = *table.get(part);
  if (node.is_array()) return numbered_table(given, part, key, *node.as_array());
  if (!node.is_table()) refuse(given, fmt::format("{} is not a table", part));
  return *node.as_table();
}

}  // namespace

std::string label_of(const toml::table& scheduler) {
  return scheduler["label"].value_or(scheduler["name"].value_or(std::string()));
}

void spell_out_schedulers(toml::table& root) {
  toml::array* const names = root["schedulers"].as_array();
  if (names == nullptr) return;
  const toml::array* const tables = root["scheduler"].as_array();
  toml::array all;
  for (toml::node& name : *names) {
    toml::table table;
    table.insert("name", std::move(name));
    all.push_back(std::move(table));
  }
  if (tables != nullptr) {
    for (toml::node& table : *root["scheduler"].as_array()) all.push_back(std::move(table));
  }
  root.erase("schedulers");
  root.insert_or_assign("scheduler", std::move(all));
}

std::string toml_text(const toml::node& value) {
  std::ostringstream text;
  value.visit([&](const auto& typed) { text << toml::toml_formatter{typed}; });
  return text.str();
}

void apply_override(const Override& given, toml::table& root) {
  toml::table* table = &root;
  std::string_view key = given.key;
  constexpr std::string_view schedulers = "scheduler.";
  if (key.starts_with(schedulers)) {
    key.remove_prefix(schedulers.size());
    table = &scheduler_of(given, key, root);
  }
  // A setting whose name has dots may be written as one key, in quotes.
  while (!table->contains(key)) {
    const std::size_t dot = key.find('.');
    if (dot == std::string_view::npos) break;
    const std::string_view part = key.substr(0, dot);
    key.remove_prefix(dot + 1);
    table = &table_below(given, part, key, *table);
  }
  toml::table parsed = parse_override(given);
  table->insert_or_assign(key, std::move(*parsed.get("value")));  // a copy would lose its source
}

}  // namespace tracebed
