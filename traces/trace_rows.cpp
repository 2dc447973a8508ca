#include "traces/trace_rows.h"

#include <fmt/format.h>

namespace tracebed {

bool TraceRows::next_line() {
  while (!ended_) {
    switch (lines_.next(text_)) {
      case LineReader::Outcome::line:
        if (text_.find_first_not_of(" \t") != std::string_view::npos) return true;
        ++blank_lines_;
        break;
      case LineReader::Outcome::too_long:
        bad(BadRow::line_too_long, "line", fmt::format("at most {} bytes", lines_.line_bytes_max()),
            "a longer one");
        break;
      case LineReader::Outcome::defect:
        bad_rows_.add(
            BadRow::damaged, lines_.line_number() + 1, "line", "a whole file",
            fmt::format("its first {} bytes of text: {}", lines_.text_bytes(), lines_.defect()));
        ended_ = true;
        break;
      case LineReader::Outcome::end:
        ended_ = true;
        break;
    }
  }
  return false;
}

bool TraceRows::in_order(std::int64_t submit) {
  if (submit < last_submit_) {
    return bad(BadRow::order, "submit time",
               fmt::format("{} s or later, as in the row above (rows must be sorted by it)",
                           static_cast<double>(last_submit_) / 1e6),
               fmt::format("{} s", static_cast<double>(submit) / 1e6));
  }
  if (!first_submit_) first_submit_ = submit;
  last_submit_ = submit;
  return true;
}

}  // namespace tracebed
