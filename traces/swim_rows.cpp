#include "traces/swim_rows.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "traces/text_numbers.h"

namespace tracebed {
namespace {

constexpr std::size_t columns_min = 6;
constexpr std::size_t columns_max = 9;

}  // namespace

TraceRows::Kind SwimRows::next() {
  while (next_line()) {
    if (scan_row()) return Kind::row;
  }
  return Kind::end;
}

bool SwimRows::scan_row() {
  std::array<std::string_view, columns_max> columns;
  std::size_t count = 0;
  for (std::string_view rest = text_; count < columns_max; ++count) {
    const std::size_t tab = rest.find('\t');
    columns[count] = rest.substr(0, tab);
    if (tab == std::string_view::npos) break;
    rest.remove_prefix(tab + 1);
  }
  const std::size_t tabs = static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\t'));
  if (tabs + 1 < columns_min || tabs + 1 > columns_max) {
    return bad(BadRow::columns, "row", "6 columns, or 7 to 9 with paths, separated by tabs",
               fmt::format("{} columns", tabs + 1));
  }
  if (columns[0].empty() || !is_utf8(columns[0])) {
    return bad(BadRow::text, "column 1 (job id)", "a name in UTF-8", shown(columns[0]));
  }
  if (!is_utf8(columns[6])) {
    return bad(BadRow::text, "column 7 (input path)", "a path in UTF-8", shown(columns[6]));
  }
  if (!columns[8].empty()) {
    return bad(BadRow::columns, "column 9", "nothing", shown(columns[8]));
  }
  row_.name = columns[0];
  row_.input_path = columns[6];
  return scan_time(columns[1], "column 2 (submit time)", row_.submit) &&
         scan_time(columns[2], "column 3 (gap)", row_.gap) &&
         scan_bytes(columns[3], "column 4 (map input bytes)", row_.input_bytes) &&
         scan_bytes(columns[4], "column 5 (shuffle bytes)", row_.shuffle_bytes) &&
         scan_bytes(columns[5], "column 6 (output bytes)", row_.output_bytes) &&
         in_order(row_.submit);
}

bool SwimRows::scan_time(std::string_view text, std::string_view place, std::int64_t& time) {
  const Decimal number = read_decimal(text);
  if (number.fault == NumberFault::not_a_number) {
    return bad(BadRow::number, place, "seconds", shown(text));
  }
  if (number.millionths < 0) return bad(BadRow::negative, place, "0 or more", shown(text));
  if (number.fault == NumberFault::out_of_range || number.millionths > trace_microseconds_max) {
    return bad(BadRow::out_of_range, place, "at most 1000000000000 s", shown(text));
  }
  time = number.millionths;
  return true;
}

bool SwimRows::scan_bytes(std::string_view text, std::string_view place, std::int64_t& bytes) {
  const Whole number = read_whole(text);
  if (number.fault == NumberFault::not_a_number) {
    return bad(BadRow::number, place, "a whole number of bytes", shown(text));
  }
  if (number.fault == NumberFault::out_of_range) {
    return bad(BadRow::out_of_range, place, "at most 9223372036854775807 bytes", shown(text));
  }
  if (number.value < 0) return bad(BadRow::negative, place, "0 or more", shown(text));
  bytes = number.value;
  return true;
}

}  // namespace tracebed
