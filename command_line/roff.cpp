#include "command_line/roff.h"

namespace tracebed {
namespace {

constexpr std::size_t columns_max = 78;  // mandoc -T lint reports lines of more than 80 bytes

bool would_be_request(std::string_view line) {
  return line.starts_with('.') || line.starts_with('\'');
}

}  // namespace

std::string roff_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\(rs";
        break;
      case '-':
        out += "\\-";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '"':
        out += "\\(dq";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string roff_paragraph(std::string_view text) {
  std::string out;
  std::string line;
  const auto end_line = [&] {
    if (would_be_request(line)) out += "\\&";
    out += line + "\n";
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t space = text.find_first_of(" \n");
    const std::string word = roff_text(text.substr(0, space));
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    if (word.empty()) continue;
    if (!line.empty() && line.size() + 1 + word.size() > columns_max) end_line();
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) end_line();
  return out;
}

}  // namespace tracebed
