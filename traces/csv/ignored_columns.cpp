#include "traces/csv/ignored_columns.h"

#include <algorithm>
#include <string>

#include "core/check.h"
#include "core/text.h"
#include "traces/parts/format_fields.h"

namespace tracebed {

IgnoredColumns::IgnoredColumns(std::string_view format, std::string_view table,
                               std::span<const std::string_view> columns) {
  const std::span<const TraceField> fields = fields_of(format);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string name = std::string(table) + std::string(columns[i]);
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const TraceField& each) { return each.name == name; });
    TRACEBED_CHECK(field != fields.end(), "every column is a field of its format");
    if (field->use == FieldUse::ignored) ignored_.emplace_back(i, field->name);
  }
}

void IgnoredColumns::count(const CsvRow& row, IgnoredFields& to) const {
  for (const auto& [column, name] : ignored_) {
    if (is_value(row.at(column))) to.add(name);
  }
}

bool is_value(std::string_view text) {
  const std::string_view value = trimmed(text);
  return !value.empty() && value != "0" && value != "-1";
}

}  // namespace tracebed
