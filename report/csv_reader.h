// Reads a CSV file row by row, and reports for a bad field its line and column, what was expected
// and what was found. The file is mapped, so that its size does not count as memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "system/mapped_file.h"

namespace tracebed {

class CsvReader {
 public:
  // Throws InputError if the first row is not `header`.
  CsvReader(const std::filesystem::path& path, std::string_view header);

  // Goes to the next row; false at the end. Throws InputError if the number of fields differs from
  // the header's.
  bool next_row();

  // The row's next field.
  std::string_view text();
  std::int64_t integer();
  // A whole number of at least 0 that fits in 32 bits.
  std::uint32_t count();
  double real();
  // True if the next field is empty; it is then skipped.
  bool skip_empty();

  // Throws InputError about the field that was read last.
  [[noreturn]] void refuse(std::string_view expected) const;
  // Throws InputError about the row.
  [[noreturn]] void refuse_row(std::string_view what) const;

 private:
  void split_row();
  std::size_t quoted_field(std::string_view bytes, std::size_t from, std::string& value);

  std::string path_;
  MappedFile file_;
  std::vector<std::string> columns_;
  std::vector<std::string_view> fields_;
  std::vector<std::string> unquoted_;  // the values of the row's quoted fields
  std::size_t unquoted_used_ = 0;
  std::size_t position_ = 0;
  std::size_t field_ = 0;  // the next to read
  std::size_t line_ = 0;   // of the row's start, from 1
  std::size_t next_line_ = 1;
};

}  // namespace tracebed
