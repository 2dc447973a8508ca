// Text from outside that ends in reports and messages.
#pragma once

#include <cstddef>
#include <string_view>

namespace tracebed {

// Where the first byte is that does not belong to UTF-8 (RFC 3629); the size of a text that is.
std::size_t utf8_end(std::string_view text);

inline bool is_utf8(std::string_view text) {
  return utf8_end(text) == text.size();
}

}  // namespace tracebed
