// What `tracebed` prints for people. Names and messages in it come from traces, files and peers:
// none of them moves the cursor, colours a terminal or begins a line (system/plain_text.h).
#pragma once

#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "system/plain_text.h"

namespace tracebed {

// Texts become parts of lines, other values stay.
template <class T>
decltype(auto) plain_argument(const T& value) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return plain_line(value);
  } else {
    return (value);
  }
}

// fmt::format of plain arguments.
template <class... Args>
std::string plain_format(fmt::format_string<Args...> format, Args&&... args) {
  const auto apply = [&](const auto&... plain) {
    return fmt::vformat(format, fmt::make_format_args(plain...));
  };
  return apply(plain_argument(args)...);
}

// Lines that were composed elsewhere, whose parts are plain. Throws std::system_error if they
// cannot be written; not on standard error, as a run goes on and ends in order when its terminal is
// closed.
void print_lines(std::string_view text, std::FILE* to = stdout);

// fmt::print of plain arguments.
template <class... Args>
void print_plain(std::FILE* to, fmt::format_string<Args...> format, Args&&... args) {
  print_lines(plain_format(format, std::forward<Args>(args)...), to);
}
template <class... Args>
void print_plain(fmt::format_string<Args...> format, Args&&... args) {
  print_plain(stdout, format, std::forward<Args>(args)...);
}

}  // namespace tracebed
