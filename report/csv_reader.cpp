#include "report/csv_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/check.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr std::size_t window_bytes = std::size_t{1} << 20;

}  // namespace

CsvReader::CsvReader(const std::filesystem::path& path, std::string_view header,
                     InputWitness* witness)
    : path_(path.string()), file_(open_rows(path, witness)) {
  move_window(0, std::max(window_bytes, header.size() + 1));
  const std::string_view first = window_.substr(0, window_.find('\n'));
  if (first != header) {
    throw InputError(fmt::format("{}:1: expected the header \"{}\", got \"{}\"", path_, header,
                                 first.substr(0, 200)));
  }
  split_row();
  columns_.assign(fields_.begin(), fields_.end());
}

void CsvReader::move_window(std::uint64_t begin, std::size_t bytes) {
  window_ = file_->part(begin, bytes);
  begin_ = begin;
  position_ = 0;
}

bool CsvReader::next_row() {
  if (position_ >= window_.size() && is_window_last()) return false;
  split_row();
  if (fields_.size() != columns_.size()) {
    refuse_row(fmt::format("expected {} fields, got {}", columns_.size(), fields_.size()));
  }
  return true;
}

void CsvReader::split_row() {
  line_ = next_line_;
  const std::uint64_t begin = begin_ + position_;
  for (std::size_t size = window_bytes; !try_split_row(); size *= 2) {
    if (is_window_last()) {
      refuse_row(ends_in_quotes_ ? "a quoted field has no closing quote"
                                 : "the file ends inside this row");
    }
    move_window(begin, size);
    next_line_ = line_;
  }
}

bool CsvReader::try_split_row() {
  fields_.clear();
  field_ = 0;
  unquoted_used_ = 0;
  ends_in_quotes_ = false;
  while (true) {
    if (position_ < window_.size() && window_[position_] == '"') {
      if (unquoted_used_ == unquoted_.size()) unquoted_.emplace_back();
      std::string& value = unquoted_[unquoted_used_++];
      const std::optional<std::size_t> end = quoted_field(position_ + 1, value);
      if (!end) return false;
      position_ = *end;
      fields_.emplace_back();  // set below, when unquoted_ does not move any more
    } else {
      const std::size_t stop = window_.find_first_of(",\n", position_);
      if (stop == std::string_view::npos) return false;
      fields_.push_back(window_.substr(position_, stop - position_));
      position_ = stop;
    }
    if (position_ >= window_.size()) return false;
    const char separator = window_[position_++];
    if (separator == '\n') break;
    if (separator != ',') refuse_row("expected a comma after a closing quote");
  }
  ++next_line_;
  std::size_t unquoted = 0;
  for (std::string_view& field : fields_) {
    if (field.data() == nullptr) field = unquoted_[unquoted++];
  }
  return true;
}

std::optional<std::size_t> CsvReader::quoted_field(std::size_t from, std::string& value) {
  value.clear();
  while (true) {
    const std::size_t quote = window_.find('"', from);
    // What follows the last byte of a window may be another quote.
    const bool is_inside = quote == std::string_view::npos;
    if (is_inside || (quote + 1 >= window_.size() && !is_window_last())) {
      ends_in_quotes_ = is_inside;
      return std::nullopt;
    }
    value.append(window_, from, quote - from);
    if (quote + 1 >= window_.size() || window_[quote + 1] != '"') {
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
