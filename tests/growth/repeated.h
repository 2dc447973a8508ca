// Texts with a part that grows.
#pragma once

#include <fmt/format.h>
#include <string>

namespace tracebed::test {

// `form` with each number {i} from 0 on, or {next} from 1 on, and what separates them.
inline std::string repeated(int count, const char* form, const char* separator = "") {
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += separator;
    text += fmt::format(fmt::runtime(form), fmt::arg("i", i), fmt::arg("next", i + 1));
  }
  return text;
}

}  // namespace tracebed::test
