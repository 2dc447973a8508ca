#include "traces/csv/table_reader.h"

namespace tracebed {

TableReader::TableReader(std::string_view format, LineReader lines, const TraceOptions& options,
                         Names& names, std::span<const std::string_view> columns)
    : CollectedReader(format, lines.name(), options, names),
      lines_(std::move(lines), ","),
      row_(columns, bad()),
      ignored_columns_(format, "", columns) {}

bool TableReader::next_row() {
  while (lines_.next(bad(), line_)) {
    if (!row_.assign(line_, lines_.line_number())) continue;
    if (tally() != nullptr) ignored_columns_.count(row_, ignored_fields());
    return true;
  }
  return false;
}

}  // namespace tracebed
