// Rows of a SWIM workload (Chen et al., github.com/SWIMProjectUCB/SWIM): tab separated, without a
// header: job id, submit time in s, gap to the row above in s, map input bytes, shuffle bytes,
// output bytes, and in some files the input path, the output path and an empty ninth column.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "traces/parts/trace_rows.h"

namespace tracebed {

struct SwimRow {
  std::string_view name;    // valid until the next row
  std::int64_t submit = 0;  // µs
  std::int64_t gap = 0;     // µs, as the file states it
  std::int64_t input_bytes = 0;
  std::int64_t shuffle_bytes = 0;
  std::int64_t output_bytes = 0;
  std::string_view input_path;  // valid until the next row; empty if there is none
  bool has_output_path = false;
};

class SwimRows final : public TraceRows {
 public:
  SwimRows(LineReader lines, bool skip_bad) : TraceRows(std::move(lines), skip_bad, "\t") {}

  Kind next() override;
  std::int64_t submit_microseconds() const override { return row_.submit; }
  // With the gap to the row above.
  std::string_view text_below(std::string_view row, std::int64_t submit,
                              std::optional<std::int64_t> above) override;
  std::string_view format() const override { return "swim"; }

  const SwimRow& row() const { return row_; }

 private:
  bool scan_row();
  // The column at `at`, which is left behind the tab that ends it; false if the row is bad.
  bool scan_time(const char*& at, std::string_view place, std::int64_t& time);
  bool scan_bytes(const char*& at, std::string_view place, std::int64_t& bytes);
  bool scan_paths(std::string_view rest);
  // False, as bad() is.
  bool wrong_columns();
  bool end_column(const char*& at);

  SwimRow row_;
  std::string moved_text_;
  bool more_ = false;  // a column follows the one that was scanned last
};

}  // namespace tracebed
