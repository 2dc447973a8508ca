// Reading and writing a JSON object by one description of its fields: a function that names every
// field once, called with a JsonOutput to write and a JsonInput to read. So writing and reading
// agree.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "report/percentiles.h"
#include "report/run_description.h"

namespace tracebed {

using Json = nlohmann::ordered_json;

class JsonOutput {
 public:
  explicit JsonOutput(Json& object) : object_(object) { object_ = Json::object(); }

  template <class T>
  void operator()(const char* key, const T& value) {
    put(object_[key], value);
  }
  // A nested object, whose fields `describe(nested)` names.
  template <class Describe>
  void object(const char* key, Describe describe) {
    JsonOutput nested(object_[key]);
    describe(nested);
  }
  // A list of objects, `describe(nested, element)` each.
  template <class T, class Describe>
  void list(const char* key, const std::vector<T>& elements, Describe describe) {
    Json& array = object_[key] = Json::array();
    for (const T& element : elements) {
      JsonOutput nested(array.emplace_back());
      describe(nested, element);
    }
  }

 private:
  template <class T>
  static void put(Json& at, const T& value) {
    at = value;
  }
  template <class T>
  static void put(Json& at, const std::vector<std::pair<std::string, T>>& values) {
    at = Json::object();
    for (const auto& [key, value] : values) at[key] = value;
  }

  Json& object_;
};

// Throws InputError naming the file and the key.
class JsonInput {
 public:
  // `object` is the whole of `file`.
  JsonInput(const Json& object, std::string file) : JsonInput(object, std::move(file), ": ") {}

  template <class T>
  void operator()(const char* key, T& value) {
    get(at(key), place(key), value);
  }
  template <class Describe>
  void object(const char* key, Describe describe) {
    JsonInput nested(at(key), place(key), ".");
    describe(nested);
  }
  template <class T, class Describe>
  void list(const char* key, std::vector<T>& elements, Describe describe) {
    const Json& array = at(key);
    const std::string where = place(key);
    if (!array.is_array()) refuse(where, "an array", array);
    elements.clear();
    for (std::size_t i = 0; i < array.size(); ++i) {
      JsonInput nested(array[i], where + "[" + std::to_string(i) + "]", ".");
      describe(nested, elements.emplace_back());
    }
  }
  bool has(const char* key) const { return object_.contains(key); }
  // Throws about a field whose value has the right type but is not valid.
  [[noreturn]] void refuse_value(const char* key, std::string_view expected) const {
    refuse(place(key), expected, object_.at(key));
  }

 private:
  // `where` names the file and the keys down to this object, and `separator` separates the next key
  // from it.
  JsonInput(const Json& object, std::string where, const char* separator)
      : object_(object), where_(std::move(where)), separator_(separator) {
    if (!object_.is_object()) refuse(where_, "an object", object_);
  }

  std::string place(const char* key) const { return where_ + separator_ + key; }
  const Json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) throw InputError(place(key) + ": this key is missing");
    return *found;
  }
  [[noreturn]] static void refuse(const std::string& where, std::string_view expected,
                                  const Json& got) {
    const std::string text = got.dump(-1, ' ', false, Json::error_handler_t::replace);
    throw InputError(where + ": expected " + std::string(expected) + ", got " +
                     text.substr(0, 200));
  }

  static void get(const Json& from, const std::string& where, std::string& value) {
    if (!from.is_string()) refuse(where, "a string", from);
    value = from.get<std::string>();
  }
  static void get(const Json& from, const std::string& where, bool& value) {
    if (!from.is_boolean()) refuse(where, "true or false", from);
    value = from.get<bool>();
  }
  static void get(const Json& from, const std::string& where, double& value) {
    if (!from.is_number()) refuse(where, "a number", from);
    value = from.get<double>();
  }
  static void get(const Json& from, const std::string& where, std::int64_t& value) {
    if (!from.is_number_integer() ||
        (from.is_number_unsigned() && from.get<std::uint64_t>() > std::uint64_t{INT64_MAX})) {
      refuse(where, "a whole number", from);
    }
    value = from.get<std::int64_t>();
  }
  static void get(const Json& from, const std::string& where, std::uint64_t& value) {
    if (!from.is_number_unsigned()) refuse(where, "a whole number of at least 0", from);
    value = from.get<std::uint64_t>();
  }
  static void get(const Json& from, const std::string& where, std::uint32_t& value) {
    if (!from.is_number_unsigned() || from.get<std::uint64_t>() > UINT32_MAX) {
      refuse(where, "a whole number from 0 to 4294967295", from);
    }
    value = from.get<std::uint32_t>();
  }
  template <class T>
  static void get(const Json& from, const std::string& where, std::vector<T>& values) {
    if (!from.is_array()) refuse(where, "an array", from);
    values.clear();
    for (std::size_t i = 0; i < from.size(); ++i) {
      get(from[i], where + "[" + std::to_string(i) + "]", values.emplace_back());
    }
  }
  template <class T>
  static void get(const Json& from, const std::string& where,
                  std::vector<std::pair<std::string, T>>& values) {
    if (!from.is_object()) refuse(where, "an object", from);
    values.clear();
    for (const auto& [key, value] : from.items()) {
      get(value, where + "." + key, values.emplace_back(key, T{}).second);
    }
  }

  const Json& object_;
  std::string where_;
  const char* separator_;
};

// The fields of a Spread, under `key`.
template <class Fields, class SpreadType>
void spread_fields(Fields& fields, const char* key, SpreadType& spread) {
  fields.object(key, [&](auto& f) {
    f("count", spread.count);
    f("mean", spread.mean);
    f("p50", spread.p50);
    f("p95", spread.p95);
    f("p99", spread.p99);
    f("max", spread.max);
  });
}

}  // namespace tracebed
