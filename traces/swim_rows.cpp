#include "traces/swim_rows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

#include "system/utf8.h"
#include "traces/parts/text_numbers.h"

namespace tracebed {
namespace {

// From `at` to the next tab.
std::string_view column_at(const char* at, const char* end) {
  const char* tab = std::find(at, end, '\t');
  return {at, static_cast<std::size_t>(tab - at)};
}

}  // namespace

TraceRows::Kind SwimRows::next() {
  while (next_line()) {
    if (scan_row()) return Kind::row;
  }
  return Kind::end;
}

std::string_view SwimRows::text_below(std::string_view row, std::int64_t submit,
                                      std::optional<std::int64_t> above) {
  const std::size_t gap = row.find('\t', row.find('\t') + 1) + 1;
  moved_text_.assign(row.substr(0, gap));
  moved_text_ += decimal_text(submit - above.value_or(0));
  moved_text_ += row.substr(row.find('\t', gap));
  return moved_text_;
}

bool SwimRows::scan_row() {
  const char* at = text_.data();
  const auto* name_end = static_cast<const char*>(std::memchr(at, '\t', text_.size()));
  if (name_end == nullptr) return wrong_columns();
  row_.name = {at, static_cast<std::size_t>(name_end - at)};
  if (row_.name.empty() || !is_utf8(row_.name)) {
    return bad(BadRow::text, "column 1 (job id)", "a name in UTF-8", shown(row_.name));
  }
  at = name_end + 1;
  more_ = true;
  if (!scan_time(at, "column 2 (submit time)", row_.submit) ||
      !scan_time(at, "column 3 (gap)", row_.gap) ||
      !scan_bytes(at, "column 4 (map input bytes)", row_.input_bytes) ||
      !scan_bytes(at, "column 5 (shuffle bytes)", row_.shuffle_bytes) ||
      !scan_bytes(at, "column 6 (output bytes)", row_.output_bytes)) {
    return false;
  }
  row_.input_path = {};
  row_.has_output_path = false;
  const char* end = text_.data() + text_.size();
  if (more_ && !scan_paths({at, static_cast<std::size_t>(end - at)})) return false;
  return in_order(row_.submit);
}

bool SwimRows::wrong_columns() {
  const auto tabs = std::count(text_.begin(), text_.end(), '\t');
  return bad(BadRow::columns, "row", "6 columns, or 7 to 9 with paths, separated by tabs",
             fmt::format("{} columns", tabs + 1));
}

// Whether `at` stands at the end of its column; then it is moved on to the next one.
bool SwimRows::end_column(const char*& at) {
  const char* end = text_.data() + text_.size();
  if (at != end && *at != '\t') return false;
  more_ = at != end;
  if (more_) ++at;
  return true;
}

bool SwimRows::scan_time(const char*& at, std::string_view place, std::int64_t& time) {
  if (!more_) return wrong_columns();
  const char* end = text_.data() + text_.size();
  const char* start = at;
  const Decimal number = scan_decimal(at, end);
  time = number.millionths;
  const bool ends = end_column(at);
  if (ends && number.fault == NumberFault::none && time >= 0 && time <= trace_microseconds_max)
      [[likely]] {
    return true;
  }
  const std::string text = shown(column_at(start, end));
  if (!ends || number.fault == NumberFault::not_a_number) {
    return bad(BadRow::number, place, "seconds", text);
  }
  if (time < 0) return bad(BadRow::negative, place, "0 or more", text);
  return bad(BadRow::out_of_range, place, "at most 1000000000000 s", text);
}

bool SwimRows::scan_bytes(const char*& at, std::string_view place, std::int64_t& bytes) {
  if (!more_) return wrong_columns();
  const char* end = text_.data() + text_.size();
  const char* start = at;
  if (scan_digits(at, end, bytes) && end_column(at)) [[likely]]
    return true;
  const std::string_view text = column_at(start, end);
  const Whole number = read_whole(text);
  if (number.fault == NumberFault::not_a_number) {
    return bad(BadRow::number, place, "a whole number of bytes", shown(text));
  }
  if (number.fault == NumberFault::out_of_range) {
    return bad(BadRow::out_of_range, place, "at most 9223372036854775807 bytes", shown(text));
  }
  if (number.value < 0) return bad(BadRow::negative, place, "0 or more", shown(text));
  bytes = number.value;
  at = text.data() + text.size();
  return end_column(at);
}

bool SwimRows::scan_paths(std::string_view rest) {
  std::array<std::string_view, 3> columns;  // input path, output path, nothing
  for (std::size_t i = 0;; ++i) {
    if (i == columns.size()) return wrong_columns();
    columns[i] = column_at(rest.data(), rest.data() + rest.size());
    if (columns[i].size() == rest.size()) break;
    rest.remove_prefix(columns[i].size() + 1);
  }
  if (!is_utf8(columns[0])) {
    return bad(BadRow::text, "column 7 (input path)", "a path in UTF-8", shown(columns[0]));
  }
  if (!columns[2].empty()) return bad(BadRow::columns, "column 9", "nothing", shown(columns[2]));
  row_.input_path = columns[0];
  row_.has_output_path = !columns[1].empty();
  return true;
}

}  // namespace tracebed
