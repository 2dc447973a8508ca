// Arrays within documents, walked with a check of every element. Missing arrays are empty ones.
#pragma once

#include <optional>
#include <string_view>

#include "traces/json/json_fields.h"

namespace tracebed {

// Visits every element of the array `key`, all of which are of simdjson's type Element. False if
// `visit` was, or if something of another kind is in it, which is reported: `expected` was.
template <class Element, class Visit>
bool each_element(const JsonFields& fields, std::string_view key, std::string_view expected,
                  const Visit& visit) {
  std::optional<simdjson::dom::array> array;
  if (!fields.array(key, array)) return false;
  if (!array) return true;
  for (const simdjson::dom::element element : *array) {
    Element value;
    if (element.get<Element>().get(value) != simdjson::SUCCESS) {
      return fields.bad(BadRow::text, key, expected, shown_json(element));
    }
    if (!visit(value)) return false;
  }
  return true;
}

// Visits every object of the array as JsonFields.
template <class Visit>
bool each_object(const JsonFields& fields, std::string_view key, const Visit& visit) {
  return each_element<simdjson::dom::object>(
      fields, key, "an array of objects",
      [&](simdjson::dom::object object) { return visit(JsonFields(object, fields.place())); });
}

// Visits every text.
template <class Visit>
bool each_text(const JsonFields& fields, std::string_view key, const Visit& visit) {
  return each_element<std::string_view>(fields, key, "an array of texts", visit);
}

}  // namespace tracebed
