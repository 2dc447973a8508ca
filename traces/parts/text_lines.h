// The lines of a trace that hold text; a defect of a line as such is a bad row.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "traces/parts/bad_rows.h"
#include "traces/parts/line_reader.h"

namespace tracebed {

class TextLines {
 public:
  explicit TextLines(LineReader lines) : lines_(std::move(lines)) {}

  // The next line that is not blank; false at the end. `line` is valid until the next call. Throws
  // InputError if the bytes are damaged.
  bool next(BadRows& bad_rows, std::string_view& line);
  std::uint64_t line_number() const { return lines_.line_number(); }  // of the last line
  std::uint64_t blank_lines() const { return blank_lines_; }
  const LineReader& source() const { return lines_; }

 private:
  LineReader lines_;
  std::uint64_t blank_lines_ = 0;
  bool ended_ = false;
};

// Refuses a text whose bytes ended in a defect.
[[noreturn]] void refuse_damaged(const LineReader& lines);

}  // namespace tracebed
