// The meaning of the columns of a run's CSV files and of the figures of its record, for people and
// for tools: datapackage.json in each run folder, and a page. Both are made from the tables that
// the files are written by (report/run_columns.h).
//
// datapackage.json is a Data Package of Frictionless Data with a Table Schema for each file
// (specs.frictionlessdata.io), which data frames, validators and SQL loaders read: an integer
// column with empty fields in some rows is still one of integers. `unit`, `formula` and `emptyWhen`
// of a field are additions to it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/resources.h"
#include "report/json_fields.h"

namespace tracebed {

inline constexpr const char* data_package_file = "datapackage.json";

// Of those of the files that are CSV files of a run, in the order of csv_tables().
Json data_package(const std::string& title, const std::vector<std::string>& files,
                  const ResourceDimensions& dimensions);

// A figure of run.json's `summary`, which comparison.json has as `run_metrics`.
struct FigureDefinition {
  std::string_view key;  // with its object's: "attempts.lost"
  std::string_view unit;
  std::string_view meaning;
  std::string_view formula;  // empty: there is no more to say
  bool is_spread = false;    // an object of count, mean, p50, p95, p99 and max
};
std::span<const FigureDefinition> figure_definitions();

// All files and figures, in Markdown that is legible as plain text.
std::string dictionary_page();

}  // namespace tracebed
