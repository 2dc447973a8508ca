// Reads a CSV file, plain or compressed (report/row_bytes.h), row by row, and reports for a bad
// field its line and column, what was expected and what was found. A part of the file is in memory
// at a time, at least a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/row_bytes.h"

namespace tracebed {

class InputWitness;

class CsvReader {
 public:
  // `witness`, unless it is null, verifies that the file is what an earlier reading found; it
  // outlives this. Throws InputError if the first row is not `header`, and here and wherever a row
  // is read if the file has changed.
  CsvReader(const std::filesystem::path& path, std::string_view header,
            InputWitness* witness = nullptr);

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
  // False if the row goes on behind the window.
  bool try_split_row();
  // Where the field ends, behind its closing quote; none if that is behind the window.
  std::optional<std::size_t> quoted_field(std::size_t from, std::string& value);
  bool is_window_last() const { return file_->is_at_end(); }
  void move_window(std::uint64_t begin, std::size_t bytes);

  std::string path_;
  std::unique_ptr<RowBytes> file_;
  std::uint64_t begin_ = 0;  // of the window in the file
  std::string_view window_;
  std::vector<std::string> columns_;
  std::vector<std::string_view> fields_;
  std::vector<std::string> unquoted_;  // the values of the row's quoted fields
  std::size_t unquoted_used_ = 0;
  std::size_t position_ = 0;  // in the window
  bool ends_in_quotes_ = false;
  std::size_t field_ = 0;  // the next to read
  std::size_t line_ = 0;   // of the row's start, from 1
  std::size_t next_line_ = 1;
};

}  // namespace tracebed
