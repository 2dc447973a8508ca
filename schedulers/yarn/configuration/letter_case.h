// Comparing names as Hadoop does where it ignores the case of letters.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace tracebed {

// Of letters in ASCII.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

inline bool equal_but_for_case(std::string_view a, std::string_view b) {
  return lower_case(a) == lower_case(b);
}

}  // namespace tracebed
