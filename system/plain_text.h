// Text from outside (names of a trace, of users, of agents; what peers answer) on its way to a
// terminal or a log: what a terminal would take for a command, or a reader for another line, is
// shown as an escape. HTML, CSV and JSON have escapes of their own.
#pragma once

#include <string>
#include <string_view>

namespace tracebed {

// Part of a line: "\n", "\r" and "\t" for these, "\x1B" for other control characters of ASCII and
// for bytes that are no UTF-8; "\u009B" for those of ISO 6429, separators of lines, and characters
// that change the direction of what follows. Everything else is as it was, also a backslash.
std::string plain_line(std::string_view text);

// A message, which has lines after its first only as a list: a line end is kept where two spaces
// follow. So a name in it begins no line that could be taken for another message.
std::string plain_paragraph(std::string_view text);

// Several lines: the same, but all line ends are kept. JSON stays JSON.
std::string plain_lines(std::string_view text);

}  // namespace tracebed
