// What incremental parsers return. Callers own the buffer of unread bytes and pass all of it; a
// parser takes one value from its beginning, or nothing. Spans and views in values point into the
// buffer, unless a parser states otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

namespace tracebed::hdfs {

using Bytes = std::span<const std::byte>;

// The beginning of a value. To call the parser again is useful when this many bytes are unread: at
// most as many as the value has, and more than were passed.
struct NeedMore {
  std::size_t bytes = 0;
};

template <class T>
struct Parsed {
  T value;
  std::size_t bytes = 0;  // that the value takes
};

// Bytes that no peer sends. What follows them cannot be read either: the connection is of no use.
struct Malformed {
  std::string reason;  // one sentence without its full stop
};

template <class T>
using ParseResult = std::variant<NeedMore, Parsed<T>, Malformed>;

}  // namespace tracebed::hdfs
