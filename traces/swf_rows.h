// Rows of the Standard Workload Format 2.2 (Parallel Workloads Archive): header comments that begin
// with ';', then 18 numbers a row, -1 for what is unknown. Every number may have a fraction where
// it measures time or memory; what counts or names something is whole.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "traces/parts/rules.h"
#include "traces/parts/text_numbers.h"
#include "traces/parts/trace_rows.h"

namespace tracebed {

enum class SwfColumn : std::uint8_t {
  job,
  submit,            // s
  wait,              // s
  run,               // s
  allocated,         // processors
  cpu,               // s, average over the processors
  used_memory,       // KB a processor
  requested,         // processors
  requested_time,    // s
  requested_memory,  // KB a processor
  status,            // 1 completed, 0 failed, 5 cancelled, 2 to 4 parts of a job
  user,
  group,
  executable,
  queue,
  partition,
  preceding_job,
  think_time,  // s after the preceding job
};
inline constexpr std::size_t swf_columns = 18;
// "column 4 (run time)"
std::string place_of(SwfColumn column);

struct SwfRow {
  std::array<std::int64_t, swf_columns> millionths{};
  bool has_fraction = false;  // in any column
  // Behind the first one in the column of preceding jobs, which some logs have as a list: 4&5&6.
  std::vector<std::int64_t> more_preceding;

  std::int64_t at(SwfColumn column) const { return millionths[static_cast<std::size_t>(column)]; }
  std::int64_t whole(SwfColumn column) const { return at(column) / millionths_per_one; }
  bool is_known(SwfColumn column) const { return at(column) >= 0; }
};

class SwfRows final : public TraceRows {
 public:
  // At most this many header lines are kept.
  static constexpr std::size_t headers_max = 10'000;

  SwfRows(LineReader lines, bool skip_bad, MoreColumns more_columns = MoreColumns::refused)
      : TraceRows(std::move(lines), skip_bad, " \t"), more_columns_(more_columns) {}

  Kind next() override;
  std::int64_t submit_microseconds() const override { return row_.at(SwfColumn::submit); }
  std::string_view format() const override { return "swf"; }

  const SwfRow& row() const { return row_; }
  // "; Key: value" lines in their order. Keys repeat; a line without a colon has an empty key.
  const std::vector<std::pair<std::string, std::string>>& headers() const { return headers_; }
  // The first value of `key` that is a positive whole number.
  std::optional<std::int64_t> header_number(std::string_view key) const;

 private:
  void add_header();
  bool scan_row();
  // A list of job numbers where one is expected; false if the word is none.
  bool scan_preceding(std::string_view word);
  // `fractions`: a bit for every column that has one. `has_other_negative`: other than -1.
  bool check_row(std::uint32_t fractions, bool has_other_negative);

  MoreColumns more_columns_;
  SwfRow row_;
  std::vector<std::pair<std::string, std::string>> headers_;
};

}  // namespace tracebed
