#include "traces/json/json_fields.h"

#include <cmath>
#include <fmt/format.h>

#include "traces/parts/text_numbers.h"

namespace tracebed {
namespace {

namespace dom = simdjson::dom;

// Whole numbers are taken from doubles too where they are exact, as some writers make "1.0".
std::optional<std::int64_t> whole_of(dom::element element) {
  std::int64_t value = 0;
  if (element.get_int64().get(value) == simdjson::SUCCESS) return value;
  double real = 0;
  constexpr double exact = 9007199254740992;  // 2^53
  if (element.get_double().get(real) == simdjson::SUCCESS && std::floor(real) == real &&
      std::abs(real) <= exact) {
    return static_cast<std::int64_t>(real);
  }
  std::string_view text;
  if (element.get_string().get(text) == simdjson::SUCCESS) {
    const Whole read = read_whole(text);
    if (read.fault == NumberFault::none) return read.value;
  }
  return std::nullopt;
}

std::optional<double> number_of(dom::element element) {
  double value = 0;
  if (element.get_double().get(value) == simdjson::SUCCESS) return value;
  std::string_view text;
  if (element.get_string().get(text) == simdjson::SUCCESS) {
    const Decimal read = read_decimal(text);
    if (read.fault == NumberFault::none) return static_cast<double>(read.millionths) / 1e6;
  }
  return std::nullopt;
}

// Null, empty texts, lists and objects, 0, false, and -1, which writers of these formats put for
// unknown, are none.
bool has_value(dom::element element) {
  std::string_view text;
  dom::array array;
  dom::object object;
  if (element.is_null()) return false;
  if (element.get_string().get(text) == simdjson::SUCCESS) return !text.empty();
  if (element.get_array().get(array) == simdjson::SUCCESS) return array.begin() != array.end();
  if (element.get_object().get(object) == simdjson::SUCCESS) return object.begin() != object.end();
  bool truth = true;
  if (element.get_bool().get(truth) == simdjson::SUCCESS) return truth;
  const auto whole = whole_of(element);
  return whole != -1 && whole != 0;
}

}  // namespace

std::string shown_json(dom::element element) {
  if (element.is_object()) return "an object";
  if (element.is_array()) return "an array";
  return shown(simdjson::minify(element));
}

JsonFields::JsonFields(dom::object object, const JsonPlace& place)
    : object_(object), place_(place), begin_(place.fields.size()) {
  const auto end = object.end();
  for (auto field = object.begin(); field != end; ++field) {
    place.fields.push_back({field.key(), field.value(), false});
  }
  end_ = place.fields.size();
}

JsonFields::~JsonFields() {
  if (place_.ignored != nullptr) {
    for (std::size_t i = begin_; i < end_; ++i) {
      const JsonPlace::Field& field = place_.fields[i];
      if (!field.is_asked_for && has_value(field.value)) place_.ignored->add(field.key);
    }
  }
  const auto begin = place_.fields.begin() + static_cast<std::ptrdiff_t>(begin_);
  place_.fields.erase(begin, place_.fields.end());
}

std::optional<dom::element> JsonFields::find(std::string_view key) const {
  JsonPlace::Field* const fields = place_.fields.data();
  for (std::size_t i = begin_; i < end_; ++i) {
    if (fields[i].key != key) continue;
    fields[i].is_asked_for = true;
    if (fields[i].value.is_null()) return std::nullopt;
    return fields[i].value;
  }
  return std::nullopt;
}

bool JsonFields::bad(BadRow reason, std::string_view key, std::string_view expected,
                     std::string_view got) const {
  place_.bad_rows.add(reason, place_.line, fmt::format("{}, {}", place_.place, key), expected, got);
  return false;
}

std::optional<dom::element> JsonFields::need(std::string_view key,
                                             std::string_view expected) const {
  const auto found = find(key);
  if (!found) bad(BadRow::columns, key, expected, "nothing");
  return found;
}

bool JsonFields::read_whole(std::string_view key, dom::element element, std::int64_t low,
                            std::int64_t high, std::int64_t& value) const {
  const auto read = whole_of(element);
  if (!read) return bad(BadRow::number, key, "a whole number", shown_json(element));
  if (*read < low || *read > high) {
    return bad(*read < 0 && low >= 0 ? BadRow::negative : BadRow::out_of_range, key,
               fmt::format("a whole number from {} to {}", low, high), shown_json(element));
  }
  value = *read;
  return true;
}

bool JsonFields::read_number(std::string_view key, dom::element element, double low, double high,
                             double& value) const {
  const auto read = number_of(element);
  if (!read) return bad(BadRow::number, key, "a number", shown_json(element));
  if (!(*read >= low && *read <= high)) {
    return bad(*read < 0 && low >= 0 ? BadRow::negative : BadRow::out_of_range, key,
               fmt::format("a number from {} to {}", low, high), shown_json(element));
  }
  value = *read;
  return true;
}

bool JsonFields::read_text(std::string_view key, dom::element element,
                           std::string_view& value) const {
  if (element.get_string().get(value) == simdjson::SUCCESS) return true;
  if (!element.is_number()) return bad(BadRow::text, key, "text", shown_json(element));
  value = place_.digits.keep(simdjson::minify(element));
  return true;
}

bool JsonFields::optional_whole(std::string_view key, std::int64_t low, std::int64_t high,
                                std::int64_t& value) const {
  const auto found = find(key);
  return !found || read_whole(key, *found, low, high, value);
}

bool JsonFields::optional_number(std::string_view key, double low, double high,
                                 double& value) const {
  const auto found = find(key);
  return !found || read_number(key, *found, low, high, value);
}

bool JsonFields::optional_text(std::string_view key, std::string_view& value) const {
  const auto found = find(key);
  return !found || read_text(key, *found, value);
}

bool JsonFields::optional_text(std::string_view key, std::string& value) const {
  std::string_view text = value;
  if (!optional_text(key, text)) return false;
  if (text.data() != value.data()) value = text;
  return true;
}

bool JsonFields::whole(std::string_view key, std::int64_t low, std::int64_t high,
                       std::int64_t& value) const {
  const auto found = need(key, "a whole number");
  return found && read_whole(key, *found, low, high, value);
}

bool JsonFields::number(std::string_view key, double low, double high, double& value) const {
  const auto found = need(key, "a number");
  return found && read_number(key, *found, low, high, value);
}

bool JsonFields::text(std::string_view key, std::string_view& value) const {
  const auto found = need(key, "text");
  return found && read_text(key, *found, value);
}

bool JsonFields::text(std::string_view key, std::string& value) const {
  std::string_view text;
  if (!this->text(key, text)) return false;
  value = text;
  return true;
}

bool JsonFields::array(std::string_view key, std::optional<dom::array>& value) const {
  value.reset();
  const auto found = find(key);
  if (!found) return true;
  dom::array array;
  if (found->get_array().get(array) != simdjson::SUCCESS) {
    return bad(BadRow::text, key, "an array", shown_json(*found));
  }
  value = array;
  return true;
}

}  // namespace tracebed
