// Text from outside that appears in reports and messages.
#pragma once

#include <cstddef>
#include <string_view>

namespace tracebed {

// The position of the first byte that is not valid UTF-8 (RFC 3629); the size of a valid text.
std::size_t utf8_end(std::string_view text);

inline bool is_utf8(std::string_view text) {
  return utf8_end(text) == text.size();
}

}  // namespace tracebed
