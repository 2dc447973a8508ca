#include "kernels/check_sort.h"

#include <string>
#include <string_view>

namespace tracebed::kernels {

// Every line ends within its unit (kernels/dataset_text.h).
RecordSum record_sum(const Dataset& input, RecordFormat format) {
  RecordSum sum;
  Buffer unit(input.unit_bytes());
  for (std::uint64_t index = 0; index < input.units(); ++index) {
    input.fill(index * unit.size(), unit);
    if (format != line_format) {
      sum.add(unit);
      continue;
    }
    for (std::string_view text = text_of(unit); !text.empty();) {
      const std::size_t end = text.find('\n');
      sum.add(bytes_of(text.substr(0, end)));
      text.remove_prefix(end + 1);
    }
  }
  return sum;
}

SortCheck::SortCheck(const Dataset& input, RecordFormat format)
    : RecordCheck(format), expected_(record_sum(input, format)) {}

Status SortCheck::check(const InputRecord& record) {
  if (found_.records > 0 && compare_bytes(last_, record.bytes) > 0) {
    return wrong("the record at byte " + std::to_string(record.offset) +
                 " belongs before the one before");
  }
  last_.assign(record.bytes.begin(), record.bytes.end());
  found_.add(record.bytes);
  return success();
}

Status SortCheck::finish() {
  if (found_ == expected_) return success();
  if (found_.records == expected_.records) return Error{"the output's records are not the input's"};
  return Error{"the output has " + std::to_string(found_.records) + " records instead of " +
               std::to_string(expected_.records)};
}

}  // namespace tracebed::kernels
