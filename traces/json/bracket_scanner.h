// Finds where a JSON document ends, by strings and brackets only: 64 bytes at a time, by bit masks,
// as simdjson's first stage does (Langdale and Lemire, VLDB Journal 2019).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tracebed {

class BracketScanner {
 public:
  // Restarts at the first bracket of a document.
  void begin() { *this = BracketScanner(); }

  // Continues over `size` bytes and stops after the bracket that closes the first one. Returns how
  // many bytes were scanned; is_closed() reports whether it was found. `slack` bytes after the end
  // must be readable; their contents are ignored.
  static constexpr std::size_t slack = 64;
  std::size_t scan(const char* text, std::size_t size);

  bool is_closed() const { return is_closed_; }
  // Line ends passed since begin().
  std::uint64_t lines() const { return lines_; }

 private:
  // The bytes of a block that are within strings, including opening quotes.
  std::uint64_t strings_of(const char* block, std::uint64_t valid, std::size_t count);
  // Those behind a backslash that is not escaped itself.
  std::uint64_t escaped_by(std::uint64_t backslashes, std::size_t count);
  // Where in the block the document ends: one above that bracket; 0 if it does not.
  std::size_t close_within(std::uint64_t opening, std::uint64_t closing);

  std::uint64_t depth_ = 0;
  std::uint64_t lines_ = 0;
  bool in_string_ = false;
  bool is_escaped_ = false;  // the next byte
  bool is_closed_ = false;
};

}  // namespace tracebed
