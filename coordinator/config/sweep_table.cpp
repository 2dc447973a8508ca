#include "coordinator/config/sweep_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "coordinator/config/overrides.h"
#include "coordinator/config/sweep_range.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr std::string_view paired_tables = "paired";
constexpr std::size_t values_max = 100'000;

// A text, a number, true, false, or a list of such.
bool is_sweep_value(const toml::node& node) {
  if (node.is_string() || node.is_number() || node.is_boolean()) return true;
  const toml::array* const list = node.as_array();
  return list != nullptr && std::all_of(list->begin(), list->end(), is_sweep_value);
}

class SweepReader {
 public:
  std::vector<SweepDimension> read(const TomlValue& sweep) {
    for (const auto& [key, node] : sweep.table()) {
      const TomlValue value(node, join_key(sweep.key(), key.str()));
      if (key.str() == paired_tables) {
        for (const TomlValue& table : value.elements()) read_pair(table);
      } else {
        for (SweptKey& swept : read_keys(node, value.key(), std::string(key.str()))) {
          dimensions_.push_back({{std::move(swept)}});
        }
      }
    }
    if (dimensions_.empty()) sweep.fail("expected a key and its values, got none");
    // The document has its keys in the order of the alphabet.
    std::stable_sort(dimensions_.begin(), dimensions_.end(),
                     [](const SweepDimension& a, const SweepDimension& b) {
                       return a.keys.front().line < b.keys.front().line;
                     });
    return std::move(dimensions_);
  }

 private:
  void read_pair(const TomlValue& table) {
    SweepDimension dimension;
    for (const auto& [key, node] : table.table()) {
      const std::string place = join_key(table.key(), key.str());
      for (SweptKey& swept : read_keys(node, place, std::string(key.str()))) {
        dimension.keys.push_back(std::move(swept));
      }
    }
    if (dimension.keys.size() < 2) {
      table.fail(fmt::format("expected at least two keys, which change together, got {}",
                             dimension.keys.size()));
    }
    std::stable_sort(dimension.keys.begin(), dimension.keys.end(),
                     [](const SweptKey& a, const SweptKey& b) { return a.line < b.line; });
    const SweptKey& first = dimension.keys.front();
    for (const SweptKey& key : dimension.keys) {
      if (key.values.size() == first.values.size()) continue;
      table.fail(fmt::format("{} (line {}): expected {} values, as {} has, got {}", key.key,
                             key.line, first.values.size(), first.key, key.values.size()));
    }
    dimensions_.push_back(std::move(dimension));
  }

  // Of one entry: a list, a range, or a table of keys, as TOML reads a name with dots.
  std::vector<SweptKey> read_keys(const toml::node& node, const std::string& place,
                                  const std::string& name) {
    const TomlValue value(node, place);
    const toml::table* const table = node.as_table();
    std::vector<SweptKey> keys;
    if (table != nullptr && !is_sweep_range(*table)) {
      for (const auto& [key, inner] : *table) {
        for (SweptKey& swept :
             read_keys(inner, join_key(place, key.str()), join_key(name, key.str()))) {
          keys.push_back(std::move(swept));
        }
      }
      if (keys.empty()) value.fail("expected a key and its values, got none");
      return keys;
    }
    SweptKey swept{name, node.source().begin.line, {}};
    swept.values = table != nullptr ? sweep_range(value, values_max) : read_list(value, node);
    const auto [other, is_new] = lines_.emplace(name, swept.line);
    if (!is_new) {
      value.fail(fmt::format("{} is swept already, in line {}", name, other->second));
    }
    keys.push_back(std::move(swept));
    return keys;
  }

  static std::vector<std::string> read_list(const TomlValue& value, const toml::node& node) {
    const toml::array* const list = node.as_array();
    if (list == nullptr) {
      value.fail_expected("a list of values, or { from = …, to = …, step = … }");
    }
    if (list->empty()) value.fail("expected at least one value, got an empty list");
    std::vector<std::string> values;
    std::set<std::string> unique;
    for (const toml::node& element : *list) {
      const TomlValue one(element, fmt::format("{}[{}]", value.key(), values.size()));
      if (!is_sweep_value(element)) {
        one.fail_expected("a text, a number, true, false or a list of such");
      }
      std::string text = toml_text(element);
      if (!unique.insert(text).second) {
        one.fail(fmt::format("expected each value once, got {} again", text));
      }
      values.push_back(std::move(text));
    }
    return values;
  }

  std::vector<SweepDimension> dimensions_;
  std::map<std::string, std::uint32_t> lines_;  // of each key
};

}  // namespace

std::vector<SweepDimension> read_sweep(const TomlValue& sweep) {
  return SweepReader().read(sweep);
}

}  // namespace tracebed
