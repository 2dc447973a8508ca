// Rows of a table in text: columns between separators, without quotes (no trace that is read here
// has any). Every accessor that finds an error reports the row as bad, naming line and column, and
// returns false.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "traces/parts/bad_rows.h"

namespace tracebed {

// The parts of `line` between separators; empty ones count. Returns how many there are; the first
// ones are stored in `columns`, as many as fit. 64 bytes after the line must be readable, as they
// are after those of LineReader.
std::size_t split_line(std::string_view line, char separator, std::span<std::string_view> columns);
// The same of any text, and all of them. `columns` is reused.
void split_columns(std::string_view line, char separator, std::vector<std::string_view>& columns);

// One row and its errors.
class CsvRow {
 public:
  // `names` are those of the columns, in order, for messages. Both outlive the row.
  CsvRow(std::span<const std::string_view> names, BadRows& bad_rows)
      : names_(names), bad_rows_(bad_rows), columns_(names.size()), expected_(names.size()) {}

  // From now on rows have the first `columns` alone; the others are empty.
  void expect(std::size_t columns) { expected_ = columns; }

  // The columns are those of `line`, the file's line `number`, as LineReader gave it. False, and
  // reported, if there are more or fewer than expected: as many as names, unless said otherwise.
  bool assign(std::string_view line, std::uint64_t number, char separator = ',');

  std::string_view at(std::size_t column) const { return columns_[column]; }
  bool has(std::size_t column) const { return !columns_[column].empty(); }
  std::uint64_t line_number() const { return line_number_; }

  // The column as a number in [low, high]; false, and reported, if it is not one.
  bool whole(std::size_t column, std::int64_t low, std::int64_t high, std::int64_t& value);
  // A decimal, in millionths of it; low and high are too.
  bool decimal(std::size_t column, std::int64_t low, std::int64_t high, std::int64_t& millionths);
  // Not empty, and UTF-8.
  bool text(std::size_t column, std::string_view& value);

  // Reports the row as bad: throws, or counts it. Always false.
  bool bad(BadRow reason, std::size_t column, std::string_view expected);
  bool bad_row(BadRow reason, std::string_view expected, std::string_view got);

 private:
  std::string place_of(std::size_t column) const;

  std::span<const std::string_view> names_;
  BadRows& bad_rows_;
  std::vector<std::string_view> columns_;
  std::size_t expected_;
  std::uint64_t line_number_ = 0;
};

}  // namespace tracebed
