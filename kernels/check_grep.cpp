#include "kernels/check_grep.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "kernels/decimal.h"

namespace tracebed::kernels {
namespace {

void add_offset(RecordSum& sum, std::uint64_t offset) {
  sum.add(std::as_bytes(std::span(&offset, 1)));
}

}  // namespace

// Searches page by page for the text, and for the line around each place that has it.
GrepCheck::GrepCheck(const Dataset& input, std::string pattern)
    : RecordCheck(line_format), input_(input), pattern_(std::move(pattern)) {
  Buffer page(input.unit_bytes());
  for (std::uint64_t unit = 0; unit < input.units(); ++unit) {
    const std::uint64_t begin = unit * page.size();
    input.fill(begin, page);
    const std::string_view text = text_of(page);
    for (auto at = std::search(text.begin(), text.end(), pattern_.begin(), pattern_.end());
         at != text.end();) {
      const auto line = std::find(std::make_reverse_iterator(at), text.rend(), '\n').base();
      add_offset(expected_, begin + static_cast<std::uint64_t>(line - text.begin()));
      at = std::search(std::find(at, text.end(), '\n'), text.end(), pattern_.begin(),
                       pattern_.end());
    }
  }
}

Status GrepCheck::check(const InputRecord& record) {
  const std::string_view line = text_of(record.bytes);
  const std::size_t tab = line.find('\t');
  const auto offset =
      tab == std::string_view::npos ? std::nullopt : parse_decimal(line.substr(0, tab));
  if (!offset) return wrong("no offset and line: " + std::string(line));
  if (last_offset_ && *offset <= *last_offset_) {
    return wrong("the line of byte " + std::to_string(*offset) + " is behind that of byte " +
                 std::to_string(*last_offset_));
  }
  const Bytes found = record.bytes.subspan(tab + 1);
  Buffer whole(found.begin(), found.end());
  whole.push_back(std::byte{'\n'});
  if (input_.count_matching(*offset, whole) != whole.size()) {
    return wrong("the line of byte " + std::to_string(*offset) + " is not the input's");
  }
  if (text_of(found).find(pattern_) == std::string_view::npos) {
    return wrong("the line of byte " + std::to_string(*offset) + " does not have the text");
  }
  last_offset_ = offset;
  add_offset(found_, *offset);
  return success();
}

Status GrepCheck::finish() {
  if (found_ == expected_) return success();
  return Error{"the parts have " + std::to_string(found_.records) + " lines, and the input " +
               std::to_string(expected_.records) + " with the text, or others"};
}

}  // namespace tracebed::kernels
