// What readers of tables in one file share: a row at a time, a header or none.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "traces/csv/csv_rows.h"
#include "traces/csv/ignored_columns.h"
#include "traces/parts/collected_reader.h"
#include "traces/parts/text_lines.h"

namespace tracebed {

class TableReader : public CollectedReader {
 public:
  std::string_view compression() const final { return lines_.source().compression(); }
  std::uint64_t text_bytes() const override { return lines_.source().text_bytes(); }

 protected:
  // `columns` are static. A table without a header that names all of them has none of the last
  // `optional` ones.
  TableReader(std::string_view format, LineReader lines, const TraceOptions& options, Names& names,
              std::span<const std::string_view> columns, std::size_t optional = 0);

  // The next row that has all columns, in row(); false at the end. A header is skipped.
  bool next_row();
  CsvRow& row() { return row_; }
  const std::string& table_name() const { return lines_.source().name(); }
  // Of a format that has no header of its own.
  void note_header() { note(header_note, lines_.header_rows()); }
  void note_blank_lines() { note("blank lines", lines_.blank_lines()); }

 private:
  TextLines lines_;
  std::span<const std::string_view> columns_;
  std::size_t optional_;
  CsvRow row_;
  IgnoredColumns ignored_columns_;
  std::string_view line_;
};

}  // namespace tracebed
