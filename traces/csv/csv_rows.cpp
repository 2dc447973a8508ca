#include "traces/csv/csv_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

#include "system/utf8.h"
#include "traces/parts/byte_masks.h"
#include "traces/parts/text_numbers.h"

namespace tracebed {

void split_columns(std::string_view line, char separator, std::vector<std::string_view>& columns) {
  columns.clear();
  const char* begin = line.data();
  const char* const end = begin + line.size();
  for (;;) {
    const auto left = static_cast<std::size_t>(end - begin);
    const void* found = left > 0 ? std::memchr(begin, separator, left) : nullptr;
    const char* const stop = found != nullptr ? static_cast<const char*>(found) : end;
    columns.emplace_back(begin, static_cast<std::size_t>(stop - begin));
    if (found == nullptr) return;
    begin = stop + 1;
  }
}

std::size_t split_line(std::string_view line, char separator, std::span<std::string_view> columns) {
  const char* const text = line.data();
  std::size_t count = 0;
  std::size_t begin = 0;
  const auto end_at = [&](std::size_t end) {
    if (count < columns.size()) columns[count] = {text + begin, end - begin};
    ++count;
    begin = end + 1;
  };
  for (std::size_t block = 0; block < line.size(); block += mask_bytes) {
    std::uint64_t found = mask_of(text + block, separator) & low_bits(line.size() - block);
    for (; found != 0; found &= found - 1) {
      end_at(block + static_cast<std::size_t>(std::countr_zero(found)));
    }
  }
  end_at(line.size());
  return count;
}

bool CsvRow::assign(std::string_view line, std::uint64_t number, char separator) {
  line_number_ = number;
  const std::size_t count = split_line(line, separator, columns_);
  if (count == expected_) {
    std::fill(columns_.begin() + static_cast<std::ptrdiff_t>(count), columns_.end(),
              std::string_view());
    return true;
  }
  return bad_row(BadRow::columns, fmt::format("{} columns", expected_),
                 fmt::format("{} columns", count));
}

bool CsvRow::whole(std::size_t column, std::int64_t low, std::int64_t high, std::int64_t& value) {
  const Whole read = scan_whole(at(column));
  if (read.fault == NumberFault::not_a_number) {
    return bad(BadRow::number, column, "a whole number");
  }
  if (read.fault != NumberFault::none || read.value < low || read.value > high) {
    const bool is_negative = at(column).starts_with('-') && low >= 0;
    return bad(is_negative ? BadRow::negative : BadRow::out_of_range, column,
               fmt::format("a whole number from {} to {}", low, high));
  }
  value = read.value;
  return true;
}

bool CsvRow::decimal(std::size_t column, std::int64_t low, std::int64_t high,
                     std::int64_t& millionths) {
  const Decimal read = scan_decimal(at(column));
  if (read.fault == NumberFault::not_a_number) return bad(BadRow::number, column, "a number");
  if (read.fault != NumberFault::none || read.millionths < low || read.millionths > high) {
    const bool is_negative = at(column).starts_with('-') && low >= 0;
    const double per_one = static_cast<double>(millionths_per_one);
    return bad(is_negative ? BadRow::negative : BadRow::out_of_range, column,
               fmt::format("a number from {} to {}", static_cast<double>(low) / per_one,
                           static_cast<double>(high) / per_one));
  }
  millionths = read.millionths;
  return true;
}

bool CsvRow::text(std::size_t column, std::string_view& value) {
  value = at(column);
  if (!value.empty() && (scan_is_ascii(value) || is_utf8(value))) return true;
  return bad(BadRow::text, column, "a name in UTF-8");
}

bool CsvRow::bad(BadRow reason, std::size_t column, std::string_view expected) {
  bad_rows_.add(reason, line_number_, place_of(column), expected, shown(at(column)));
  return false;
}

bool CsvRow::bad_row(BadRow reason, std::string_view expected, std::string_view got) {
  bad_rows_.add(reason, line_number_, "row", expected, got);
  return false;
}

std::string CsvRow::place_of(std::size_t column) const {
  return fmt::format("column {} ({})", column + 1, names_[column]);
}

}  // namespace tracebed
