// What people read of the keys of an experiment. Each table of keys that the parser reads has a
// table of texts with the same names, which the compiler checks; `tracebed keys` and the tables in
// docs/experiments.md are made of these.
#pragma once

#include <string_view>

#include "system/toml_value.h"

namespace tracebed {

struct KeyText {
  std::string_view name;
  std::string_view type;           // "integer", "duration", "size", "text", …
  std::string_view default_value;  // as TOML, or in words; "required" if there is none
  std::string_view meaning;        // Markdown, with unit and range
  // Its value in experiments/reference.toml; begins with "# " where the key is commented out there.
  // Empty: the default.
  std::string_view example = {};
};

constexpr KeyText with_example(KeyText text, std::string_view example) {
  text.example = example;
  return text;
}

// Whether `texts` describe the keys that `keys` read, each once, and the same ones as required.
template <class Keys, class Texts>
constexpr bool describe_all(const Keys& keys, const Texts& texts) {
  for (const auto& key : keys) {
    int descriptions = 0;
    for (const KeyText& text : texts) {
      if (text.name != key.name) continue;
      ++descriptions;
      if ((text.default_value == "required") != (key.presence == Presence::required)) return false;
    }
    if (descriptions != 1) return false;
  }
  return keys.size() == texts.size();
}

}  // namespace tracebed
