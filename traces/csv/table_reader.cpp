#include "traces/csv/table_reader.h"

#include "core/text.h"

namespace tracebed {

TableReader::TableReader(std::string_view format, LineReader lines, const TraceOptions& options,
                         Names& names, std::span<const std::string_view> columns)
    : CollectedReader(format, lines.name(), options, names),
      lines_(std::move(lines)),
      columns_(columns),
      row_(columns, bad()) {}

bool TableReader::next_row() {
  while (lines_.next(bad(), line_)) {
    const bool may_be_header = std::exchange(is_first_, false);
    if (may_be_header && trimmed(line_.substr(0, line_.find(','))) == columns_[0]) continue;
    if (row_.assign(line_, lines_.line_number())) return true;
  }
  return false;
}

}  // namespace tracebed
