// The columns of a table that nobody obeys, as traces/parts/format_fields.h lists them.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/csv/csv_rows.h"
#include "traces/parts/ignored_fields.h"

namespace tracebed {

class IgnoredColumns {
 public:
  // Every one of `columns` is a field of the format, by the name of `table` and its own: "job" or
  // "job_events.job".
  IgnoredColumns(std::string_view format, std::string_view table,
                 std::span<const std::string_view> columns);

  // Adds those in which the row has a value.
  void count(const CsvRow& row, IgnoredFields& to) const;

 private:
  std::vector<std::pair<std::size_t, std::string_view>> ignored_;  // position, name
};

// Nothing, 0 and -1 are no values.
bool is_value(std::string_view text);

}  // namespace tracebed
