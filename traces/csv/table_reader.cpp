#include "traces/csv/table_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tracebed {

TableReader::TableReader(std::string_view format, LineReader lines, const TraceOptions& options,
                         Names& names, std::span<const std::string_view> columns,
                         std::size_t optional)
    : CollectedReader(format, lines.name(), options, names),
      lines_(std::move(lines), ","),
      columns_(columns),
      optional_(optional),
      row_(columns, bad()),
      ignored_columns_(format, "", columns) {}

bool TableReader::next_row() {
  while (lines_.next(bad(), line_)) {
    if (optional_ > 0) {
      const bool has_all = lines_.header() == fmt::format("{}", fmt::join(columns_, ","));
      if (!has_all) row_.expect(columns_.size() - optional_);
      optional_ = 0;
    }
    if (!row_.assign(line_, lines_.line_number())) continue;
    if (tally() != nullptr) ignored_columns_.count(row_, ignored_fields());
    return true;
  }
  return false;
}

}  // namespace tracebed
