#include "traces/parts/row_order.h"

#include <limits>

#include "traces/parts/text_lines.h"
#include "traces/parts/text_numbers.h"

namespace tracebed {

bool second_column_ascends(LineReader lines, std::string_view separators) {
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  std::string_view line;
  for (;;) {
    const LineReader::Outcome outcome = lines.next(line);
    if (outcome == LineReader::Outcome::too_long) continue;
    if (outcome == LineReader::Outcome::defect) refuse_damaged(lines);
    if (outcome == LineReader::Outcome::end) return true;
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line[begin] == ';') continue;
    const std::size_t gap = line.find_first_of(separators, begin);
    if (gap == std::string_view::npos) continue;
    const std::size_t second = line.find_first_not_of(separators, gap);
    if (second == std::string_view::npos) continue;
    const std::size_t end = std::min(line.find_first_of(separators, second), line.size());
    const Decimal number = read_decimal(line.substr(second, end - second));
    if (number.fault != NumberFault::none) continue;
    if (number.millionths < last) return false;
    last = number.millionths;
  }
}

}  // namespace tracebed
