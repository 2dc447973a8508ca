// A value of a file in a message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tracebed {

// In quotes; of a long one the beginning, which ends with a whole character of UTF-8.
inline std::string quoted_value(std::string_view value) {
  constexpr std::size_t bytes_max = 200;
  if (value.size() <= bytes_max) return '"' + std::string(value) + '"';
  std::size_t end = bytes_max;
  const auto continues_a_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
  };
  while (end > 0 && continues_a_character(value[end])) --end;
  return '"' + std::string(value.substr(0, end)) + "…\"";
}

}  // namespace tracebed
