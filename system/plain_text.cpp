#include "system/plain_text.h"

#include <cstdint>
#include <fmt/format.h>
#include <iterator>

#include "system/utf8.h"

namespace tracebed {
namespace {

bool is_plain_ascii(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte >= 0x20 && byte < 0x7F;
}

void add_control(unsigned byte, std::string& to) {
  switch (byte) {
    case '\n':
      to += "\\n";
      return;
    case '\r':
      to += "\\r";
      return;
    case '\t':
      to += "\\t";
      return;
    default:
      fmt::format_to(std::back_inserter(to), "\\x{:02X}", byte);
  }
}

// Of UTF-8: DEL and C1; the separators of lines and paragraphs; marks, embeddings, overrides and
// isolates of the bidirectional algorithm (UAX 9).
bool is_hidden(std::uint32_t code) {
  return (code >= 0x7F && code <= 0x9F) || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

// Of a valid text, of which the character at the front has `length` bytes.
std::uint32_t code_at(std::string_view text, std::size_t length) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  if (length == 1) return byte(0);
  std::uint32_t code = byte(0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3FU);
  return code;
}

std::size_t length_at(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0x80 ? 2 : 1;
}

enum class LineEnds : std::uint8_t { none, before_indented, all };

bool is_kept(std::string_view text_at_line_end, LineEnds kept) {
  return kept == LineEnds::all ||
         (kept == LineEnds::before_indented && text_at_line_end.starts_with("\n  "));
}

void add_valid(std::string_view text, LineEnds kept, std::string& to) {
  while (!text.empty()) {
    const std::size_t length = length_at(text);
    const std::uint32_t code = code_at(text, length);
    if (code == '\n' && is_kept(text, kept)) {
      to += '\n';
    } else if (code < 0x20) {
      add_control(code, to);
    } else if (is_hidden(code)) {
      fmt::format_to(std::back_inserter(to), "\\u{:04X}", code);
    } else {
      to += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
}

std::string plain(std::string_view text, LineEnds kept) {
  std::size_t begin = 0;
  while (begin < text.size() && is_plain_ascii(text[begin])) ++begin;
  std::string result(text.substr(0, begin));
  text.remove_prefix(begin);
  while (!text.empty()) {
    const std::size_t valid = utf8_end(text);
    add_valid(text.substr(0, valid), kept, result);
    text.remove_prefix(valid);
    if (text.empty()) break;
    add_control(static_cast<unsigned char>(text.front()), result);
    text.remove_prefix(1);
  }
  return result;
}

}  // namespace

std::string plain_line(std::string_view text) {
  return plain(text, LineEnds::none);
}

std::string plain_paragraph(std::string_view text) {
  return plain(text, LineEnds::before_indented);
}

std::string plain_lines(std::string_view text) {
  return plain(text, LineEnds::all);
}

}  // namespace tracebed
