#include "system/utf8.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace tracebed {

std::size_t utf8_end(std::string_view text) {
  const auto byte = [&](std::size_t at) -> unsigned {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
  };
  for (std::size_t i = 0; i < text.size();) {
    if (i + 8 <= text.size()) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, text.data() + i, 8);
      if ((eight & 0x8080808080808080u) == 0) {
        i += 8;
        continue;
      }
    }
    const unsigned lead = byte(i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    unsigned code = lead & (0xFFU >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      if ((byte(i + k) & 0xC0U) != 0x80) return i;
      code = code << 6 | (byte(i + k) & 0x3FU);
    }
    constexpr std::array<unsigned, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (lead < 0xC2 || lead > 0xF4 || code < smallest[length] || code > 0x10FFFF || surrogate) {
      return i;
    }
    i += length;
  }
  return text.size();
}

}  // namespace tracebed
