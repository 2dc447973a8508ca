// Names that a terminal would obey, and outputs that must have none of their commands.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace tracebed {

// As JSON and TOML write it: colours, a window's title, a line of its own, C1, a direction.
inline constexpr std::string_view hostile_name_escaped =
    "n\\u001b[31m\\u001b]0;x\\u0007\\nFORGED line\\r\\u009b31m\\u202e\\u2028";

// Whether `text` is what it seems: no control characters but line ends, and no line that a name
// began.
inline ::testing::AssertionResult is_plain_output(std::string_view text) {
  const auto found = [&](std::size_t at, std::string_view what) {
    const std::size_t begin = at < 80 ? 0 : at - 80;
    return ::testing::AssertionFailure()
           << what << " at byte " << at
           << " of: " << ::testing::PrintToString(std::string(text.substr(begin, 160)));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7F) return found(i, "a control character");
  }
  for (const std::string_view hidden : {"\xC2\x9B", "\xE2\x80\xAE", "\xE2\x80\xA8"}) {
    if (const std::size_t at = text.find(hidden); at != std::string_view::npos) {
      return found(at, "a hidden character");
    }
  }
  for (std::size_t at = text.find("FORGED"); at != std::string_view::npos;
       at = text.find("FORGED", at + 1)) {
    if (at == 0 || text[at - 1] == '\n') return found(at, "a line of a name");
  }
  return ::testing::AssertionSuccess();
}

}  // namespace tracebed
