#include "coordinator/scenario/load_expectations.h"

#include <charconv>
#include <fmt/format.h>

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

Json to_json(const TomlValue& value, const toml::node& node) {
  if (node.is_table()) {
    Json object = Json::object();
    for (const auto& [key, child] : *node.as_table()) {
      const TomlValue entry(child, join_key(value.key(), key.str()));
      const bool is_size = key.str() == "memory" && child.is_string();
      object[std::string(key.str())] =
          is_size ? Json(entry.mebibytes(0, std::int64_t{1} << 40)) : to_json(entry, child);
    }
    return object;
  }
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
  if (node.is_string()) return value.text();
  if (node.is_integer()) return **node.as_integer();
  if (node.is_floating_point()) return **node.as_floating_point();
  if (node.is_boolean()) return **node.as_boolean();
  value.fail_expected("a text, number, boolean, list or table");
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
    expected.push_back({entry.where(), std::string(key.str()), to_json(entry, node)});
  }
  return expected;
}

}  // namespace tracebed
