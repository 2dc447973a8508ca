#include "traces/parts/text_lines.h"

#include <fmt/format.h>

namespace tracebed {

bool TextLines::next(BadRows& bad_rows, std::string_view& line) {
  while (!ended_) {
    switch (lines_.next(line)) {
      case LineReader::Outcome::line:
        if (line.find_first_not_of(" \t") != std::string_view::npos) return true;
        ++blank_lines_;
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
