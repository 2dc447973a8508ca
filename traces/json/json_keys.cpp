#include "traces/json/json_keys.h"

namespace tracebed {
namespace {

// One behind the quote that ends the string whose first byte is at `begin`; npos if it is cut off.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  for (std::size_t at = begin; (at = text.find_first_of("\"\\", at)) != std::string_view::npos;) {
    if (text[at] == '"') return at + 1;
    at += 2;  // behind what is escaped
  }
  return std::string_view::npos;
}

}  // namespace

JsonKeys keys_in(std::string_view head) {
  JsonKeys keys;
  std::size_t depth = 0;
  for (std::size_t at = 0; (at = head.find_first_of("{}[]\"", at)) != std::string_view::npos;) {
    if (head[at] == '{' || head[at] == '[') ++depth;
    if ((head[at] == '}' || head[at] == ']') && depth > 0) --depth;
    const std::size_t begin = ++at;
    if (head[begin - 1] != '"') continue;
    at = end_of_string(head, begin);
    if (at == std::string_view::npos) break;
    const std::string_view word = head.substr(begin, at - 1 - begin);
    const std::size_t next = head.find_first_not_of(" \t\r\n", at);
    if (next == std::string_view::npos || head[next] != ':') continue;
    keys.all.insert(word);
    if (depth == 1) keys.top.insert(word);
  }
  return keys;
}

}  // namespace tracebed
