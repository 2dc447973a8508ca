// Aligned columns for a terminal. Cells may be names from outside (system/plain_text.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracebed {

// The first column is set flush left, as is the last if `text_last`; the others flush right. Widths
// count characters, not bytes (UTF-8).
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header, bool text_last = false)
      : text_last_(text_last) {
    append(std::move(header));
  }

  // As many cells as the header.
  void add_row(std::vector<std::string> cells);
  void add_rule() { rules_.push_back(rows_.size()); }
  std::string to_string() const;

 private:
  void append(std::vector<std::string> cells);

  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> rules_;  // rows before which a line is drawn
  bool text_last_;
};

// "1,234,567".
std::string grouped(std::uint64_t count);

// "1 job", "1,234 jobs".
std::string counted_jobs(std::uint64_t count);

// A number with about four significant digits and no exponent: "1,234", "12.35", "0.00123".
std::string readable(double value);

}  // namespace tracebed
