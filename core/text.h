// Small helpers for text from files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tracebed {

// `text` without leading and trailing blanks, tabs and line ends.
constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view white = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(white);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(white) - begin + 1);
}

// The parts of `text` between commas, trimmed and without empty ones.
std::vector<std::string> split_list(std::string_view text);

}  // namespace tracebed
