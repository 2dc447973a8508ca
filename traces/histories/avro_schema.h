// An Avro schema, as far as reading binary data needs it (Avro specification 1.11, "Schema
// Declaration").
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace tracebed {

enum class AvroKind : std::uint8_t {
  null_value,
  boolean,
  whole,        // int or long, which look the same
  float_value,  // 4 bytes
  double_value,
  text,  // string or bytes, which look the same
  record,
  enumeration,
  array,
  map,
  any_of,  // a union
  fixed,
};

struct AvroType {
  AvroKind kind = AvroKind::null_value;
  // What stands for it in a union in Avro's JSON: "long", "string", a record's full name.
  std::string name;
  // Positions in the schema: of a record's fields, a union's branches, an array's or a map's one
  // kind of item.
  std::vector<std::size_t> parts;
  std::vector<std::string> words;  // a record's names of fields, an enumeration's symbols
  std::size_t size = 0;            // of `fixed`, in bytes
};

struct AvroSchema {
  std::vector<AvroType> types;  // a type that is named again has the same position
  std::size_t root = 0;
};

// The error completes "expected an Avro schema, got …".
Result<AvroSchema> parse_avro_schema(std::string_view json);

}  // namespace tracebed
