#include "report/text_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/check.h"
#include "system/plain_text.h"

namespace tracebed {
namespace {

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

void separate_thousands(std::string& text) {
  std::size_t point = std::min(text.find('.'), text.size());
  const std::size_t first = text.front() == '-' ? 1 : 0;
  while (point > first + 3) {
    point -= 3;
    text.insert(point, 1, ',');
  }
}

}  // namespace

void TextTable::add_row(std::vector<std::string> cells) {
  TRACEBED_CHECK(cells.size() == rows_.front().size(), "every row of a table has all cells");
  append(std::move(cells));
}

void TextTable::append(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = plain_line(cell);
  rows_.push_back(std::move(cells));
}

std::string TextTable::to_string() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      widths[c] = std::max(widths[c], characters(row[c]));
    }
  }
  std::size_t total = 2 * (widths.size() - 1);
  for (std::size_t width : widths) total += width;
  std::string rule;
  for (std::size_t i = 0; i < total; ++i) rule += "─";
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (r == 1 || std::count(rules_.begin(), rules_.end(), r) > 0) text.append(rule).append("\n");
    std::string line;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      if (c > 0) line += "  ";
      const std::string gap(widths[c] - characters(rows_[r][c]), ' ');
      const bool is_left = c == 0 || (text_last_ && c + 1 == widths.size());
      if (!is_left) line.append(gap);
      line.append(rows_[r][c]);
      if (is_left) line.append(gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text.append(line).append("\n");
  }
  return text;
}

std::string counted_jobs(std::uint64_t count) {
  return grouped(count) + (count == 1 ? " job" : " jobs");
}

std::string readable(double value) {
  if (value == 0) return "0";
  const double magnitude = std::abs(value);
  const int digits = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
  std::string text = fmt::format("{:.{}f}", value, std::clamp(4 - digits, 0, 6));
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  separate_thousands(text);
  return text == "-0" ? "0" : text;
}

std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  separate_thousands(text);
  return text;
}

}  // namespace tracebed
