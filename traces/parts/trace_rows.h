// The rows of a line-oriented trace, in file order: what readers build jobs from, and what `trace
// cut` copies.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "traces/parts/bad_rows.h"
#include "traces/parts/line_reader.h"
#include "traces/parts/text_lines.h"

namespace tracebed {

// Times of a trace above this are out of range, so that sums of a few of them are exact: 10^12 s.
inline constexpr std::int64_t trace_microseconds_max = 1'000'000'000'000'000'000;

class TraceRows {
 public:
  enum class Kind {
    header,  // a comment or header line
    row,     // a good row; bad ones are skipped or have thrown
    end,
  };

  virtual ~TraceRows() = default;
  virtual Kind next() = 0;
  // Of the row, on the file's own clock.
  virtual std::int64_t submit_microseconds() const = 0;
  virtual std::string_view format() const = 0;

  // The row or header line without its end; valid until the next call of next().
  std::string_view text() const { return text_; }
  // A good row, which was submitted at `submit`, as it stands below one submitted at `above`, or
  // first of all: as it is, but for what a format says of the row above. Valid until the next call,
  // and as long as `row` is.
  virtual std::string_view text_below(std::string_view row, std::int64_t submit,
                                      std::optional<std::int64_t> above) {
    static_cast<void>(submit);
    static_cast<void>(above);
    return row;
  }
  const LineReader& lines() const { return lines_.source(); }
  BadRows& bad_rows() { return bad_rows_; }
  const BadRows& bad_rows() const { return bad_rows_; }
  std::uint64_t header_rows() const { return lines_.header_rows(); }
  std::uint64_t blank_lines() const { return lines_.blank_lines(); }
  // Of the first and the last good row; 0 before the first.
  std::int64_t first_submit_microseconds() const { return first_submit_.value_or(0); }
  std::int64_t last_submit_microseconds() const { return last_submit_; }

  // From now on rows may come in any order; the first and last submit times are the least and the
  // largest then.
  void take_any_order() { takes_any_order_ = true; }
  bool takes_any_order() const { return takes_any_order_; }

  // Reports the current row as bad: throws, or counts it. Always false.
  bool bad(BadRow reason, std::string_view place, std::string_view expected, std::string_view got) {
    bad_rows_.add(reason, lines_.line_number(), place, expected, got);
    return false;
  }

 protected:
  // `separators` are those of the columns.
  TraceRows(LineReader lines, bool skip_bad, std::string_view separators)
      : bad_rows_(lines.name(), skip_bad), lines_(std::move(lines), separators) {}

  // The next line that is not blank, into text_; false at the end.
  bool next_line() { return lines_.next(bad_rows_, text_); }
  // A row is in order if it is not submitted before the last good one, or if any order is taken.
  bool in_order(std::int64_t submit);

  BadRows bad_rows_;
  TextLines lines_;
  std::string_view text_;
  std::optional<std::int64_t> first_submit_;
  std::int64_t last_submit_ = 0;  // submit times are not negative
  bool takes_any_order_ = false;
};

}  // namespace tracebed
