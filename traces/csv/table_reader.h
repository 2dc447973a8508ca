// What readers of tables in one file share: a row at a time, a header or none.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "traces/csv/csv_rows.h"
#include "traces/parts/collected_reader.h"
#include "traces/parts/text_lines.h"

namespace tracebed {

class TableReader : public CollectedReader {
 public:
  std::string_view compression() const final { return lines_.source().compression(); }
  std::uint64_t text_bytes() const override { return lines_.source().text_bytes(); }

 protected:
  // `columns` are static. A first line whose first column is not `columns`' first, but is as if
  // trimmed, is a header too.
  TableReader(std::string_view format, LineReader lines, const TraceOptions& options, Names& names,
              std::span<const std::string_view> columns);

  // The next row that has all columns, in row(); false at the end. A header is skipped.
  bool next_row();
  CsvRow& row() { return row_; }
  const std::string& table_name() const { return lines_.source().name(); }
  void note_blank_lines() { note("blank lines", lines_.blank_lines()); }

 private:
  TextLines lines_;
  std::span<const std::string_view> columns_;
  CsvRow row_;
  std::string_view line_;
  bool is_first_ = true;
};

}  // namespace tracebed
