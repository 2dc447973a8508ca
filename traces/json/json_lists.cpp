#include "traces/json/json_lists.h"

namespace tracebed {

namespace dom = simdjson::dom;

bool each_object(const JsonFields& fields, std::string_view key,
                 const std::function<bool(const JsonFields&)>& visit) {
  std::optional<dom::array> array;
  if (!fields.array(key, array)) return false;
  if (!array) return true;
  for (const dom::element element : *array) {
    dom::object object;
    if (element.get_object().get(object) != simdjson::SUCCESS) {
      return fields.bad(BadRow::text, key, "an array of objects", shown_json(element));
    }
    if (!visit(JsonFields(object, fields.place()))) return false;
  }
  return true;
}

bool each_text(const JsonFields& fields, std::string_view key,
               const std::function<bool(std::string_view)>& visit) {
  std::optional<dom::array> array;
  if (!fields.array(key, array)) return false;
  if (!array) return true;
  for (const dom::element element : *array) {
    std::string_view text;
    if (element.get_string().get(text) != simdjson::SUCCESS) {
      return fields.bad(BadRow::text, key, "an array of texts", shown_json(element));
    }
    if (!visit(text)) return false;
  }
  return true;
}

}  // namespace tracebed
