// The contents of the columns of a run folder's CSV files. Each file's header row, its entry in the
// folder's data dictionary and its part of the page of columns (report/data_dictionary.h) are made
// from the same table, so they cannot differ.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/resources.h"

namespace tracebed {

enum class ColumnType : std::uint8_t {
  integer,
  number,
  flag,  // 0 or 1
  text,
};

// The only words that a column of text may have.
using ColumnWords = std::vector<std::string_view> (*)();

struct CsvColumn {
  std::string_view name;
  ColumnType type = ColumnType::integer;
  std::string_view unit;  // empty: a count, an id, a word or a flag
  std::string_view meaning;
  std::string_view formula;     // from columns of this and of other files; empty: as recorded
  std::string_view when_empty;  // which rows have no value; empty: each has one
  ColumnWords words = nullptr;  // null: any
};

struct CsvTable {
  std::string_view file;
  std::string_view rows;  // what a row represents, the order of rows, and when the file exists
  std::span<const CsvColumn> columns;
  // A set of them for each resource, after the others: the * of a name is replaced by the
  // resource's column name, the unit is the resource's.
  std::span<const CsvColumn> resource_columns;
  std::span<const std::string_view> key;  // columns that together differ in any two rows
};

inline constexpr const char* jobs_csv_file = "jobs.csv";
inline constexpr const char* tasks_csv_file = "tasks.csv";
inline constexpr const char* compressed_tasks_file = "tasks.csv.zst";
inline constexpr const char* samples_csv_file = "samples.csv";
inline constexpr const char* queues_csv_file = "queues.csv";
inline constexpr const char* preemptions_csv_file = "preemptions.csv";
inline constexpr const char* preempted_csv_file = "preempted.csv";
inline constexpr const char* control_csv_file = "control.csv";

const CsvTable& jobs_table();
const CsvTable& tasks_table();
const CsvTable& samples_table();
const CsvTable& queues_table();
const CsvTable& preemptions_table();
const CsvTable& preempted_table();
const CsvTable& control_table();
std::array<const CsvTable*, 7> csv_tables();  // in this order

// A column in a file of a run with these resources.
struct NamedColumn {
  std::string name;
  std::string unit;
  const CsvColumn* column = nullptr;
};
std::vector<NamedColumn> columns_of(const CsvTable& table, const ResourceDimensions& dimensions);

// The file's first line.
std::string csv_header(const CsvTable& table, const ResourceDimensions& dimensions);

}  // namespace tracebed
