#include "traces/parts/text_lines.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/text.h"
#include "traces/parts/text_numbers.h"

namespace tracebed {

bool is_header_row(std::string_view line, std::string_view separators) {
  const bool joins = separators.size() > 1;
  std::size_t columns = 0;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
    const std::string_view column = trimmed(line.substr(begin, end - begin));
    begin = end + 1;
    if (column.empty() && joins) continue;
    if (column.empty() || read_decimal(column).fault != NumberFault::not_a_number) return false;
    ++columns;
  }
  return columns > 1;
}

bool TextLines::is_skipped(std::string_view line) {
  if (line[line.find_first_not_of(" \t")] == ';') return false;
  may_be_header_ = false;
  if (!is_header_row(line, separators_)) return false;
  ++header_rows_;
  header_.assign(trimmed(line));
  return true;
}

bool TextLines::next(BadRows& bad_rows, std::string_view& line) {
  while (!ended_) {
    switch (lines_.next(line)) {
      case LineReader::Outcome::line:
        if (line.find_first_not_of(" \t") == std::string_view::npos) {
          ++blank_lines_;
        } else if (!may_be_header_ || !is_skipped(line)) {
          return true;
        }
        break;
      case LineReader::Outcome::too_long:
        bad_rows.add(BadRow::line_too_long, lines_.line_number(),
                     fmt::format("line at byte {}", lines_.line_offset()),
                     fmt::format("at most {} bytes", lines_.line_bytes_max()), "a longer one");
        break;
      case LineReader::Outcome::defect:
        refuse_damaged(lines_);
      case LineReader::Outcome::end:
        ended_ = true;
        break;
    }
  }
  return false;
}

void refuse_damaged(const LineReader& lines) {
  BadRows(lines.name(), false)
      .refuse(lines.line_number() + 1, "line", "a whole file",
              fmt::format("its first {} bytes of text: {}", lines.text_bytes(), lines.defect()));
}

}  // namespace tracebed
