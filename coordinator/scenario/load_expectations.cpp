#include "coordinator/scenario/load_expectations.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "coordinator/scenario/expectations.h"
#include "coordinator/scenario/story_facts.h"

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t repeated_max = 100'000;

// "a@n1 x3" → "a@n1", three times.
void add_repeated(const TomlValue& value, Json& list) {
  std::string text = value.text();
  std::int64_t times = 1;
  if (const std::size_t mark = text.rfind(" x"); mark != std::string::npos) {
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + mark + 2, end, times);
    const bool is_count = parsed.ec == std::errc() && parsed.ptr == end;
    if (is_count) text.resize(mark);
    if (!is_count || times < 1 || times > repeated_max) {
      value.fail_expected("a text that may end in \" x\" and a count");
    }
  }
  for (std::int64_t i = 0; i < times; ++i) list.push_back(text);
}

Json to_json(const TomlValue& value, const toml::node& node, bool is_memory = false);

bool is_bound_key(std::string_view key) {
  return std::find(bound_keys.begin(), bound_keys.end(), key) != bound_keys.end();
}

bool has_bound(const toml::table& table) {
  return std::any_of(table.begin(), table.end(),
                     [](const auto& entry) { return is_bound_key(entry.first.str()); });
}

Json bound_json(const TomlValue& value, const toml::table& table, bool is_memory) {
  Json bounds = Json::object();
  for (const auto& [key, child] : table) {
    const TomlValue entry(child, join_key(value.key(), key.str()));
    if (!is_bound_key(key.str())) {
      entry.fail("a table with at_least, at_most or not has nothing else");
    }
    const Json bound = to_json(entry, child, is_memory);
    const bool is_not = key.str() == "not";
    if (is_not && bound.is_object()) {
      entry.fail_expected("a text, number, boolean or list");
    }
    const bool is_number = bound.is_number() && std::isfinite(bound.get<double>());
    if (!is_not && !is_number) {
      entry.fail_expected(is_memory ? "a number of MiB or a size" : "a number");
    }
    bounds[std::string(key.str())] = bound;
  }
  if (bounds.contains("at_least") && bounds.contains("at_most") &&
      bounds["at_least"] > bounds["at_most"]) {
    value.fail(fmt::format("expected at_least to be no more than at_most, got {} and {}",
                           bounds["at_least"].dump(), bounds["at_most"].dump()));
  }
  return bounds;
}

Json table_json(const TomlValue& value, const toml::table& table, bool is_memory) {
  if (has_bound(table)) return bound_json(value, table, is_memory);
  Json object = Json::object();
  for (const auto& [key, child] : table) {
    const TomlValue entry(child, join_key(value.key(), key.str()));
    object[std::string(key.str())] = to_json(entry, child, key.str() == "memory");
  }
  return object;
}

// Sizes of memory are in MiB.
Json to_json(const TomlValue& value, const toml::node& node, bool is_memory) {
  if (node.is_table()) return table_json(value, *node.as_table(), is_memory);
  if (node.is_array()) {
    Json list = Json::array();
    for (const toml::node& child : *node.as_array()) {
      const TomlValue element(child, fmt::format("{}[]", value.key()));
      if (child.is_string()) {
        add_repeated(element, list);
      } else {
        list.push_back(to_json(element, child));
      }
    }
    return list;
  }
  if (node.is_string() && is_memory) return value.mebibytes(0, std::int64_t{1} << 40);
  if (node.is_string()) return value.text();
  if (node.is_integer()) return **node.as_integer();
  if (node.is_floating_point()) return **node.as_floating_point();
  if (node.is_boolean()) return **node.as_boolean();
  value.fail_expected("a text, number, boolean, list or table");
}

// A table for a list states how many of its elements there are of each name.
void check_counts(const TomlValue& value, const toml::node& node) {
  if (!node.is_table() || has_bound(*node.as_table())) return;
  if (node.as_table()->empty()) value.fail_expected("how many there are of at least one name");
  for (const auto& [key, child] : *node.as_table()) {
    const TomlValue count(child, join_key(value.key(), key.str()));
    const bool is_bound = child.is_table() && has_bound(*child.as_table());
    const bool is_count = child.is_integer() && **child.as_integer() >= 0;
    if (!is_bound && !is_count) {
      count.fail_expected("how many there are: a whole number, or at_least, at_most or not of one");
    }
  }
}

void check_lists(const TomlValue& value, const toml::node& node) {
  const std::string name(value.key().substr(value.key().rfind('.') + 1));
  const auto is_in = [&](std::span<const std::string_view> facts) {
    return std::find(facts.begin(), facts.end(), name) != facts.end();
  };
  if (is_in(list_facts())) return check_counts(value, node);
  if (!is_in(facts_of_lists()) || !node.is_table()) return;
  for (const auto& [key, child] : *node.as_table()) {
    check_counts(TomlValue(child, join_key(value.key(), key.str())), child);
  }
}

}  // namespace

std::vector<ExpectedFact> read_expectations(const TomlValue& value) {
  std::vector<ExpectedFact> expected;
  for (const auto& [key, node] : value.table()) {
    const std::span<const std::string_view> known = fact_names();
    if (std::find(known.begin(), known.end(), key.str()) == known.end()) {
      fail_unknown_key(node, value.key(), key.str(), known);
    }
    const TomlValue entry(node, join_key(value.key(), key.str()));
    check_lists(entry, node);
    expected.push_back({entry.where(), std::string(key.str()), to_json(entry, node)});
  }
  return expected;
}

}  // namespace tracebed
