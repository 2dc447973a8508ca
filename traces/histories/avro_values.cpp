#include "traces/histories/avro_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace tracebed {
namespace {

constexpr std::size_t buffer_bytes = 64 << 10;
constexpr std::size_t depth_max = 64;

}  // namespace

AvroValues::AvroValues(AvroSchema schema, std::unique_ptr<ByteSource> bytes,
                       std::size_t value_bytes_max)
    : schema_(std::move(schema)),
      bytes_(std::move(bytes)),
      value_bytes_max_(value_bytes_max),
      buffer_(buffer_bytes) {}

AvroValues::Outcome AvroValues::next(std::string& json) {
  if (!defect_.empty()) return Outcome::defect;
  if (begin_ == end_ && !fill()) {
    if (bytes_->defect().empty()) return Outcome::end;
    defect_ = bytes_->defect();
    return Outcome::defect;
  }
  json.clear();
  json_ = &json;
  ++number_;
  return value(schema_.root, 0) ? Outcome::value : Outcome::defect;
}

bool AvroValues::bad(std::string_view what) {
  if (defect_.empty()) defect_ = what;
  return false;
}

bool AvroValues::fill() {
  begin_ = 0;
  end_ = bytes_->read(buffer_);
  return end_ > 0;
}

bool AvroValues::read_byte(std::uint8_t& byte) {
  if (begin_ == end_ && !fill()) {
    return bad(bytes_->defect().empty() ? "a value that is cut short" : bytes_->defect());
  }
  byte = static_cast<std::uint8_t>(buffer_[begin_++]);
  return true;
}

// Seven bits a byte, the lowest first; the sign is the lowest bit of all.
bool AvroValues::read_whole(std::int64_t& value) {
  std::uint64_t bits = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    std::uint8_t byte = 0;
    if (!read_byte(byte)) return false;
    bits |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) {
      value = static_cast<std::int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
      return true;
    }
  }
  return bad("a number of more than 64 bits");
}

bool AvroValues::read_count(std::int64_t limit, std::string_view what, std::size_t& count) {
  std::int64_t value = 0;
  if (!read_whole(value)) return false;
  if (value < 0 || value >= limit) return bad(what);
  count = static_cast<std::size_t>(value);
  return true;
}

bool AvroValues::copy(std::size_t count, std::string& to) {
  to.clear();
  if (count > value_bytes_max_) return bad("a text longer than the largest value allowed");
  while (to.size() < count) {
    if (begin_ == end_ && !fill()) {
      return bad(bytes_->defect().empty() ? "a text that is cut short" : bytes_->defect());
    }
    const std::size_t part = std::min(count - to.size(), end_ - begin_);
    to.append(buffer_.data() + begin_, part);
    begin_ += part;
  }
  return true;
}

// The one place where a value grows, so that none grows without end.
bool AvroValues::write(std::string_view text) {
  if (json_->size() + text.size() > value_bytes_max_) {
    return bad(fmt::format("a value longer than {} bytes", value_bytes_max_));
  }
  json_->append(text);
  return true;
}

bool AvroValues::write_text(std::string_view text) {
  std::string escaped = "\"";
  for (const char each : text) {
    const auto code = static_cast<unsigned char>(each);
    if (each == '"' || each == '\\') {
      escaped += {'\\', each};
    } else if (code < 0x20) {
      escaped += fmt::format("\\u{:04x}", code);
    } else {
      escaped += each;
    }
  }
  return write(escaped += '"');
}

bool AvroValues::value(std::size_t position, std::size_t depth) {
  if (depth > depth_max) return bad("values nested more than 64 deep");
  const AvroType& type = schema_.types[position];
  std::int64_t number = 0;
  std::uint8_t byte = 0;
  std::size_t count = 0;
  switch (type.kind) {
    case AvroKind::null_value:
      return write("null");
    case AvroKind::boolean:
      if (!read_byte(byte)) return false;
      return byte > 1 ? bad("a boolean of neither 0 nor 1") : write(byte == 1 ? "true" : "false");
    case AvroKind::whole:
      return read_whole(number) && write(std::to_string(number));
    case AvroKind::float_value:
      return floating(sizeof(float));
    case AvroKind::double_value:
      return floating(sizeof(double));
    case AvroKind::text:
      return read_count(std::numeric_limits<std::int64_t>::max(), "a text of no length", count) &&
             text(count);
    case AvroKind::fixed:
      return text(type.size);
    case AvroKind::enumeration:
      return read_count(static_cast<std::int64_t>(type.words.size()),
                        "a symbol that its enum does not have", count) &&
             write_text(type.words[count]);
    case AvroKind::record:
      return record(type, depth);
    case AvroKind::any_of:
      return any_of(type, depth);
    case AvroKind::array:
    case AvroKind::map:
      return items(type, depth);
  }
  return bad("a type that is none");
}

bool AvroValues::text(std::size_t bytes) {
  return copy(bytes, text_) && write_text(text_);
}

bool AvroValues::floating(std::size_t bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    std::uint8_t byte = 0;
    if (!read_byte(byte)) return false;
    bits |= std::uint64_t{byte} << (8 * i);
  }
  const double number = bytes == sizeof(double)
                            ? std::bit_cast<double>(bits)
                            : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  // JSON has no word for these, and no number.
  return write(std::isfinite(number) ? fmt::format("{}", number) : "null");
}

bool AvroValues::record(const AvroType& type, std::size_t depth) {
  if (!write("{")) return false;
  for (std::size_t i = 0; i < type.parts.size(); ++i) {
    if ((i > 0 && !write(",")) || !write_text(type.words[i]) || !write(":")) return false;
    if (!value(type.parts[i], depth + 1)) return false;
  }
  return write("}");
}

bool AvroValues::any_of(const AvroType& type, std::size_t depth) {
  std::size_t branch = 0;
  if (!read_count(static_cast<std::int64_t>(type.parts.size()),
                  "a branch that its union does not have", branch)) {
    return false;
  }
  const AvroType& chosen = schema_.types[type.parts[branch]];
  if (chosen.kind == AvroKind::null_value) return write("null");
  return write("{") && write_text(chosen.name) && write(":") &&
         value(type.parts[branch], depth + 1) && write("}");
}

// Blocks of items: how many, then these; none is the end. A count below zero is followed by the
// block's size in bytes.
bool AvroValues::items(const AvroType& type, std::size_t depth) {
  const bool is_map = type.kind == AvroKind::map;
  if (!write(is_map ? "{" : "[")) return false;
  for (bool is_first = true;;) {
    std::int64_t count = 0;
    if (!read_whole(count)) return false;
    if (count == 0) return write(is_map ? "}" : "]");
    std::int64_t size = 0;
    if (count < 0 && !read_whole(size)) return false;
    auto left =
        count < 0 ? ~static_cast<std::uint64_t>(count) + 1 : static_cast<std::uint64_t>(count);
    for (; left > 0; --left, is_first = false) {
      if (!is_first && !write(",")) return false;
      if (is_map) {
        std::size_t bytes = 0;
        if (!read_count(std::numeric_limits<std::int64_t>::max(), "a text of no length", bytes) ||
            !text(bytes) || !write(":")) {
          return false;
        }
      }
      if (!value(type.parts.front(), depth + 1)) return false;
    }
  }
}

}  // namespace tracebed
