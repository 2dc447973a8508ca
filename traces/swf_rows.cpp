#include "traces/swf_rows.h"

#include <algorithm>
#include <fmt/format.h>

namespace tracebed {
namespace {

constexpr std::array<std::string_view, swf_columns> column_names = {"job number",
                                                                    "submit time",
                                                                    "wait time",
                                                                    "run time",
                                                                    "allocated processors",
                                                                    "average CPU time",
                                                                    "used memory",
                                                                    "requested processors",
                                                                    "requested time",
                                                                    "requested memory",
                                                                    "status",
                                                                    "user",
                                                                    "group",
                                                                    "executable",
                                                                    "queue",
                                                                    "partition",
                                                                    "preceding job",
                                                                    "think time"};

constexpr std::uint32_t bit(SwfColumn column) {
  return 1U << static_cast<unsigned>(column);
}
constexpr std::uint32_t whole_columns = bit(SwfColumn::job) | bit(SwfColumn::allocated) |
                                        bit(SwfColumn::requested) | bit(SwfColumn::status) |
                                        bit(SwfColumn::user) | bit(SwfColumn::group) |
                                        bit(SwfColumn::executable) | bit(SwfColumn::queue) |
                                        bit(SwfColumn::partition) | bit(SwfColumn::preceding_job);
constexpr auto preceding_column = static_cast<std::size_t>(SwfColumn::preceding_job);
constexpr std::array time_columns = {
    SwfColumn::submit, SwfColumn::wait,           SwfColumn::run,
    SwfColumn::cpu,    SwfColumn::requested_time, SwfColumn::think_time};

bool is_blank(char letter) {
  return letter == ' ' || letter == '\t';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The word that begins at `at`, for messages.
std::string_view word_at(const char* at, const char* end) {
  const char* last = std::find_if(at, end, is_blank);
  return {at, static_cast<std::size_t>(last - at)};
}

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  for (const char letter : text) {
    if (!is_blank(letter) && !inside) ++words;
    inside = !is_blank(letter);
  }
  return words;
}

}  // namespace

std::string place_of(SwfColumn column) {
  const auto index = static_cast<std::size_t>(column);
  return fmt::format("column {} ({})", index + 1, column_names[index]);
}

TraceRows::Kind SwfRows::next() {
  while (next_line()) {
    const std::size_t start = text_.find_first_not_of(" \t");
    if (text_[start] == ';') {
      add_header();
      return Kind::header;
    }
    if (scan_row()) return Kind::row;
  }
  return Kind::end;
}

void SwfRows::add_header() {
  if (headers_.size() >= headers_max) return;
  std::string_view line = trimmed(text_);
  line.remove_prefix(1);
  line = trimmed(line);
  if (line.empty()) return;
  const std::size_t colon = line.find(':');
  const bool has_key = colon != std::string_view::npos && colon > 0 &&
                       line.substr(0, colon).find(' ') == std::string_view::npos;
  headers_.emplace_back(has_key ? line.substr(0, colon) : std::string_view(),
                        has_key ? trimmed(line.substr(colon + 1)) : line);
}

std::optional<std::int64_t> SwfRows::header_number(std::string_view key) const {
  for (const auto& [name, value] : headers_) {
    if (name != key) continue;
    const std::string_view word = word_at(value.data(), value.data() + value.size());
    const Whole number = read_whole(word);
    if (number.fault == NumberFault::none && number.value > 0) return number.value;
  }
  return std::nullopt;
}

bool SwfRows::scan_preceding(std::string_view word) {
  std::vector<std::int64_t> jobs;
  for (std::size_t begin = 0; begin <= word.size();) {
    const std::size_t end = std::min(word.find('&', begin), word.size());
    const Whole number = read_whole(word.substr(begin, end - begin));
    if (number.fault != NumberFault::none || number.value < 0 || number.value > decimal_max) {
      return false;
    }
    jobs.push_back(number.value);
    begin = end + 1;
  }
  row_.millionths[preceding_column] = jobs.front() * millionths_per_one;
  row_.more_preceding.assign(jobs.begin() + 1, jobs.end());
  return true;
}

bool SwfRows::scan_row() {
  row_.more_preceding.clear();
  const char* at = text_.data();
  const char* end = at + text_.size();
  std::uint32_t fractions = 0;
  bool has_other_negative = false;
  for (std::size_t i = 0; i < swf_columns; ++i) {
    // Most columns of most traces hold -1 or one digit. What is behind the end may be looked at.
    static_assert(LineReader::slack >= 3);
    if (at[0] == '-' && at[1] == '1' && at[2] == ' ' && end - at > 2) {
      row_.millionths[i] = -millionths_per_one;
      at += 3;
      continue;
    }
    if (at[1] == ' ' && static_cast<unsigned char>(at[0] - '0') <= 9 && end - at > 1) {
      row_.millionths[i] = (at[0] - '0') * millionths_per_one;
      at += 2;
      continue;
    }
    while (at != end && is_blank(*at)) ++at;
    if (at == end) {
      return bad(BadRow::columns, "row", "18 columns", fmt::format("{} columns", i));
    }
    const char* word = at;
    const Decimal number = scan_decimal(at, end);
    if (i == preceding_column && number.fault == NumberFault::not_a_number &&
        scan_preceding(word_at(word, end))) {
      at = word + word_at(word, end).size();
      if (at != end) ++at;
      continue;
    }
    if (number.fault != NumberFault::none) [[unlikely]] {
      const bool out_of_range = number.fault == NumberFault::out_of_range;
      return bad(out_of_range ? BadRow::out_of_range : BadRow::number,
                 place_of(static_cast<SwfColumn>(i)),
                 out_of_range ? fmt::format("a number up to {}", decimal_max) : "a number",
                 shown(word_at(word, end)));
    }
    row_.millionths[i] = number.millionths;
    if (at != end) ++at;  // the blank behind it
    has_other_negative |= (number.millionths < 0) & (number.millionths != -millionths_per_one);
    fractions |= static_cast<std::uint32_t>(number.has_fraction) << i;
  }
  while (at != end && is_blank(*at)) ++at;
  if (at != end && more_columns_ == MoreColumns::refused) [[unlikely]] {
    return bad(BadRow::columns, "row", "18 columns (rule swf.more_columns = ignored reads these)",
               fmt::format("{} columns", count_words(text_)));
  }
  row_.has_fraction = fractions != 0;
  return check_row(fractions, has_other_negative);
}

bool SwfRows::check_row(std::uint32_t fractions, bool has_other_negative) {
  if ((fractions & whole_columns) != 0) [[unlikely]] {
    for (std::size_t i = 0; i < swf_columns; ++i) {
      if ((fractions & whole_columns & 1U << i) == 0) continue;
      return bad(BadRow::number, place_of(static_cast<SwfColumn>(i)), "a whole number",
                 fmt::format("{}", static_cast<double>(row_.millionths[i]) / 1e6));
    }
  }
  constexpr auto submit = static_cast<std::size_t>(SwfColumn::submit);
  const auto is_wrong = [&](std::size_t column) {
    const std::int64_t value = row_.millionths[column];
    return value < 0 && (value != -millionths_per_one || column == submit);
  };
  const bool look_closer = has_other_negative || is_wrong(submit);
  for (std::size_t i = 0; look_closer && i < swf_columns; ++i) {
    if (is_wrong(i)) {
      return bad(BadRow::negative, place_of(static_cast<SwfColumn>(i)),
                 i == submit ? "0 or more" : "0 or more, or -1 for unknown",
                 fmt::format("{}", static_cast<double>(row_.millionths[i]) / 1e6));
    }
  }
  for (const SwfColumn column : time_columns) {
    if (row_.at(column) > trace_microseconds_max) [[unlikely]] {
      return bad(BadRow::out_of_range, place_of(column), "at most 1000000000000 s",
                 fmt::format("{} s", row_.whole(column)));
    }
  }
  return in_order(row_.at(SwfColumn::submit));
}

}  // namespace tracebed
