#include "traces/json/bracket_scanner.h"

#include <algorithm>
#include <bit>

#include "traces/parts/byte_masks.h"

namespace tracebed {
namespace {

// Every bit is the parity of itself and those below.
std::uint64_t parity_below(std::uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

std::uint64_t lines_in(const char* block, std::uint64_t valid) {
  return count_of(mask_of(block, '\n') & valid);
}

}  // namespace

std::uint64_t BracketScanner::escaped_by(std::uint64_t backslashes, std::size_t count) {
  std::uint64_t escaped = is_escaped_ ? 1 : 0;
  is_escaped_ = false;
  // Backslashes are rare, so they are walked: each escapes what follows, and an escaped one
  // nothing.
  for (std::uint64_t left = backslashes & ~escaped; left != 0; left &= left - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(left));
    if (at + 1 == count) {
      is_escaped_ = true;
    } else {
      const std::uint64_t next = std::uint64_t{1} << (at + 1);
      escaped |= next;
      left &= ~next;
    }
  }
  return escaped;
}

std::uint64_t BracketScanner::strings_of(const char* block, std::uint64_t valid,
                                         std::size_t count) {
  std::uint64_t quotes = mask_of(block, '"') & valid;
  // Outside of strings a backslash is no JSON; what it does there decides nothing that matters.
  if (is_escaped_ || is_any(block, '\\')) {
    quotes &= ~escaped_by(mask_of(block, '\\') & valid, count);
  }
  std::uint64_t inside = parity_below(quotes);
  if (in_string_) inside = ~inside;
  in_string_ = (inside >> (count - 1) & 1) != 0;
  return inside;
}

std::size_t BracketScanner::close_within(std::uint64_t opening, std::uint64_t closing) {
  for (std::uint64_t left = opening | closing; left != 0; left &= left - 1) {
    const std::uint64_t lowest = left & -left;
    depth_ = (opening & lowest) != 0 ? depth_ + 1 : depth_ - 1;
    if (depth_ == 0) return static_cast<std::size_t>(std::countr_zero(left)) + 1;
  }
  return 0;
}

std::size_t BracketScanner::scan(const char* text, std::size_t size) {
  for (std::size_t at = 0; at < size; at += mask_bytes) {
    const char* const block = text + at;
    const std::size_t count = std::min(size - at, mask_bytes);
    const std::uint64_t valid = low_bits(count);
    const std::uint64_t outside = ~strings_of(block, valid, count) & valid;
    // '[' and ']' differ from the braces by this bit.
    const std::uint64_t opening = mask_of<0x20>(block, '{') & outside;
    const std::uint64_t closing = mask_of<0x20>(block, '}') & outside;
    const std::uint64_t closed = count_of(closing);
    if (closed < depth_) {  // nothing in the block can close the first one
      depth_ += count_of(opening) - closed;
      lines_ += count == mask_bytes ? count_of(block, '\n') : lines_in(block, valid);
      continue;
    }
    const std::size_t end = close_within(opening, closing);
    if (end > 0) {
      is_closed_ = true;
      lines_ += lines_in(block, low_bits(end));
      return at + end;
    }
    lines_ += lines_in(block, valid);
  }
  return size;
}

}  // namespace tracebed
