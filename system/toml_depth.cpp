#include "system/toml_depth.h"

#include <algorithm>

namespace tracebed {
namespace {

// Where the string ends that begins at `at`: behind its closing quotes, or at the text's end.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string_view three = text.substr(at, 3);
  const bool is_long = three.size() == 3 && three[1] == quote && three[2] == quote;
  const std::size_t quotes = is_long ? 3 : 1;
  for (std::size_t i = at + quotes; i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (text[i] == '\n' && !is_long) {
      return i;  // no string; the parser will say so
    } else if (text[i] == quote && text.substr(i, quotes) == three.substr(0, quotes)) {
      return i + quotes;
    }
  }
  return text.size();
}

bool may_stand_in_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == ' ' || c == '\t';
}

}  // namespace

std::size_t line_of_endless_key(std::string_view text, std::size_t words_max) {
  std::size_t words = 1;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i = end_of_string(text, i);  // a word, if a dot follows or was before
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '.') {
      ++words;
    } else if (!may_stand_in_key(c)) {
      words = 1;
    }
    if (words > words_max) {
      return 1 + static_cast<std::size_t>(
                     std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n'));
    }
    ++i;
  }
  return 0;
}

}  // namespace tracebed
