// The keys of JSON text, for detecting the kind of document before it is parsed: it may be the head
// of one that is cut off anywhere.
#pragma once

#include <set>
#include <string_view>

namespace tracebed {

struct JsonKeys {
  std::set<std::string_view> top;  // of the documents themselves
  std::set<std::string_view> all;  // of the objects in them, too

  bool has_top(std::string_view key) const { return top.contains(key); }
  bool has(std::string_view key) const { return all.contains(key); }
};

// Verbatim from `head`, escapes included; strings that are values are not keys. They are valid as
// long as the text.
JsonKeys keys_in(std::string_view head);

}  // namespace tracebed
