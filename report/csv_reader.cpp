#include "report/csv_reader.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {

CsvReader::CsvReader(const std::filesystem::path& path, std::string_view header)
    : path_(path.string()), file_(path) {
  const std::string_view bytes = file_.bytes();
  const std::string_view first = bytes.substr(0, bytes.find('\n'));
  if (first != header) {
    throw InputError(fmt::format("{}:1: expected the header \"{}\", got \"{}\"", path_, header,
                                 first.substr(0, 200)));
  }
  split_row();
  columns_.assign(fields_.begin(), fields_.end());
}

bool CsvReader::next_row() {
  if (position_ >= file_.bytes().size()) return false;
  split_row();
  if (fields_.size() != columns_.size()) {
    refuse_row(fmt::format("expected {} fields, got {}", columns_.size(), fields_.size()));
  }
  return true;
}

void CsvReader::split_row() {
  const std::string_view bytes = file_.bytes();
  line_ = next_line_;
  fields_.clear();
  field_ = 0;
  unquoted_used_ = 0;
  while (true) {
    if (position_ < bytes.size() && bytes[position_] == '"') {
      if (unquoted_used_ == unquoted_.size()) unquoted_.emplace_back();
      std::string& value = unquoted_[unquoted_used_++];
      position_ = quoted_field(bytes, position_ + 1, value);
      fields_.emplace_back();  // set below, when unquoted_ does not move any more
    } else {
      std::size_t stop = bytes.find_first_of(",\n", position_);
      if (stop == std::string_view::npos) refuse_row("the file ends inside this row");
      fields_.push_back(bytes.substr(position_, stop - position_));
      position_ = stop;
    }
    if (position_ >= bytes.size()) refuse_row("the file ends inside this row");
    const char separator = bytes[position_++];
    if (separator == '\n') break;
    if (separator != ',') refuse_row("expected a comma after a closing quote");
  }
  ++next_line_;
  std::size_t unquoted = 0;
  for (std::string_view& field : fields_) {
    if (field.data() == nullptr) field = unquoted_[unquoted++];
  }
}

std::size_t CsvReader::quoted_field(std::string_view bytes, std::size_t from, std::string& value) {
  value.clear();
  while (true) {
    const std::size_t quote = bytes.find('"', from);
    if (quote == std::string_view::npos) refuse_row("a quoted field has no closing quote");
    value.append(bytes, from, quote - from);
    if (quote + 1 >= bytes.size() || bytes[quote + 1] != '"') {
      for (char letter : value) next_line_ += letter == '\n' ? 1 : 0;
      return quote + 1;
    }
    value.push_back('"');
    from = quote + 2;
  }
}

std::string_view CsvReader::text() {
  TRACEBED_CHECK(field_ < fields_.size(), "a row is read no further than its last field");
  return fields_[field_++];
}

std::int64_t CsvReader::integer() {
  const std::string_view field = text();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size()) refuse("a whole number");
  return value;
}

std::uint32_t CsvReader::count() {
  const std::int64_t value = integer();
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) {
    refuse("a whole number from 0 to 4294967295");
  }
  return static_cast<std::uint32_t>(value);
}

double CsvReader::real() {
  const std::string_view field = text();
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(value)) {
    refuse("a number");
  }
  return value;
}

bool CsvReader::skip_empty() {
  TRACEBED_CHECK(field_ < fields_.size(), "a row is read no further than its last field");
  if (!fields_[field_].empty()) return false;
  ++field_;
  return true;
}

void CsvReader::refuse(std::string_view expected) const {
  throw InputError(fmt::format("{}:{}: {}: expected {}, got \"{}\"", path_, line_,
                               columns_[field_ - 1], expected, fields_[field_ - 1].substr(0, 200)));
}

void CsvReader::refuse_row(std::string_view what) const {
  throw InputError(fmt::format("{}:{}: {}", path_, line_, what));
}

}  // namespace tracebed
