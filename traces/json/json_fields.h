// The fields of one JSON object, read with a check; an error is reported as a bad row that names
// the document and the field.
#pragma once

#include <cstdint>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <vector>

#include "traces/parts/bad_rows.h"
#include "traces/parts/ignored_fields.h"
#include "traces/parts/text_arena.h"

namespace tracebed {

// Which document fields belong to, for messages, and the memory for reading them. One serves for
// many documents.
struct JsonPlace {
  BadRows& bad_rows;
  std::uint64_t line = 0;
  std::string place;  // "document at byte 12"

  // Where JsonFields keeps the fields of the objects at hand, each behind those of the object that
  // it was found in.
  struct Field {
    std::string_view key;
    simdjson::dom::element value;
    bool is_asked_for = false;
  };
  mutable std::vector<Field> fields;
  // Numbers that were taken as text.
  mutable TextArena digits;
  // Where fields are counted that have a value which nobody asked for; null: nowhere.
  IgnoredFields* ignored = nullptr;
};

class JsonFields {
 public:
  // Iterates once over the object, since each look-up by simdjson iterates over it. `place`
  // outlives this, and what is made of it later is destroyed before this.
  JsonFields(simdjson::dom::object object, const JsonPlace& place);
  ~JsonFields();
  JsonFields(const JsonFields&) = delete;
  JsonFields& operator=(const JsonFields&) = delete;

  // Calls `visit` with the key of every field; false if it was.
  template <class Visit>
  bool each_key(const Visit& visit) const {
    for (std::size_t i = begin_; i < end_; ++i) {
      if (!visit(place_.fields[i].key)) return false;
    }
    return true;
  }
  // True if the field is present and not null.
  bool has(std::string_view key) const { return find(key).has_value(); }
  // A number in [low, high], or its digits as text. False, and reported, if it is none, or missing.
  bool whole(std::string_view key, std::int64_t low, std::int64_t high, std::int64_t& value) const;
  bool number(std::string_view key, double low, double high, double& value) const;
  // Text; a number is taken as its digits. False, and reported, if it is neither, or missing.
  bool text(std::string_view key, std::string& value) const;
  // The same, except that a missing or null field leaves `value` unchanged. False only if it is
  // invalid.
  bool optional_whole(std::string_view key, std::int64_t low, std::int64_t high,
                      std::int64_t& value) const;
  bool optional_number(std::string_view key, double low, double high, double& value) const;
  bool optional_text(std::string_view key, std::string& value) const;
  // The same as text that is valid as long as the document.
  bool text(std::string_view key, std::string_view& value) const;
  bool optional_text(std::string_view key, std::string_view& value) const;
  // An array; empty where it is missing or null. False, and reported, if it is something else.
  bool array(std::string_view key, std::optional<simdjson::dom::array>& value) const;

  simdjson::dom::object object() const { return object_; }
  const JsonPlace& place() const { return place_; }
  // Reports the document as bad. Always false.
  bool bad(BadRow reason, std::string_view key, std::string_view expected,
           std::string_view got) const;

 private:
  // None if the field is missing or null.
  std::optional<simdjson::dom::element> find(std::string_view key) const;
  // The same, but reported then: `expected` was.
  std::optional<simdjson::dom::element> need(std::string_view key, std::string_view expected) const;
  bool read_whole(std::string_view key, simdjson::dom::element element, std::int64_t low,
                  std::int64_t high, std::int64_t& value) const;
  bool read_number(std::string_view key, simdjson::dom::element element, double low, double high,
                   double& value) const;
  bool read_text(std::string_view key, simdjson::dom::element element,
                 std::string_view& value) const;

  simdjson::dom::object object_;
  const JsonPlace& place_;
  std::size_t begin_;
  std::size_t end_ = 0;
};

// The element as text, cut short, for messages.
std::string shown_json(simdjson::dom::element element);

}  // namespace tracebed
