// The lines of a trace that hold text; a defect of a line as such is a bad row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "traces/parts/bad_rows.h"
#include "traces/parts/line_reader.h"

namespace tracebed {

// Whether the line is one of names for the columns of those below it: two columns or more between
// separators, none of them empty or a number. `separators` are "," or "\t" or " \t", where several
// in a row are one.
bool is_header_row(std::string_view line, std::string_view separators);
// What readers note of a file that has one.
inline constexpr std::string_view header_note = "a header row, which is skipped";

class TextLines {
 public:
  // If `separators` are given, a first line that is a header row is skipped; what begins with ';'
  // before it is a comment, and no first line.
  explicit TextLines(LineReader lines, std::string_view separators = {})
      : lines_(std::move(lines)), separators_(separators), may_be_header_(!separators.empty()) {}

  // The next line that is not blank; false at the end. `line` is valid until the next call. Throws
  // InputError if the bytes are damaged.
  bool next(BadRows& bad_rows, std::string_view& line);
  std::uint64_t line_number() const { return lines_.line_number(); }  // of the last line
  std::uint64_t blank_lines() const { return blank_lines_; }
  std::uint64_t header_rows() const { return header_rows_; }  // 1 or 0
  const std::string& header() const { return header_; }       // empty if there is none
  const LineReader& source() const { return lines_; }

 private:
  bool is_skipped(std::string_view line);

  LineReader lines_;
  std::string_view separators_;
  bool may_be_header_;
  std::uint64_t header_rows_ = 0;
  std::string header_;
  std::uint64_t blank_lines_ = 0;
  bool ended_ = false;
};

// Refuses a text whose bytes ended in a defect.
[[noreturn]] void refuse_damaged(const LineReader& lines);

}  // namespace tracebed
