// Values in Avro's binary encoding, one after the other, as texts in its JSON encoding (Avro
// specification 1.11, "Binary Encoding" and "JSON Encoding").
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "traces/histories/avro_schema.h"
#include "traces/parts/byte_source.h"

namespace tracebed {

class AvroValues {
 public:
  // A value whose text is longer than `value_bytes_max` is refused.
  AvroValues(AvroSchema schema, std::unique_ptr<ByteSource> bytes, std::size_t value_bytes_max);

  enum class Outcome { value, end, defect };
  // `json` is replaced. After a defect nothing more can be read.
  Outcome next(std::string& json);
  // What is wrong: completes "expected values in Avro's binary encoding, got …".
  const std::string& defect() const { return defect_; }
  // Of the value read last, from 1.
  std::uint64_t number() const { return number_; }

 private:
  bool bad(std::string_view what);
  bool fill();
  bool read_byte(std::uint8_t& byte);
  bool read_whole(std::int64_t& value);
  bool read_count(std::int64_t limit, std::string_view what, std::size_t& count);
  bool copy(std::size_t count, std::string& to);
  bool write(std::string_view text);
  bool write_text(std::string_view text);

  bool value(std::size_t type, std::size_t depth);
  bool floating(std::size_t bytes);
  bool text(std::size_t bytes);
  bool record(const AvroType& type, std::size_t depth);
  bool any_of(const AvroType& type, std::size_t depth);
  bool items(const AvroType& type, std::size_t depth);

  AvroSchema schema_;
  std::unique_ptr<ByteSource> bytes_;
  std::size_t value_bytes_max_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::string* json_ = nullptr;
  std::string text_;
  std::string defect_;
  std::uint64_t number_ = 0;
};

}  // namespace tracebed
