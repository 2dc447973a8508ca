// Numbers as people read them in output files.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "kernels/bytes.h"

namespace tracebed::kernels {

inline void append_decimal(Buffer& buffer, std::uint64_t number) {
  std::array<char, std::numeric_limits<std::uint64_t>::digits10 + 1> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  append(buffer, bytes_of({digits.data(), static_cast<std::size_t>(end - digits.data())}));
}

// Nothing unless all of the text is one number.
inline std::optional<std::uint64_t> parse_decimal(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return number;
}

}  // namespace tracebed::kernels
