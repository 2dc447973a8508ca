// Alibaba's batch_instance tables: a row for each run of an instance of a task, of 2017 (started,
// ended, job, task, machine, status, sequence number and how many there were, CPU used at most and
// on average in vcores, memory likewise as a share of the largest machine's) and of 2018 (instance,
// task, job, type, status, started, ended, machine, sequence number and how many there were, CPU
// used on average and at most in hundredths of a vcore, memory likewise in hundredths of a
// machine's). Only runs that ended as Terminated say how long an instance takes: others were
// repeated, or had not ended when the trace did.
#pragma once

#include <cstdint>
#include <string_view>

#include "traces/csv/alibaba_rows.h"
#include "traces/csv/csv_rows.h"
#include "traces/csv/ignored_columns.h"
#include "traces/parts/text_lines.h"

namespace tracebed {

enum class AlibabaYear : std::uint8_t { y2017, y2018 };

class AlibabaInstanceTable {
 public:
  // `bad_rows` outlives this.
  AlibabaInstanceTable(AlibabaYear year, LineReader lines, BadRows& bad_rows);

  // The next instance that ended as Terminated, and its job; both are valid until the next call.
  // False at the end.
  bool next(AlibabaInstance& instance, std::string_view& job);

  const LineReader& source() const { return lines_.source(); }
  std::uint64_t header_rows() const { return lines_.header_rows(); }
  std::uint64_t blank_lines() const { return lines_.blank_lines(); }
  // Adds the columns of the last row in which it has a value that nobody obeys.
  void count_ignored(IgnoredFields& to) const { ignored_columns_.count(row_, to); }
  // Rows so far of runs that did not end as Terminated.
  std::uint64_t others() const { return others_; }

 private:
  struct Columns;

  bool scan(AlibabaInstance& instance, std::string_view& job);
  bool scan_use(AlibabaInstance& instance);
  static const Columns& columns_of(AlibabaYear year);

  const Columns& columns_;
  TextLines lines_;
  BadRows& bad_rows_;
  CsvRow row_;
  IgnoredColumns ignored_columns_;
  std::string_view line_;
  std::uint64_t others_ = 0;
};

}  // namespace tracebed
